import { beforeAll, describe, expect, test } from 'vitest';
import { mapping } from '../../../contract/mapping.ts';
import { createReferenceGateway } from '../../../reference-server/create-reference-server.ts';
import { faults } from '../../../reference-server/faults/index.ts';
import { variants } from '../../../reference-server/variants/index.ts';
import { type Catalog, loadCatalog } from '../../../runner/catalog/catalog.ts';
import type { Profile } from '../../../runner/profile/profile.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { har } from '../../../runner/reporters/har.ts';
import { reportOn as runOn } from '../../support/gateways/judge-gateway.ts';
import { failuresIn, profileWith, reportOn } from '../../support/recorded-exchange.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await loadCatalog();
});

type Setup = (typeof variants)[number]['setup'];

/** Returns the exchanges of a run as lines of NDJSON, without the notes of the suite, and the profile of the gateway. */
function recordingOf(
  run: Report,
  setup: Setup,
): { readonly lines: readonly string[]; readonly profile: Profile } {
  const entries = listOf(mapping(mapping(JSON.parse(har(run))).log).entries).map(withoutNotes);
  const [first] = entries;
  const base = new URL(String(mapping(first?.request).url)).origin;
  const profile = parseProfile(createReferenceGateway(setup()).profileAt(base), catalog);
  return { lines: entries.map((entry) => JSON.stringify(entry)), profile };
}

/** Returns the failures that `check` reports for the exchanges of a run, without the notes of the suite in them. */
async function checkWithoutNotes(run: Report, setup: Setup): Promise<string[]> {
  const { lines, profile } = recordingOf(run, setup);
  return failuresIn(await reportOn(catalog, profile, lines.join('\n')));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function withoutNotes(entry: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(mapping(entry)).filter(([name]) => !name.startsWith('_')));
}

/** The tests use every 25th fault and every 80th variant, since all of them take minutes. */
const sample = <T>(all: readonly T[], every: number): T[] => all.filter((_, index) => index % every === 0);

/** Follows from the violated requirement, so that a run limited to that one does not report it. */
const derived = 'violates requests/several-faults';

/** Violations that the run reports by another requirement, since it knows what it sent. */
const acceptedFailures: Readonly<Record<string, readonly string[]>> = {
  // `check` sees only that a key gets 401, so it takes the key for a wrong one.
  'balance/401': ['violates auth/bad-bearer-token', 'violates streams/bad-bearer-token'],
  // `check` sees a request without a credential, since it does not take a cookie for one.
  'credential-place/cookie-token': ['violates auth/missing-credential'],
};

describe('check without the notes of the suite', () => {
  test('reports nothing for the reference gateway', async () => {
    expect(await checkWithoutNotes(await runOn(catalog, () => ({})), () => ({}))).toEqual([]);
  });

  test.each(sample(variants, 80).map(({ id, setup }) => ({ id, setup })))(
    '$id: reports no violation, and only the warnings of the run',
    async ({ setup }) => {
      const run = await runOn(catalog, setup);
      const known = failuresIn(run);
      expect((await checkWithoutNotes(run, setup)).filter((broken) => !known.includes(broken))).toEqual([]);
    },
  );

  test('reports most faults that a run reports, and no other violation', {
    timeout: 240_000,
  }, async () => {
    const found = await Promise.all(
      sample(faults, 25).map(async ({ id, setup, violates }) => {
        const run = await runOn(catalog, setup, { only: violates });
        const known = [...failuresIn(run), ...(acceptedFailures[id] ?? [])];
        const reported = await checkWithoutNotes(run, setup);
        return {
          id,
          isFound: reported.some((failure) => known.includes(failure)),
          unexpected: reported.filter(
            (failure) => failure.startsWith('violates') && failure !== derived && !known.includes(failure),
          ),
        };
      }),
    );
    expect(found.flatMap(({ id, unexpected }) => unexpected.map((failure) => `${id} ${failure}`))).toEqual(
      [],
    );
    const missed = found.filter(({ isFound }) => !isFound).map(({ id }) => id);
    expect(missed.length, missed.join(', ')).toBeLessThan(found.length * 0.35);
  });

  test.each(sample(faults, 80).map(({ id, setup, violates }) => ({ id, setup, violates })))(
    '$id: reports each exchange with a profile if it reports it without one',
    async ({ setup, violates }) => {
      const { lines, profile } = recordingOf(await runOn(catalog, setup, { only: violates }), setup);
      const violationsOf = async (line: string, known: Profile): Promise<string[]> =>
        failuresIn(await reportOn(catalog, known, line)).filter((failure) => failure.startsWith('violates'));
      for (const line of lines) {
        const without = await violationsOf(line, profileWith(catalog));
        if (without.length > 0) expect([line, await violationsOf(line, profile)]).not.toEqual([line, []]);
      }
    },
  );
});
