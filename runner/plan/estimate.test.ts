import { expect, test } from 'vitest';
import { readDataFile } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { estimate, isBadKey, isBillable, isBurst } from './estimate.ts';
import { plan } from './plan.ts';

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

test('counts one call after the bad keys of an operation', () => {
  const only = (phase: string) =>
    whole.cases.filter((item) => item.phase === phase && item.attributes.operation === 'chat');
  const size = { burst: 0, rounds: 1 };
  const [controls, badKeys] = [only('controls'), only('bad-keys')];
  const apart = estimate(controls, size).billable + estimate(badKeys, size).billable;
  expect(estimate([...controls, ...badKeys], size).billable).toBe(apart + 1);
});

test('multiplies requests by the rounds, except those that only the last round sends', () => {
  const last = whole.cases.filter(({ phase }) => phase === 'firewall').length;
  const once = estimate(whole.cases, { burst: 20, rounds: 1 });
  const thrice = estimate(whole.cases, { burst: 20, rounds: 3 });
  expect(thrice).toEqual({
    requests: (once.requests - 21 - last) * 3 + 21 + last,
    billable: (once.billable - last) * 3 + last,
    badKeys: once.badKeys * 3,
  });
});

test('counts all requests of a burst, and no request of a burst that is not sent', () => {
  const bursts = whole.cases.filter(isBurst);
  const cases = [...bursts, ...whole.cases.filter(({ phase }) => phase === 'controls').slice(0, 3)];
  const count = (burst: number): number => estimate(cases, { burst, rounds: 1 }).requests;
  const steps = cases.flatMap((item) => item.steps).length;
  expect(bursts.length).toBeGreaterThan(0);
  expect(count(20)).toBe(steps + 19 * bursts.length);
  expect(count(0)).toBe(steps);
  const none = cases.map((item) => ({ ...item, notApplicable: { reason: 'No.', add: undefined } }));
  expect(estimate(none, { burst: 20, rounds: 1 }).requests).toBe(0);
});

test('counts one control with one header after the wrong keys of an operation', () => {
  const [base] = whole.cases;
  if (!base) throw new Error('no case');
  const createCase = (phase: 'controls' | 'requests' | 'bad-keys', attributes: Attributes) =>
    ({ ...base, phase, attributes, steps: [{ attributes, control: false, expects: [] }] }) as const;
  const cases = [
    createCase('controls', { operation: 'chat', header: 'bearer' }),
    createCase('controls', { operation: 'chat', header: 'x-api-key' }),
    createCase('controls', { operation: 'models', header: 'bearer' }),
    createCase('requests', { operation: 'chat', header: 'bearer' }),
    createCase('bad-keys', { operation: 'chat', key: 'unknown' }),
    createCase('bad-keys', { operation: 'chat', key: 'truncated' }),
  ];
  expect(estimate(cases, { burst: 0, rounds: 1 })).toEqual({ requests: 7, billable: 0, badKeys: 2 });
});

const { values: keyKinds } = toMapping(toMapping(readDataFile('specs/attributes.yaml').value).key);
const wrongKeys = catalog.attributes.valuesOf('key', 'wrong');

/** Kinds of keys outside of the set `wrong` that count as wrong keys. */
const lenient = ['with-scheme', 'followed', 'listed'];
const keyRows = Object.keys(toMapping(keyKinds)).map(
  (key) => [key, key === 'deleted' || wrongKeys.includes(key) || lenient.includes(key)] as const,
);

test.each(keyRows)('the key %s counts as a wrong or deleted key: %s', (key, expected) => {
  expect(isBadKey({ key })).toBe(expected);
});

test.each<[Attributes, boolean]>([
  [{}, true],
  [{ header: 'bearer', model: 'text-only', fault: 'left-open' }, true],
  [{ key: 'depleted' }, false],
  [{ header: 'query' }, false],
  [{ header: 'basic' }, false],
  [{ header: 'basic-password' }, false],
  [{ header: 'basic-plain' }, false],
  [{ header: 'api-key-scheme' }, false],
  [{ header: 'query-api-key' }, false],
  [{ header: 'query-access-token' }, false],
  [{ header: 'api-key' }, false],
  [{ header: 'cookie' }, false],
  [{ header: 'body-member' }, false],
  [{ header: 'token' }, false],
  [{ header: 'raw' }, false],
  [{ header: 'none' }, false],
  [{ fault: 'missing' }, false],
  [{ model: 'unlisted' }, false],
  [{ method: 'PATCH' }, false],
  [{ surface: 'billing' }, false],
])('a call with %j may be billed: %s', (attributes, expected) => {
  const call = { surface: 'model', key: 'good', header: 'any', fault: 'none', model: 'good' };
  expect(isBillable({ ...call, method: 'documented', ...attributes })).toBe(expected);
});
