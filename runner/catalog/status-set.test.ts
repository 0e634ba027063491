import { expect, test } from 'vitest';
import { formatStatusSet, isInStatusSet, parseStatusSet } from './status-set.ts';

test.each<[unknown, number[], number[], string]>([
  [401, [401], [400, 402], '401'],
  ['2xx', [200, 204, 299], [199, 300], '2xx'],
  [[400, '5xx'], [400, 500, 503], [401, 404], '400 or 5xx'],
  [{ not: '2xx' }, [100, 301, 404], [200, 201], 'any status except 2xx'],
  [{ not: [404, 405] }, [200, 403], [404, 405], 'any status except 404 and 405'],
  [{ not: ['2xx', 401, '5xx'] }, [302, 404], [401, 200, 500], 'another 4xx or 3xx'],
  [{ not: ['2xx', '5xx'] }, [302, 404], [200, 500], '4xx or 3xx'],
])('%j contains %j but not %j, and is formatted as %j', (raw, inside, outside, shown) => {
  const set = parseStatusSet(raw);
  if (!set) throw new Error('not parsed');
  expect(inside.filter((status) => !isInStatusSet(set, status))).toEqual([]);
  expect(outside.filter((status) => isInStatusSet(set, status))).toEqual([]);
  expect(formatStatusSet(set)).toBe(shown);
});

test.each([
  42,
  600,
  '6xx',
  '4x',
  'ok',
  null,
  [200, 'all'],
  { not: { not: 200 } },
  { not: 200, or: 300 },
  { only: 200 },
])('rejects %j, which is not a set of statuses', (raw) => {
  expect(parseStatusSet(raw)).toBeUndefined();
});
