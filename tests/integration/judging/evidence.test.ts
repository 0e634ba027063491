import { beforeAll, describe, expect, test } from 'vitest';
import { packageInfo } from '../../../common/package-info.ts';
import { createReferenceGateway } from '../../../reference-server/create-reference-gateway.ts';
import { combineSetups, faults } from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { defaultRetryPolicy } from '../../../runner/exchange/retry-policy.ts';
import type { Shard } from '../../../runner/plan/select.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import { mergeReports } from '../../../runner/report/merge/merge-reports.ts';
import type { Report } from '../../../runner/report/report.ts';
import { requestOf } from '../../../runner/report/select-examples.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { collectFailedChecks } from '../../../runner/view/failures.ts';
import { createView } from '../../../runner/view/view.ts';
import { createInProcessTransport } from '../../support/gateways/in-process.ts';

const ids = [
  'node/code-as-string',
  'request-body/malformed-500',
  'error-body/envelope-of-openai',
  'error-body/envelope-of-anthropic',
  'error-body/envelope-of-google',
  'error-body/html',
];
let catalog: Catalog;
let whole: Report;
let merged: Report;
beforeAll(async () => {
  catalog = await catalogOfPackage();
  whole = await judge();
  const parts = await Promise.all([1, 2, 3].map((index) => judge({ index, of: 3 })));
  merged = mergeReports(
    parts.map((report, index) => ({ file: `${index}.json`, report })),
    {
      tool: packageInfo,
      promise: createPromise(catalog, createEverythingProfile(catalog)),
    },
  );
}, 120_000);

/** Returns the report of a run against a gateway with the faults `ids`, after a conversion to JSON and back. */
async function judge(shard?: Shard): Promise<Report> {
  const setups = faults.filter(({ id }) => ids.includes(id)).map(({ setup }) => setup());
  const { gateway, profileAt } = createReferenceGateway(combineSetups(setups));
  const report = await runSuite(
    createPromise(catalog, parseProfile(profileAt('http://127.0.0.1'), catalog)),
    {
      shard,
      retryPolicy: { ...defaultRetryPolicy, firstPauseMs: 2 },
      transport: createInProcessTransport(gateway),
    },
  );
  return JSON.parse(JSON.stringify(report));
}

describe.each([
  ['a run', () => whole],
  ['a run in parts', () => merged],
])('%s', (_, reportOf) => {
  test('has an example for each symptom of each requirement that several responses violate', () => {
    const failures = collectFailedChecks(reportOf())
      .flatMap(({ responses }) => responses)
      .filter(({ item }) => item.suite === 'pooled');
    const nameOf = (failure: (typeof failures)[number]): string =>
      `${failure.item.id} ${failure.requirement.id} ${failure.symptom.key}`;
    const shown = failures.filter(({ evidence }) => evidence !== undefined);
    expect(new Set(failures.map(nameOf)).size).toBeGreaterThan(10);
    expect(new Set(shown.map(nameOf))).toEqual(new Set(failures.map(nameOf)));
  });

  test('contains each request of a pooled case once, and at most 30 requests', () => {
    for (const item of reportOf().cases.filter(({ suite }) => suite === 'pooled')) {
      const requests = item.exchanges.map(({ id }) => requestOf(id));
      expect(new Set(requests).size).toBe(requests.length);
      expect(requests.length).toBeLessThanOrEqual(30);
    }
  });

  test('has an exchange with the finding for each violation and each cause', () => {
    const report = reportOf();
    const found = new Map(
      report.cases.flatMap(({ id, checks }) =>
        checks.map(({ requirement, findings }) => [
          `${id} ${requirement}`,
          new Set(findings.map(({ exchange }) => exchange)),
        ]),
      ),
    );
    for (const { item, requirement, exchange } of collectFailedChecks(report))
      expect(found.get(`${item.id} ${requirement.id}`)).toContain(exchange?.id);
    const { causes } = createView(report);
    expect(causes.length).toBeGreaterThan(5);
    for (const { title, example } of causes)
      expect([
        title,
        found.get(`${example?.case} ${example?.requirement.id}`)?.has(example?.exchange.id ?? ''),
      ]).toEqual([title, true]);
  });
});
