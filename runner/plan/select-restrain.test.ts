import { describe, expect, test } from 'vitest';
import type { SetupAction } from '../../common/profile-values.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { Phase } from '../catalog/scenarios.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { indexCombinations } from './choose-covering.ts';
import { estimate, isBadKey, isBurst } from './estimate.ts';
import { type PlannedCase, plan } from './plan.ts';
import { excludeUnsentCases, type Restraint } from './select.ts';

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
const combinationsOf = indexCombinations(promise);
const free: Restraint = { safe: false, isRateLimited: false, isDivided: false };
const ids = (cases: readonly { readonly id: string }[]): string[] => cases.map(({ id }) => id);

describe('a restrained plan', () => {
  const safely = (): readonly PlannedCase[] =>
    excludeUnsentCases(whole, { ...free, safe: true, isRateLimited: true }, combinationsOf).cases;
  const size = { burst: 20, rounds: 1 };
  test('contains all cases of the whole plan', () => {
    expect(ids(safely())).toEqual(ids(whole.cases));
  });
  test('sends no billed calls except the controls', () => {
    const controls = safely().filter(({ phase }) => phase === 'controls');
    const others = safely().filter(({ phase }) => phase !== 'controls');
    expect(estimate(others, size).billable).toBe(0);
    expect(estimate(controls, size).billable).toBeGreaterThan(0);
  });
  const wrongKeys = (): readonly PlannedCase[] =>
    safely().filter(
      ({ steps, notApplicable }) => !notApplicable && steps.some(({ attributes }) => isBadKey(attributes)),
    );
  test('sends one wrong key to each operation', () => {
    const operations = new Set(
      whole.cases
        .filter(({ attributes, notApplicable }) => attributes.key === 'unknown' && !notApplicable)
        .map(({ attributes }) => attributes.operation),
    );
    expect(estimate(safely(), size).badKeys).toBe(operations.size);
    expect(new Set(wrongKeys().map(({ attributes }) => attributes.operation))).toEqual(operations);
  });
  test('varies the header and the kind of the wrong key', () => {
    const valuesOf = (name: string): number =>
      new Set(wrongKeys().map(({ attributes }) => attributes[name])).size;
    expect([valuesOf('header'), valuesOf('key') > 3]).toEqual([3, true]);
  });
  test('judges wrong keys in each header that the operations accept', () => {
    const judged = new Set(
      wrongKeys().flatMap(({ checks }) => checks.map(({ requirement }) => requirement.id)),
    );
    expect([...judged]).toEqual(
      expect.arrayContaining(['auth/bad-bearer-token', 'auth/bad-x-api-key', 'auth/bad-x-goog-api-key']),
    );
  });
  test('with a limited request rate leaves out only the burst', () => {
    const limited = excludeUnsentCases(whole, { ...free, isRateLimited: true }, combinationsOf);
    const left = limited.cases.filter((item, index) => item !== whole.cases[index]);
    expect(left.length).toBeGreaterThan(0);
    expect(left.every(isBurst)).toBe(true);
  });
});

/** Creates a case whose steps are valid chat calls with these attributes instead of the usual attributes. */
function caseOf(phase: Phase, ...steps: Attributes[]): PlannedCase {
  const call = {
    operation: 'chat',
    surface: 'model',
    key: 'good',
    header: 'any',
    fault: 'none',
    model: 'good',
  };
  const all = steps.map((attributes) => ({
    attributes: { ...call, method: 'documented', ...attributes },
    control: false,
    expects: [],
  }));
  return {
    id: JSON.stringify(steps),
    suite: 's',
    about: 'A.',
    phase,
    alone: false,
    attributes: all[0]?.attributes ?? {},
    steps: all,
    checks: [],
    observes: [],
    pool: undefined,
    notApplicable: undefined,
  };
}
function changing(action: SetupAction): PlannedCase {
  const item = caseOf('lifecycle', {});
  return { ...item, steps: item.steps.map((step) => ({ ...step, before: { action, during: 0 } })) };
}

/** Returns the reason why each case is not applicable, or undefined for a case that can be sent. */
function reasons(cases: readonly PlannedCase[], restraint: Restraint): (string | undefined)[] {
  return excludeUnsentCases({ cases }, restraint, () => []).cases.map(
    ({ notApplicable }) => notApplicable?.reason,
  );
}

describe('single cases', () => {
  const safe = { ...free, safe: true };
  const burst = caseOf('burst', { operation: 'usage', surface: 'billing', burst: 'true' });
  test.each<[string, PlannedCase, Restraint, RegExp | undefined]>([
    ['a burst is sent without a restraint', burst, free, undefined],
    ['a burst is not sent at a limited rate', burst, { ...free, isRateLimited: true }, /burst/],
    ['a burst is not sent in a safe run', burst, safe, /burst/],
    ['a control is sent in a safe run', caseOf('controls', {}), safe, undefined],
    ['another valid call is not sent in a safe run', caseOf('requests', {}), safe, /billed/],
    [
      'a case with one valid call of several is not sent in a safe run',
      caseOf('requests', { fault: 'missing' }, {}),
      safe,
      /billed/,
    ],
    ['a call with a fault is sent', caseOf('requests', { fault: 'missing' }), safe, undefined],
    ['one wrong key is sent', caseOf('bad-keys', { key: 'unknown' }), safe, undefined],
    ['a wrong key of another kind is sent', caseOf('bad-keys', { key: 'truncated' }), safe, undefined],
    [
      'no wrong key is sent in a case of several requests',
      caseOf('bad-keys', { key: 'none' }, { key: 'truncated' }),
      safe,
      /one wrong key/,
    ],
    ['no key is created in a safe run', changing('createKey'), safe, /does not use `setup`/],
    ['no balance is drained in a divided run', changing('drain'), { ...free, isDivided: true }, /balance/],
    [
      'no text that a firewall dislikes is sent in a divided run',
      caseOf('firewall', {}),
      { ...free, isDivided: true },
      /firewall/,
    ],
    ['a key is created in a divided run', changing('createKey'), { ...free, isDivided: true }, undefined],
    ['a call without a key is sent', caseOf('bad-keys', { key: 'none' }), safe, undefined],
  ])('%s', (_, item, restraint, reason) => {
    const [found] = reasons([item], restraint);
    if (reason) expect(found).toMatch(reason);
    else expect(found).toBeUndefined();
  });
  test('sends only the first of three wrong keys for one operation and header', () => {
    const cases = ['truncated', 'unknown', 'extended'].map((key) => caseOf('bad-keys', { key }));
    expect(reasons(cases, safe).map((reason) => reason === undefined)).toEqual([true, false, false]);
  });
  test('sends no generated request with a wrong key', () => {
    const item = { ...caseOf('bad-keys', { key: 'unknown' }), generatedRequest: { seed: 1, n: 1, count: 1 } };
    expect(reasons([item], safe)).toEqual([expect.stringMatching(/one wrong key/)]);
  });
  test('a case that is not applicable keeps its reason', () => {
    const notApplicable = { reason: 'No.', add: 'rateLimit' };
    expect(reasons([{ ...burst, notApplicable }], safe)).toEqual(['No.']);
  });
});
