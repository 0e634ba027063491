import { beforeAll, describe, expect, test } from 'vitest';
import { type Catalog, loadCatalog } from '../../../runner/catalog/catalog.ts';
import {
  type ExchangeRow,
  entryOf,
  errorOf,
  failuresIn,
  profileWith,
  prompt,
  reportOn,
} from '../../support/recorded-exchange.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await loadCatalog();
});

const json = { 'content-type': 'application/json', accept: 'application/json' };
const key = 'sk-client-0123456789abcdef';
const stated = { keys: { valid: key }, models: { chat: { good: prompt.model } } };
const bearer = { ...json, authorization: `Bearer ${key}` };
const other = { ...json, authorization: 'Bearer sk-other-0123456789abcdef' };
const works: ExchangeRow = { sent: bearer, status: 200, answer: { choices: [] } };
const wrongKey: ExchangeRow = { sent: other, status: 401, answer: errorOf(401, 'invalid_bearer_token') };
const refused = (status: number, type: string): ExchangeRow => ({
  sent: { ...json, 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  status,
  answer: errorOf(status, type),
});
const incomplete = { sent: bearer, body: { model: prompt.model } };
const crash: ExchangeRow = { ...incomplete, status: 500, answer: errorOf(500, 'internal_error') };
const rejected: ExchangeRow = {
  ...incomplete,
  status: 400,
  answer: errorOf(400, 'invalid_request_error', 'messages'),
};

/** Returns the violations of a recording with these exchanges, one second apart. */
async function findViolations(...rows: readonly ExchangeRow[]): Promise<string[]> {
  const lines = rows.map((row, index) => JSON.stringify(entryOf({ at: index * 1_000, ...row })));
  const report = await reportOn(catalog, profileWith(catalog, stated), lines.join('\n'));
  return failuresIn(report).filter((failure) => failure.startsWith('violates'));
}

describe('a good key that is refused', () => {
  test.each([
    ['401', refused(401, 'invalid_api_key')],
    ['403', refused(403, 'forbidden')],
  ])('with %s in another header between successes is a violation', async (_, row) => {
    expect(await findViolations(works, row, works)).toEqual(['violates auth/good-x-api-key']);
  });
  test.each<[string, readonly ExchangeRow[]]>([
    ['before the first success', [refused(401, 'invalid_api_key'), works]],
    ['after the last success', [works, refused(401, 'invalid_api_key')]],
    ['after a wrong key with 403, which a guard may send', [works, wrongKey, refused(403, 'x'), works]],
  ])('%s is undecided', async (_, rows) => {
    expect(await findViolations(...rows)).toEqual([]);
  });
});

describe('an invalid request that gets 500', () => {
  test('three times between successes is a violation', async () => {
    expect(await findViolations(works, crash, works, crash, works, crash, works)).toEqual([
      'violates chat/messages-missing',
    ]);
  });
  test.each<[string, readonly ExchangeRow[]]>([
    ['twice', [works, crash, works, crash, works]],
    ['three times without a success after the last', [works, crash, works, crash, works, crash]],
    ['and also 400', [works, crash, works, rejected, crash, works, crash, works]],
    ['without any success', [crash, crash, crash]],
  ])('%s is undecided', async (_, rows) => {
    expect(await findViolations(...rows)).toEqual([]);
  });
});

describe('other failures between successes', () => {
  const wrongModel: ExchangeRow = { ...incomplete, status: 400, answer: errorOf(400, 'model_not_supported') };
  const errorInside: ExchangeRow = { ...works, answer: errorOf(500, 'internal_error') };
  const inOneHeader: ExchangeRow = { ...refused(500, 'internal_error') };
  test.each<[string, ExchangeRow, string]>([
    ['a model error for an invalid body', wrongModel, 'violates chat/messages-missing'],
    ['a 500 with a good key in one header', inOneHeader, 'violates auth/good-x-api-key'],
    ['an unanswered invalid request', { ...incomplete, status: 0 }, ''],
  ])('%s is a violation if it occurs three times', async (_, row, violation) => {
    const found = await findViolations(works, row, works, row, works, row, works);
    expect(found).toEqual(violation === '' ? [] : expect.arrayContaining([violation]));
    expect(await findViolations(works, row, works, row, works)).toEqual([]);
  });
  test('an error in a 2xx is undecided if the same call also succeeds', async () => {
    expect(await findViolations(works, errorInside, works, errorInside, works, errorInside, works)).toEqual(
      [],
    );
  });
});
