import { expect, test } from 'vitest';
import { createExchange } from '../../tests/support/reports.ts';
import { formatSending } from './sending.ts';

const exchange = createExchange('fuzz/combination/seed=1/n=7#1', { response: null });

test('a combination is shown with its attributes', () => {
  const combined = { header: 'x-api-key', key: 'depleted', model: 'unlisted' };
  const rows = formatSending({ ...exchange, generatedRequest: { seed: 1, n: 7, count: 20, combined } });
  expect(rows).toEqual([
    ['combined', 'header=x-api-key · key=depleted · model=unlisted'],
    ['request', 'number 7 of seed 1'],
    ['again', 'repeat the run with --fuzz 20 --seed 1 --only fuzz/combination/seed=1/n=7'],
  ]);
});

test('an overlapping request is shown with a note about the other requests', () => {
  expect(formatSending({ ...exchange, attributes: { overlapping: 'true' } })).toEqual([
    ['sent', 'at the same time as requests with other keys, so the request alone may get a correct response'],
  ]);
  expect(formatSending({ ...exchange, attributes: { overlapping: 'false' } })).toEqual([]);
});

test('a generated request that is not a combination has no combined attributes', () => {
  const rows = formatSending({ ...exchange, generatedRequest: { seed: 1, n: 7, count: 20 } });
  expect(rows.map(([name]) => name)).toEqual(['request', 'again']);
});
