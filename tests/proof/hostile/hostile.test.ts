import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { behaviours } from './behaviours/index.ts';
import { openFaultyProxy } from './faulty-proxy.ts';
import { judgeByCommand, judgeHere, totalMs } from './judge.ts';
import { type BehaviourRow, expectTable, isUpdating } from './table.ts';

let catalog: Catalog;
let gateway: ReferenceServer;
const rows = new Map<string, BehaviourRow>();
beforeAll(async () => {
  catalog = await catalogOfPackage();
  gateway = await createReferenceServer();
});
afterAll(() => gateway.close());

// No other case begins with this ID, so no other request gets the response.
const testedCase = 'auth/no-key/operation=generate';
const others = [
  'auth/no-key/operation=models',
  'auth/no-key/operation=balance',
  'auth/key-in-query/operation=generate/header=query',
];
/** The tolerance for the duration of an exchange, in milliseconds: 250, and 5,000 for a busy machine. */
const slackMs = 250 + 5_000;

describe.concurrent('the case has the expected outcome if the gateway has this behaviour for one request:', () => {
  test.each(behaviours)('$id', { timeout: 120_000 }, async ({ id, misbehave, outcome, reported }) => {
    const faultyProxy = await openFaultyProxy(gateway.url, isWithoutKey, misbehave);
    // This process has the memory of many runs, so memory is measured in a separate process, which takes longer.
    const judge = isUpdating ? judgeByCommand : judgeHere;
    const { report, megabytes } = await judge(gateway, {
      baseUrl: faultyProxy.url,
      only: [testedCase, ...others],
      catalog,
    }).finally(faultyProxy.close);
    const item = report.cases.find((one) => one.id === testedCase);
    const durationMs = item?.exchanges[0]?.durationMs ?? Number.NaN;
    expect(faultyProxy.times()).toBeGreaterThan(0);
    expect({ outcome: item?.outcome, reported: JSON.stringify(item) }).toEqual({
      outcome,
      reported: expect.stringMatching(reported),
    });
    expect(durationMs).toBeLessThan(totalMs + slackMs);
    expect(others.map((one) => report.cases.find((known) => known.id === one)?.outcome)).toEqual(
      others.map(() => 'conforms'),
    );
    rows.set(id, { id, outcome, durationMs, megabytes });
  });
});

test('HOSTILE.md lists the tested behaviours and their outcomes', () => {
  expectTable(behaviours.flatMap(({ id }) => rows.get(id) ?? []));
});

/** Whether this is the head of a request to which the proxy misbehaves. */
function isWithoutKey(head: string): boolean {
  return (
    /^POST \S+:generateContent /.test(head) && !/^(authorization|x-api-key|x-goog-api-key):/im.test(head)
  );
}
