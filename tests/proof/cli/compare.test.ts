import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { combineSetups, createReferenceServer, faults, variants } from '../../../reference-server/index.ts';
import { compareTargets, UsageError } from '../../../runner/index.ts';
import type { StatedProfile } from '../../../runner/profile/profile.ts';

const open: { close: () => Promise<void> }[] = [];
let good: StatedProfile;

/** Starts a gateway with these faults and variants, and returns its profile. */
async function start(...ids: readonly string[]): Promise<StatedProfile> {
  const setups = ids.map((id) => {
    const found = [...faults, ...variants].find((item) => item.id === id);
    if (!found) throw new Error(`there is neither a fault nor a variant "${id}"`);
    return found.setup();
  });
  const server = await createReferenceServer(combineSetups(setups));
  open.push(server);
  const { baseUrl, keys, ...rest } = server.profile;
  if (keys.valid === undefined) throw new Error('The gateway has no key.');
  return { ...rest, baseUrl, keys: { ...keys, valid: keys.valid } } as StatedProfile;
}

beforeAll(async () => {
  good = await start();
});
afterAll(() => Promise.all(open.map((server) => server.close())));

const breaksOf = (id: string): readonly string[] => faults.find((fault) => fault.id === id)?.violates ?? [];

test('targets differ exactly in the requirements that the faults of one target violate', async () => {
  const ids = ['bad-key/beginning-is-enough-for-the-model-list', 'error-body/called-text'];
  const { comparison } = await compareTargets({ good, faulty: await start(...ids) });
  const { differing, brokenByAll, notJudged, summary } = comparison;
  expect(differing.map(({ id }) => id).sort()).toEqual(ids.flatMap(breaksOf).sort());
  expect([brokenByAll, notJudged]).toEqual([[], []]);
  const { planned, alike, differing: different, notCompared } = summary;
  expect(alike + different + notCompared).toBe(planned);
  // Some responses match a recommendation only at the faulty target.
  expect(notCompared).toBeLessThan(10);
}, 60_000);

test('conforming variants do not change the verdict, but their differences are listed', async () => {
  const variant = await start('errors/more-in-error', 'credentials/lower-case-scheme-is-missing');
  const { comparison, reports } = await compareTargets({ good, variant }, { suites: ['auth', 'models'] });
  expect(comparison.differing).toEqual([]);
  expect([reports.good?.verdict, reports.variant?.verdict]).toEqual(['conforms', 'conforms']);
  const differences = comparison.open.map(({ kind, place, values }) => [kind, place, ...values]);
  expect(differences).toContainEqual(['silent', 'answer', '200', '401 missing_auth_credential']);
  expect(differences).toContainEqual(['answer', '/error/doc_url', null, 'string']);
}, 60_000);

describe('a comparison of selected cases', () => {
  const selection = { only: ['auth/*operation=generate/*'] };

  test('generates the same requests for each target', async () => {
    const fuzz = { count: 6, seed: 3 };
    const { reports } = await compareTargets(
      { a: good, b: good },
      { suites: ['fuzz'], fuzz: fuzz.count, seed: fuzz.seed },
    );
    const generated = Object.values(reports).map((report) => ({
      fuzz: report.fuzz,
      sent: report.cases.map(({ exchanges }) => exchanges.map(({ request }) => request.body)),
    }));
    expect(generated[0]).toMatchObject({ fuzz });
    expect(generated[0]?.sent).toHaveLength(fuzz.count);
    expect(generated[1]).toEqual(generated[0]);
  });

  test('of a gateway with itself finds no difference', async () => {
    const { comparison } = await compareTargets({ a: good, b: good }, selection);
    expect(comparison.summary).toMatchObject({ differing: 0, brokenByAll: 0, notCompared: 0 });
    expect(comparison.open).toEqual([]);
  });

  test('finds the one node of three that responds differently', async () => {
    const faulty = await start('node/code-as-string');
    const only = [...selection.only, 'model-error/code-integer'];
    const { comparison } = await compareTargets(
      { 'node-1': good, 'node-2': faulty, 'node-3': good },
      { only },
    );
    expect(
      comparison.differing.map(({ id, targets }) => [id, ...targets.map(({ outcome }) => outcome)]),
    ).toEqual([['model-error/code-integer', 'conforms', 'violates', 'conforms']]);
    expect(comparison.differing[0]?.evidence.differences[0]).toEqual({
      place: '/error/code',
      values: ['400', '"400"', '400'],
    });
  });

  test('reports checks that were judged for only one target separately from differences', async () => {
    const bare = {
      baseUrl: good.baseUrl,
      keys: { valid: good.keys.valid },
      models: { generate: 'gemini-reference' },
    };
    const { comparison } = await compareTargets({ full: good, bare }, selection);
    expect(comparison.differing).toEqual([]);
    expect(comparison.notJudged.map(({ target, add }) => [target, add])).toContainEqual([
      'bare',
      'keys.deleted',
    ]);
  });

  test('sends the same requests to all targets, with the same random names', async () => {
    const only = ['models/*', 'billing/*record*'];
    const { reports } = await compareTargets({ a: good, b: await start() }, { only });
    const requestsTo = (target: string): unknown[] | undefined =>
      reports[target]?.cases.flatMap(({ exchanges }) =>
        exchanges.map(({ id, request: { method, url, body } }) => [
          id,
          method,
          url.replace(/^http:\/\/[^/]+/, ''),
          body,
        ]),
      );
    expect(JSON.stringify(requestsTo('a'))).toContain('conformance-unlisted-');
    expect(requestsTo('a')).toEqual(requestsTo('b'));
  });
});

test('fewer than two targets are refused', async () => {
  await expect(compareTargets({ good })).rejects.toThrow(UsageError);
});
