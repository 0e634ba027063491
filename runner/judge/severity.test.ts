import { expect, test } from 'vitest';
import { findMostSevere, rankOf, severities } from './severity.ts';

test('unauthorized access has the highest rank, a recommendation the lowest', () => {
  expect(severities.map(rankOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(severities[0]).toBe('unauthorized-access');
  expect(severities.at(-1)).toBe('recommendation');
  expect(findMostSevere(['wrong-type', 'server-error', 'wrong-detail'])).toBe('server-error');
  expect(findMostSevere([])).toBe('recommendation');
});
