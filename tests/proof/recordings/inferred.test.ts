import { beforeAll, describe, expect, test } from 'vitest';
import { mapping } from '../../../contract/mapping.ts';
import { createReferenceGateway } from '../../../reference-server/create-reference-server.ts';
import { faults } from '../../../reference-server/faults/index.ts';
import { variants } from '../../../reference-server/variants/index.ts';
import { type Catalog, loadCatalog } from '../../../runner/catalog/catalog.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { har } from '../../../runner/reporters/har.ts';
import { reportOn as runOn } from '../../support/gateways/judge-gateway.ts';
import { failuresIn, reportOn } from '../../support/recorded-exchange.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await loadCatalog();
});

type Setup = (typeof variants)[number]['setup'];

/** What a check finds in the exchanges of a run, once nothing that the suite noted of them is left. */
async function inferred(run: Report, setup: Setup): Promise<string[]> {
  const entries = listOf(mapping(mapping(JSON.parse(har(run))).log).entries).map(withoutNotes);
  const [first] = entries;
  const { profileAt } = createReferenceGateway(setup());
  const base = new URL(String(mapping(first?.request).url)).origin;
  const lines = entries.map((entry) => JSON.stringify(entry)).join('\n');
  return failuresIn(await reportOn(catalog, parseProfile(profileAt(base), catalog), lines));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function withoutNotes(entry: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(mapping(entry)).filter(([name]) => !name.startsWith('_')));
}

/** Every so many of a catalogue, since all of them take minutes; each topic has some. */
const every = 18;
const sample = <T>(all: readonly T[]): T[] => all.filter((_, index) => index % every === 0);

/** Who sees no more than that a key is answered 401 must take it for a bad one, and the answer for a wrong one to that. */
const takenForBad: Readonly<Record<string, readonly string[]>> = {
  'balance/401': ['violates auth/bad-bearer-token', 'violates streams/bad-bearer-token'],
};

describe('where everything is inferred from the exchanges', () => {
  test('nothing is found in those of the reference gateway', async () => {
    expect(await inferred(await runOn(catalog, () => ({})), () => ({}))).toEqual([]);
  });

  test.each(sample(variants).map(({ id, setup }) => ({ id, setup })))(
    '$id violates nothing, and warns of no more than the run',
    async ({ setup }) => {
      const run = await runOn(catalog, setup);
      const known = failuresIn(run);
      expect((await inferred(run, setup)).filter((broken) => !known.includes(broken))).toEqual([]);
    },
  );

  test('most faults are found that a run finds, and nothing worse', { timeout: 240_000 }, async () => {
    const found = await Promise.all(
      sample(faults).map(async ({ id, setup }) => {
        const run = await runOn(catalog, setup);
        const known = [...failuresIn(run), ...(takenForBad[id] ?? [])];
        const told = await inferred(run, setup);
        return {
          id,
          isFound: told.some((broken) => known.includes(broken)),
          beside: told.filter((broken) => broken.startsWith('violates') && !known.includes(broken)),
        };
      }),
    );
    expect(found.flatMap(({ id, beside }) => beside.map((told) => `${id} ${told}`))).toEqual([]);
    const missed = found.filter(({ isFound }) => !isFound).map(({ id }) => id);
    expect(missed.length, missed.join(', ')).toBeLessThan(found.length * 0.35);
  });
});
