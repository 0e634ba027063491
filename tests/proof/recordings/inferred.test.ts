import { beforeAll, describe, expect, test } from 'vitest';
import { packageInfo } from '../../../common/package-info.ts';
import { faults, variants } from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Profile } from '../../../runner/profile/profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import type { CaseReport, Report } from '../../../runner/report/report.ts';
import { createTrafficChecker } from '../../../runner/traffic/check-traffic.ts';
import type { RecordedExchange } from '../../../runner/traffic/recordings/recorded-exchange.ts';
import { recordRun } from '../../support/gateways/record-run.ts';
import { failuresIn, profileWith } from '../../support/recorded-exchange.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

/** Returns the report of `check` for exchanges that contain only the requests and the responses. */
function checkReport(profile: Profile, exchanges: readonly RecordedExchange[]): Report {
  const checker = createTrafficChecker({
    source: 'recording',
    promise: createPromise(catalog, profile),
    tool: packageInfo,
  });
  for (const exchange of exchanges) checker.learn(exchange);
  for (const exchange of exchanges) checker.judge(exchange);
  return checker.report();
}

/** Returns the failures in the report of `checkReport`. */
const check = (profile: Profile, exchanges: readonly RecordedExchange[]): string[] =>
  failuresIn(checkReport(profile, exchanges));

/** Returns every nth item, or all items if `CHECK_ALL` is set. With all items, the tests can take more than an hour. */
const sample = <T>(all: readonly T[], every: number): T[] =>
  all.filter((_, index) => process.env.CHECK_ALL !== undefined || index % every === 0);

/** Faults that requests and responses alone do not show, with the reasons. */
const notJudgeable: readonly { readonly ids: RegExp; readonly because: string }[] = [
  {
    ids: /unlisted-(answered|called)|near-miss\/model-|beginning-is-enough/,
    because: 'An unlisted model may be an alias.',
  },
  {
    ids: /wrong-method|unknown-path|web-page/,
    because: 'The path may belong to another endpoint.',
  },
  { ids: /billing\/limit-/, because: 'The limit of the gateway is not known.' },
  {
    ids: /conforming-request\/(?!error-in)|stream\/refused-by/,
    because: 'A gateway may refuse certain content.',
  },
  { ids: /model-list\/(suggests|echoes)/, because: 'A model may be temporarily unavailable.' },
  {
    ids: /shared-state\/(balance|valid-key|wrong-key)/,
    because: 'The balance may have changed, and another key may have been used.',
  },
  {
    ids: /record-absent|record-foreign.*403/,
    because: 'Whether a record exists is not known, or a guard may refuse.',
  },
  { ids: /^lifecycle\//, because: 'The time of a deletion or a top-up is not known.' },
  { ids: /balance\/429|chat.*-503$/, because: 'A limit may apply, or the load may be too high.' },
  { ids: /-500$|crash/, because: 'A server error may pass, unless the same request fails again later.' },
  {
    ids: /trusted-header|body-member/,
    because: 'A header or member that is not specified may carry a credential.',
  },
  { ids: /forbidden/, because: 'A server in front of the gateway may refuse a request with 403.' },
  { ids: /stream\/(absent|not-allowed)/, because: 'A gateway may not offer an endpoint.' },
];

/**
 * Whether the profile shows that a key is the valid key with appended text, or that a second part of the request is
 * faulty.
 */
function contradicts({ attributes, checks }: CaseReport): boolean {
  return (
    attributes.key === 'followed' ||
    checks.some(({ requirement }) => requirement === 'requests/several-faults')
  );
}

describe('check without the notes of the suite', () => {
  test.each(sample(variants, 120).map(({ id, setup }) => ({ id, setup })))(
    '$id: reports no violation, and only the warnings of the run',
    async ({ setup }) => {
      const { failures: known, profile, exchanges } = await recordRun(catalog, setup);
      const isNew = (failure: string): boolean => !known.includes(failure);
      expect(check(profile, exchanges).filter(isNew)).toEqual([]);
      // Without a profile, a default path may be the path of another endpoint.
      const isViolation = (failure: string): boolean => failure.startsWith('violates') && isNew(failure);
      expect(check(profileWith(catalog), exchanges).filter(isViolation)).toEqual([]);
    },
  );

  test('finds 95 % of the faults that traffic can show with a profile, and 75 % without a profile', {
    timeout: 7_200_000,
  }, async () => {
    const judgeable = sample(faults, 6).filter(({ id }) => notJudgeable.every(({ ids }) => !ids.test(id)));
    const missed: Record<'with' | 'without', string[]> = { with: [], without: [] };
    for (const { id, setup, violates } of judgeable) {
      const { failures: known, profile, exchanges } = await recordRun(catalog, setup, { only: violates });
      const isMissed = (found: readonly string[]): boolean =>
        !found.some((failure) => failure.startsWith('violates') || known.includes(failure));
      if (isMissed(check(profile, exchanges))) missed.with.push(id);
      if (isMissed(check(profileWith(catalog), exchanges))) missed.without.push(id);
    }
    expect(missed.with.length, missed.with.join(', ')).toBeLessThanOrEqual(
      Math.ceil(judgeable.length * 0.05),
    );
    expect(missed.without.length, missed.without.join(', ')).toBeLessThanOrEqual(judgeable.length * 0.25);
  });

  test.each(sample(faults, 120).map(({ id, setup, violates }) => ({ id, setup, violates })))(
    '$id: reports an exchange with a profile if the exchange is reported without a profile',
    { timeout: 900_000 },
    async ({ setup, violates }) => {
      const { profile, exchanges } = await recordRun(catalog, setup, { only: violates });
      const isViolation = (failure: string): boolean => failure.startsWith('violates');
      // Each exchange needs two checks of its own.
      for (const exchange of sample(exchanges, 4)) {
        if (!check(profileWith(catalog), [exchange]).some(isViolation)) continue;
        const report = checkReport(profile, [exchange]);
        if (report.cases.some(contradicts)) continue;
        expect([exchange, failuresIn(report).filter(isViolation)]).not.toEqual([exchange, []]);
      }
    },
  );
});
