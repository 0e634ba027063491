import { beforeAll, describe, expect, test } from 'vitest';
import { applyRulesToGateway } from '../../../reference-server/apply-rules.ts';
import { combineSetups, faults, type ReferenceServerOptions } from '../../../reference-server/index.ts';
import type { Rule } from '../../../reference-server/rules/rule.ts';
import { createRules } from '../../../reference-server/rules/rules.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { applyDeviations } from '../../../runner/gate/apply-deviations.ts';
import { decideGate } from '../../../runner/gate/exit-code.ts';
import { isGrave, type Severity } from '../../../runner/judge/severity.ts';
import type { StatedProfile } from '../../../runner/profile/profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

/** Own names and statuses of errors, an absent member, and another response. */
const deviations: NonNullable<StatedProfile['deviations']> = [
  {
    types: {
      missing_auth_credential: 'authentication_error',
      invalid_api_key: 'authentication_error',
      invalid_bearer_token: 'authentication_error',
      model_not_available: { name: 'model_not_found', status: 404 },
      model_not_supported: { name: 'model_not_found', status: 404 },
      insufficient_balance: 'insufficient_quota',
    },
    reason: "OpenAI's names",
  },
  { codes: { not_found: 'no_such_record' } },
  { requirement: 'model-error/trace-id-present', instead: 'absent' },
  { requirement: 'billing/rate-limit', instead: { status: 503 } },
];

const isModelError = { surface: ['model', 'list'] } as const;
const withoutTrace = { body: { '/trace_id': { remove: true } } };

/** What makes the reference gateway do all of this. */
const rules: readonly Rule[] = [
  {
    match: { refused: ['missing-credential', 'bad-key'], ...isModelError },
    change: { type: 'authentication_error', ...withoutTrace },
  },
  { match: { refused: ['missing-credential', 'bad-key'] }, change: { type: 'authentication_error' } },
  {
    match: { refused: ['unknown-model', 'unavailable-model', 'unsupported-model'] },
    change: { status: 404, type: 'model_not_found', ...withoutTrace },
  },
  { match: { refused: 'low-balance' }, change: { type: 'insufficient_quota', ...withoutTrace } },
  { match: { refused: 'unknown-record' }, change: { code: 'no_such_record' } },
  { match: { refused: 'too-frequent' }, change: { status: 503 } },
  { match: { refused: true, ...isModelError }, change: withoutTrace },
];

const deviating = (...more: readonly ReferenceServerOptions[]): ReferenceServerOptions =>
  combineSetups([...more, applyRulesToGateway(createRules([...rules]))]);

const today = '2027-01-31';
const judge = (setup: () => ReferenceServerOptions, declared: StatedProfile['deviations']): Promise<Report> =>
  reportOn(catalog, setup, { deviations: declared });
const idsWith = (report: Report, ...outcomes: readonly string[]): string[] =>
  report.requirements.flatMap(({ id, outcome }) => (outcomes.includes(outcome) ? [id] : []));

describe('a gateway that does what it declares', () => {
  let declared: Report;
  let undeclared: Report;
  beforeAll(async () => {
    declared = applyDeviations(await judge(() => deviating(), deviations), today);
    undeclared = await judge(() => deviating(), []);
  }, 120_000);

  test('deviates as declared, and violates nothing', () => {
    expect(idsWith(declared, 'violates', 'inconclusive')).toEqual([]);
    expect(decideGate(declared).result).toBe('as-declared');
    expect(declared.deviations?.problems).toEqual([]);
    expect(declared.deviations?.parts.filter(({ used }) => used === 0)).toEqual([]);
  });
  test('violates without the declarations what it otherwise deviates from', () => {
    const violated = idsWith(undeclared, 'violates');
    expect(violated.length).toBeGreaterThan(10);
    expect(violated.filter((id) => !idsWith(declared, 'deviates').includes(id))).toEqual([]);
  });
});

test('a conforming gateway conforms, and every declaration is stale', async () => {
  const report = applyDeviations(await judge(() => ({}), deviations), today);
  expect(idsWith(report, 'violates', 'deviates')).toEqual([]);
  expect(decideGate(report).result).toBe('deviations-outdated');
  expect(report.deviations?.problems.map(({ status }) => status)).toEqual(
    report.deviations?.parts.map(() => 'stale'),
  );
}, 60_000);

test('a declaration that has expired fails the run', async () => {
  const [first] = deviations;
  const expired = [{ ...first, until: '2027-01-30' }, ...deviations.slice(1)] as typeof deviations;
  const report = applyDeviations(await judge(() => deviating(), expired), today);
  expect(new Set(report.deviations?.problems.map(({ status }) => status))).toEqual(new Set(['expired']));
}, 60_000);

describe('a declaration removes no violation that is not about it', () => {
  // A rate limit that is reached at another time than before would make a difference.
  const steady = rules.filter(({ match }) => match?.refused !== 'too-frequent');
  const sample = faults.filter((_, index) => index % 12 === 0);
  let ownDeviations: readonly string[];
  beforeAll(async () => {
    ownDeviations = idsWith(await judge(() => deviating(), deviations), 'deviates');
  }, 60_000);

  test.each(sample)(
    '$id',
    async (fault) => {
      const setup = (): ReferenceServerOptions =>
        combineSetups([fault.setup(), applyRulesToGateway(createRules([...steady]))]);
      const options = { only: fault.violates };
      const without = await reportOn(catalog, setup, options);
      const declared = await reportOn(catalog, setup, { ...options, deviations });
      const kept = listViolated(declared);
      const hidden = listViolated(without).filter(
        ({ id, requirement, severity }) =>
          (isGrave(severity) || !ownDeviations.includes(requirement)) && !kept.some((one) => one.id === id),
      );
      expect(hidden).toEqual([]);
    },
    60_000,
  );
});

const listViolated = (report: Report): { id: string; requirement: string; severity: Severity }[] =>
  report.cases.flatMap((item) =>
    item.checks.flatMap(({ requirement, outcome, severity = 'unauthorized-access' }) =>
      outcome === 'violates' ? [{ id: `${item.id} ${requirement}`, requirement, severity }] : [],
    ),
  );
