import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Outcome } from '../../../runner/judge/outcome.ts';
import { behaviours } from './behaviours/index.ts';
import { openFaultyProxy } from './faulty-proxy.ts';
import { judgeCases, totalMs } from './judge.ts';

let catalog: Catalog;
let gateway: ReferenceServer;
const outcomes = new Map<string, Outcome | undefined>();
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
const head = `# Hostile gateways

\`npx vitest run tests/proof/hostile/hostile.test.ts -u\` writes this file. In each row, a raw-socket server behaves as described instead of sending the expected \`401 missing_auth_credential\` for one request of a run. The other cases of the run get correct responses and must conform. The time limits are 6 s for the headers, 5 s for a pause and 15 s in total. The suite reads at most 1 MiB of a body.

| Behaviour of the gateway | Outcome of the case |
| --- | --- |
`;
/** The tolerance for the duration of an exchange, in milliseconds: 250, and 5,000 for a busy machine. */
const slackMs = 250 + 5_000;

describe.concurrent('the case has the expected outcome if the gateway has this behaviour for one request:', () => {
  test.each(behaviours)('$id', { timeout: 120_000 }, async ({ id, misbehave, outcome, reported }) => {
    const faultyProxy = await openFaultyProxy(gateway.url, isWithoutKey, misbehave);
    const report = await judgeCases(gateway, {
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
    outcomes.set(id, item?.outcome);
  });
});

test('HOSTILE.md lists the tested behaviours and their outcomes', async () => {
  const rows = behaviours.map(({ id }) => `| ${id.replaceAll('|', '\\|')} | ${outcomes.get(id)} |`);
  await expect(`${head}${rows.join('\n')}\n`).toMatchFileSnapshot('HOSTILE.md');
});

/** Whether this is the head of a request to which the proxy misbehaves. */
function isWithoutKey(head: string): boolean {
  return (
    /^POST \S+:generateContent /.test(head) && !/^(authorization|x-api-key|x-goog-api-key):/im.test(head)
  );
}
