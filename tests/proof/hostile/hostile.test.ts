import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { type Catalog, loadCatalog } from '../../../runner/catalog/catalog.ts';
import { behaviours } from './behaviours/index.ts';
import { openBetween } from './between.ts';
import { judgeByCommand, judgeHere, limits } from './judge.ts';
import { holdTable, isUpdating, type Row } from './table.ts';

let catalog: Catalog;
let gateway: ReferenceServer;
const rows = new Map<string, Row>();
beforeAll(async () => {
  catalog = await loadCatalog();
  gateway = await createReferenceServer();
});
afterAll(() => gateway.close());

const meant = 'auth/no-key/operation=responses';
const others = [
  'auth/no-key/operation=chat',
  'auth/no-key/operation=messages',
  'auth/key-in-query/operation=responses',
];
/** What a case may take beyond its limit, and what a loaded machine may take beyond that; in milliseconds. */
const slackMs = 250 + 5_000;

describe.concurrent('a gateway that answers one request with', () => {
  test.each(behaviours)('$id', { timeout: 120_000 }, async ({ id, misbehave, outcome, told }) => {
    const between = await openBetween(gateway.url, isWithoutKey, misbehave);
    // The memory of this process is that of many runs, so it is measured in another, which takes longer.
    const judge = isUpdating ? judgeByCommand : judgeHere;
    const { report, megabytes } = await judge(gateway, {
      baseUrl: between.url,
      only: [meant, ...others],
      catalog,
    }).finally(between.close);
    const item = report.cases.find((one) => one.id === meant);
    const durationMs = item?.exchanges[0]?.durationMs ?? Number.NaN;
    expect(between.times()).toBeGreaterThan(0);
    expect({ outcome: item?.outcome, told: JSON.stringify(item) }).toEqual({
      outcome,
      told: expect.stringMatching(told),
    });
    expect(durationMs).toBeLessThan(limits.total * 1000 + slackMs);
    expect(others.map((one) => report.cases.find((known) => known.id === one)?.outcome)).toEqual(
      others.map(() => 'conforms'),
    );
    rows.set(id, { id, outcome, durationMs, megabytes });
  });
});

test('the table of these behaviours says what was seen', () => {
  holdTable(behaviours.flatMap(({ id }) => rows.get(id) ?? []));
});

/** Whether it is the request of the case that is meant. */
function isWithoutKey(head: string): boolean {
  return head.startsWith('POST /v1/responses ') && !/^(authorization|x-api-key|x-goog-api-key):/im.test(head);
}
