import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { defaultRetryPolicy } from '../../../runner/exchange/retry-policy.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { isToolMissing } from '../../support/tools.ts';
import { closingServers, validKey } from './servers.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

function runAt(baseUrl: string): Promise<Report> {
  const profile = parseProfile({ baseUrl, keys: { valid: validKey }, models: { chat: 'model-1' } }, catalog);
  return runSuite(createPromise(catalog, profile), {
    suites: ['requests'],
    retryPolicy: { ...defaultRetryPolicy, firstPauseMs: 2 },
  });
}

const outcomesOf = ({ cases }: Report): Record<string, string> =>
  Object.fromEntries(
    cases.flatMap(({ id, checks }) =>
      checks.map(({ requirement, outcome }) => [`${id} ${requirement}`, outcome]),
    ),
  );

describe('a server that closes connections without an announcement', () => {
  for (const { name, needs, start } of closingServers) {
    test.skipIf(needs && isToolMissing(needs))(
      `gets the same result in two runs, without a lost request: ${name}`,
      async () => {
        const server = await start();
        onTestFinished(server.stop);
        const [first, second] = [await runAt(server.url), await runAt(server.url)];
        for (const { cases, others } of [first, second]) {
          const exchanges = [...cases.flatMap((item) => item.exchanges), ...others];
          expect(exchanges.filter(({ failure }) => failure !== null).map(({ id }) => id)).toEqual([]);
          expect(exchanges.filter(({ earlier }) => earlier.includes(null)).map(({ id }) => id)).toEqual([]);
          // The server closes a connection after each 500, so the run must receive several such responses.
          expect(exchanges.filter(({ response }) => response?.status === 500).length).toBeGreaterThan(5);
        }
        expect(outcomesOf(second)).toEqual(outcomesOf(first));
        expect(first.verdict).toBe('violates');
      },
    );
  }
});
