import { expect, onTestFinished, test } from 'vitest';
import { createReferenceServer } from '../../../reference-server/create-reference-server.ts';
import type { Overrides } from '../../../reference-server/gateway/decisions.ts';
import { createErrorResponse } from '../../../reference-server/gateway/errors.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { defaultRetryPolicy, type RetryPolicy } from '../../../runner/exchange/retry-policy.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import type { RunOptions } from '../../../runner/run/options.ts';
import { runSuite } from '../../../runner/run/run.ts';

const catalog = await catalogOfPackage();

type Limit = { readonly requests: number; readonly withinMs: number; readonly message: string };

/** Refuses all requests of a window after the first `requests`, whatever their keys. */
function limitAll({ requests, withinMs, message }: Limit, onRefused: () => void): Overrides {
  let times: number[] = [];
  return (base) => ({
    finish: (response, ctx) => {
      times = times.filter((time) => ctx.now - time < withinMs);
      if (times.length < requests) {
        times.push(ctx.now);
        return response;
      }
      onRefused();
      const failure = { kind: 'too-frequent', retryAfter: 1 } as const;
      const refused = createErrorResponse(
        failure,
        { ...ctx, failure },
        { ...base, errorMessageOf: () => message },
      );
      return {
        ...refused,
        headers: refused.headers.filter(([name]) => name.toLowerCase() !== 'retry-after'),
      };
    },
  });
}

/** Runs the suite against the reference gateway with these decisions. */
async function run(
  decisions: Overrides,
  options: RunOptions & { readonly policy?: Partial<RetryPolicy> },
): Promise<Report> {
  const server = await createReferenceServer({ decisions, profile: {} });
  onTestFinished(server.close);
  const { setup: _, ...stated } = server.profile;
  const { policy, ...rest } = options;
  return runSuite(createPromise(catalog, parseProfile(stated, catalog)), {
    ...rest,
    retryPolicy: { ...defaultRetryPolicy, firstPauseMs: 2, retriesOf429: 0, ...policy },
  });
}

const rejectedKeys = {
  suites: [],
  only: ['auth/rejected-key/operation=chat*', 'auth/rejected-key/operation=models*'],
};
const kinds = ({ diagnosis }: Report): string[] => diagnosis.map(({ kind }) => kind);
const isJudged = ({ cases }: Report): boolean => cases.every(({ outcome }) => outcome !== 'inconclusive');

test('a limit that the gateway states is reported with the rate that fits', async () => {
  const message = 'Limit exceeded: 60 requests per 3 seconds.';
  let refused = 0;
  const limited = (): Overrides => limitAll({ requests: 60, withinMs: 3000, message }, () => (refused += 1));
  const report = await run(limited(), { ...rejectedKeys });
  expect(kinds(report)).toEqual(['rate-limited']);
  expect(report.diagnosis[0]?.message).toContain(`(429 "${message}")`);
  expect(report.verdict).not.toBe('violates');
  expect(isJudged(report)).toBe(false);
  expect(report.diagnosis[0]?.message).toContain('Run with `--rate 18/s`.');
  refused = 0;
  const slower = await run(limited(), { ...rejectedKeys, perSecond: 18 });
  expect([kinds(slower), refused, isJudged(slower)]).toEqual([[], 0, true]);
}, 30_000);

test('a limit that was reached before the first wrong key is no lock-out', async () => {
  const limit = { requests: 30, withinMs: 60_000, message: 'Too many requests.' };
  const only = ['requests/chat-body/operation=chat/*', ...rejectedKeys.only];
  const report = await run(
    limitAll(limit, () => {}),
    { only },
  );
  expect(kinds(report)).toEqual(['rate-limited']);
  expect(report.diagnosis[0]?.message).toMatch(
    /It served \d+ requests in 60 s and then returned 429\. Run with `--rate \d+\/m`\.$/,
  );
}, 30_000);

test('a 429 after wrong keys that states no limit may be a lock-out', async () => {
  let wrong = 0;
  const lockOut: Overrides = (base) => ({
    finish: (response, ctx) => {
      if (ctx.failure?.kind === 'bad-key') wrong += 1;
      if (wrong < 20) return response;
      const failure = { kind: 'too-frequent', retryAfter: 1 } as const;
      return createErrorResponse(
        failure,
        { ...ctx, failure },
        { ...base, errorMessageOf: () => 'Too many requests.' },
      );
    },
  });
  expect(new Set(kinds(await run(lockOut, { ...rejectedKeys })))).toEqual(new Set(['locked-out']));
});

test('a safe run obeys a limit that the gateway states', async () => {
  const message = 'Limit exceeded: 6 requests per 2 seconds.';
  let refused = 0;
  const report = await run(
    limitAll({ requests: 6, withinMs: 2000, message }, () => (refused += 1)),
    {
      safe: true,
      policy: { retriesOf429: 4 },
      only: ['models/unlisted/operation=chat/*'],
    },
  );
  expect(isJudged(report)).toBe(true);
  expect(kinds(report)).toEqual([]);
  // The first 429 states the limit. At 5 requests a second, one request in three would be refused.
  expect(refused).toBeLessThanOrEqual(6);
}, 60_000);

test('a request that gets 429 is sent again only by the retries, although its control succeeds', async () => {
  const report = await run(
    (base) => ({
      errorStatusOf: (failure, ctx) =>
        failure.kind === 'low-balance' ? 429 : base.errorStatusOf(failure, ctx),
    }),
    { only: ['balance/*/operation=chat*'] },
  );
  const refused = report.cases.filter(({ suite, outcome }) => suite === 'balance' && outcome === 'violates');
  const exchanges = refused.flatMap((item) => item.exchanges);
  expect(exchanges).not.toEqual([]);
  expect(exchanges.filter(({ earlier }) => earlier.length > 0)).toEqual([]);
});
