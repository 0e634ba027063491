import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { UsageError } from '../profile/profile.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { plan } from './plan.ts';
import { select } from './select.ts';

const catalog = await catalogOfPackage();
const profile = parseProfile(
  {
    baseUrl: 'http://x',
    keys: { valid: 'sk-abc', deleted: 'sk-deleted' },
    rateLimit: { operation: 'usage', requests: 20, within: '1s' },
    operations: { usage: 'GET /u?s={start}&e={end}' },
  },
  catalog,
);
const promise = createPromise(catalog, profile);
const whole = plan(promise);
const ids = (cases: readonly { readonly id: string }[]): string[] => cases.map(({ id }) => id);

describe('the shards of a run', () => {
  const shards = () =>
    [1, 2, 3].map((index) => select(whole, { suites: [], only: [], shard: { index, of: 3 } }));
  test('contain every sent case once, and each contain every pooled case', () => {
    const sent = whole.cases.filter((item) => !item.pool);
    const pooled = whole.cases.filter((item) => item.pool);
    const parts = shards().map(({ plan: { cases } }) => cases.filter((item) => !item.pool));
    expect(ids(parts.flat()).sort()).toEqual(ids(sent).sort());
    for (const { plan: part } of shards())
      expect(ids(part.cases.filter((item) => item.pool))).toEqual(ids(pooled));
  });
  test('contain the IDs of the whole plan, and the number of its cases with checks', () => {
    const judged = whole.cases.filter(({ checks }) => checks.length > 0).length;
    expect(shards().map(({ shard }) => shard)).toEqual(
      [1, 2, 3].map((index) => ({ index, of: 3, suites: [], only: [], plan: ids(whole.cases), judged })),
    );
    expect(select(whole, { suites: [], only: [] }).shard).toBeUndefined();
  });
  test('differ in size by at most one', () => {
    const sizes = shards().map(({ plan: { cases } }) => cases.length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });
  test('each send the controls, and no case of another shard', () => {
    for (const { plan: part, sent } of shards()) {
      const controls = whole.cases.filter(({ phase }) => phase === 'controls');
      expect(ids(sent)).toEqual(expect.arrayContaining(ids(controls)));
      const own = new Set([...ids(part.cases), ...ids(controls)]);
      expect(ids(sent).filter((id) => !own.has(id))).toEqual([]);
    }
  });
  test('of a selection divide only the selection', () => {
    const parts = [1, 2].map((index) =>
      select(whole, { suites: ['models'], only: [], shard: { index, of: 2 } }),
    );
    const all = select(whole, { suites: ['models'], only: [] });
    expect(ids(parts.flatMap(({ plan: { cases } }) => [...cases])).sort()).toEqual(
      ids(all.plan.cases).sort(),
    );
  });
});

describe('a selection', () => {
  test('of one suite sends only the suite and the controls', () => {
    const { plan: chosen, sent } = select(whole, { suites: ['streams'], only: [] });
    expect(new Set(chosen.cases.map(({ suite }) => suite))).toEqual(new Set(['streams']));
    expect(sent.every(({ suite, phase }) => suite === 'streams' || phase === 'controls')).toBe(true);
    expect(ids(sent)).toEqual(expect.arrayContaining(ids(chosen.cases)));
  });
  test('of a pooled requirement of one operation sends the cases of the operation and the controls', () => {
    const { plan: chosen, sent } = select(whole, { suites: [], only: ['models/list-json'] });
    expect(chosen.cases.map(({ pool }) => pool?.operation)).toEqual(['models']);
    const own = whole.cases.filter(
      ({ phase, steps }) =>
        phase === 'controls' || steps.some(({ attributes }) => attributes.operation === 'models'),
    );
    expect(ids(sent.filter(({ pool }) => !pool))).toEqual(ids(own));
    expect(sent.length).toBeLessThan(whole.cases.length / 2);
  });
  test('of a pooled requirement of the run sends everything', () => {
    const { plan: chosen, sent } = select(whole, { suites: [], only: ['trace/distinct'] });
    expect(chosen.cases.length).toBeGreaterThan(0);
    expect(chosen.cases.every((item) => item.pool)).toBe(true);
    expect(ids(sent)).toEqual(ids(whole.cases));
  });
  test('of several patterns contains all cases that match one of the patterns', () => {
    const { plan: chosen, sent } = select(whole, { suites: [], only: ['trace/distinct', 'streams/*'] });
    expect(chosen.cases.some((item) => item.pool)).toBe(true);
    expect(chosen.cases.some(({ suite }) => suite === 'streams')).toBe(true);
    expect(ids(sent)).toEqual(ids(whole.cases));
  });
  test('of listed cases has those of them that match the patterns, without unknown IDs and longer ones', () => {
    const [first = '', second = ''] = ids(
      whole.cases.filter(({ phase, pool }) => phase !== 'controls' && !pool),
    );
    const cases = [first, second, 'models/former-name', 'models'];
    expect(ids(select(whole, { suites: [], only: [], cases }).plan.cases)).toEqual([first, second]);
    expect(ids(select(whole, { suites: [], only: [second], cases }).plan.cases)).toEqual([second]);
    expect(select(whole, { suites: [], only: [], cases: [] }).plan.cases).toEqual([]);
  });
  test('of a requirement keeps only its check in each case', () => {
    const { plan: chosen } = select(whole, { suites: [], only: ['auth/deleted-bearer-token'] });
    const kept = chosen.cases.flatMap(({ checks }) => checks.map(({ requirement }) => requirement.id));
    expect(new Set(kept)).toEqual(new Set(['auth/deleted-bearer-token']));
    expect(chosen.cases.flatMap(({ observes }) => observes)).toEqual([]);
  });
  test('of a case keeps the whole case', () => {
    const [first] = whole.cases.filter(({ observes }) => observes.length > 0);
    expect(select(whole, { suites: [], only: [first?.id ?? ''] }).plan.cases).toEqual([first]);
  });
  test.each([
    [{ suites: ['stream'], only: [] }, 'Did you mean "streams"?'],
    [{ suites: [], only: ['trace/distint'] }, 'Did you mean "trace/distinct"?'],
    [{ suites: [], only: ['qqqqqqqqqqqqqqq'] }, 'Run `conformance list cases` to see the cases'],
  ])('that matches nothing is an error with a hint: %j', (selection, hint) => {
    expect(() => select(whole, selection)).toThrow(UsageError);
    expect(() => select(whole, selection)).toThrow(hint);
  });
});
