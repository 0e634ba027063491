import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { combineSetups, createReferenceServer, faults, variants } from '../../../reference-server/index.ts';
import { compareTargets, UsageError } from '../../../runner/index.ts';
import type { StatedProfile } from '../../../runner/profile/profile.ts';

const open: { close: () => Promise<void> }[] = [];
let good: StatedProfile;

/** The profile of a gateway with these defects and oddities. */
async function start(...ids: readonly string[]): Promise<StatedProfile> {
  const setups = ids.map((id) => {
    const found = [...faults, ...variants].find((item) => item.id === id);
    if (!found) throw new Error(`there is neither a fault nor a variant "${id}"`);
    return found.setup();
  });
  const server = await createReferenceServer(combineSetups(setups));
  open.push(server);
  const { baseUrl, keys, ...rest } = server.profile;
  if (keys.valid === undefined) throw new Error('the gateway has no key');
  return { ...rest, baseUrl, keys: { ...keys, valid: keys.valid } } as StatedProfile;
}

beforeAll(async () => {
  good = await start();
});
afterAll(() => Promise.all(open.map((server) => server.close())));

const breaksOf = (id: string): readonly string[] => faults.find((fault) => fault.id === id)?.violates ?? [];

test('a fault makes the difference that it declares, and nothing else', async () => {
  const ids = ['bad-key/beginning-is-enough-for-the-model-list', 'error-body/called-text'];
  const { comparison } = await compareTargets({ good, faulty: await start(...ids) });
  const { differing, brokenByAll, notJudged, summary } = comparison;
  expect(differing.map(({ id }) => id).sort()).toEqual(ids.flatMap(breaksOf).sort());
  expect([brokenByAll, notJudged]).toEqual([[], []]);
  expect(summary.planned).toBe(summary.alike + summary.differing);
}, 60_000);

test('legal oddities make no difference of verdict, but are told', async () => {
  const odd = await start('errors/more-in-error', 'credentials/lower-case-scheme-is-missing');
  const { comparison, reports } = await compareTargets(
    { good, odd },
    { selection: { suites: ['auth', 'models'] } },
  );
  expect(comparison.differing).toEqual([]);
  expect([reports.good?.verdict, reports.odd?.verdict]).toEqual(['conforms', 'conforms']);
  const told = comparison.open.map(({ kind, place, values }) => [kind, place, ...values]);
  expect(told).toContainEqual(['silent', 'answer', '200', '401 missing_auth_credential']);
  expect(told).toContainEqual(['answer', '/error/doc_url', null, 'string']);
}, 60_000);

describe('a part of the run', () => {
  const selection = { only: ['auth/*operation=generate/*'] };

  test('draws the same requests for each, where some are to be drawn', async () => {
    const fuzz = { count: 6, seed: 3 };
    const { reports } = await compareTargets({ a: good, b: good }, { selection: { suites: ['fuzz'] }, fuzz });
    const drawn = Object.values(reports).map((report) => ({
      fuzz: report.fuzz,
      sent: report.cases.map(({ exchanges }) => exchanges.map(({ request }) => request.body)),
    }));
    expect(drawn[0]).toMatchObject({ fuzz });
    expect(drawn[0]?.sent).toHaveLength(fuzz.count);
    expect(drawn[1]).toEqual(drawn[0]);
  });

  test('of a gateway and itself makes no difference at all', async () => {
    const { comparison } = await compareTargets({ a: good, b: good }, { selection });
    expect(comparison.summary).toMatchObject({ differing: 0, brokenByAll: 0, notCompared: 0 });
    expect(comparison.open).toEqual([]);
  });

  test('finds the one node of three that answers otherwise', async () => {
    const odd = await start('node/code-as-string');
    const only = [...selection.only, 'model-error/code-integer'];
    const { comparison } = await compareTargets(
      { 'node-1': good, 'node-2': odd, 'node-3': good },
      { selection: { only } },
    );
    expect(
      comparison.differing.map(({ id, targets }) => [id, ...targets.map(({ outcome }) => outcome)]),
    ).toEqual([['model-error/code-integer', 'conforms', 'violates', 'conforms']]);
    expect(comparison.differing[0]?.evidence.differences[0]).toEqual({
      place: '/error/code',
      values: ['400', '"400"', '400'],
    });
  });

  test('tells what could be asked of one target alone apart from differences', async () => {
    const bare = {
      baseUrl: good.baseUrl,
      keys: { valid: good.keys.valid },
      models: { generate: 'gemini-reference' },
    };
    const { comparison } = await compareTargets({ full: good, bare }, { selection });
    expect(comparison.differing).toEqual([]);
    expect(comparison.notJudged.map(({ target, add }) => [target, add])).toContainEqual([
      'bare',
      'keys.deleted',
    ]);
  });

  test('asks the same of all of them, with the same made-up names', async () => {
    const only = ['models/*', 'billing/*record*'];
    const { reports } = await compareTargets({ a: good, b: await start() }, { selection: { only } });
    const asked = (target: string): unknown[] | undefined =>
      reports[target]?.cases.flatMap(({ exchanges }) =>
        exchanges.map(({ id, request: { method, url, body } }) => [
          id,
          method,
          url.replace(/^http:\/\/[^/]+/, ''),
          body,
        ]),
      );
    expect(JSON.stringify(asked('a'))).toContain('conformance-unlisted-');
    expect(asked('a')).toEqual(asked('b'));
  });
});

test('fewer than two targets are refused', async () => {
  await expect(compareTargets({ good })).rejects.toThrow(UsageError);
});
