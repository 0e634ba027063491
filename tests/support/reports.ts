import { findWorstOutcome, type Outcome } from '../../runner/judge/outcome.ts';
import type { CaseReport, CheckReport, ExchangeReport, Report } from '../../runner/report/report.ts';
import { type Rule, summarizeRules } from '../../runner/report/summarize.ts';

/** Creates an exchange with a response of status 401. */
export function createExchange(id: string, changes: Partial<ExchangeReport> = {}): ExchangeReport {
  return {
    id,
    attributes: {},
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1,
    request: { method: 'POST', url: 'http://x/v1', headers: {}, body: null },
    response: { status: 401, headers: {}, body: { text: '{}', bytes: 2 }, pieces: 1 },
    failure: null,
    earlier: [],
    traceId: null,
    curl: `curl ${id}`,
    ...changes,
  };
}

export function createCheck(
  requirement: string,
  outcome: Outcome,
  changes: Partial<CheckReport> = {},
): CheckReport {
  return { requirement, outcome, findings: [], ...changes };
}

/** Creates a case with the worst outcome of its checks. The first part of the ID names the suite. */
export function createCase(
  id: string,
  checks: readonly CheckReport[],
  changes: Partial<CaseReport> = {},
): CaseReport {
  return {
    id,
    suite: id.split('/', 1)[0] ?? '',
    about: '',
    attributes: {},
    outcome: findWorstOutcome(checks.map(({ outcome }) => outcome)),
    checks,
    exchanges: [],
    ...changes,
  };
}

/**
 * Creates the report of a finished run. The requirements, each a `must` unless `describe` says otherwise, the counts and
 * the verdict are those of the cases.
 */
export function createReport(
  cases: readonly CaseReport[],
  changes: Partial<Report> = {},
  describe: (requirement: string) => Partial<Rule> = () => ({}),
): Report {
  const ids = new Set(cases.flatMap(({ checks }) => checks.map(({ requirement }) => requirement)));
  const rules = [...ids].map(
    (id): Rule => ({ id, clause: '5', level: 'must', says: '', expects: '', ...describe(id) }),
  );
  return {
    schemaVersion: 1,
    tool: { name: 'suite', version: '1' },
    spec: { revision: '1', sections: [] },
    target: { baseUrl: 'http://x' },
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1,
    diagnosis: [],
    stopped: null,
    shard: null,
    rounds: 1,
    baseline: null,
    requests: { requests: 1, billable: 0, badKeys: 0, sent: 1 },
    ...summarizeRules(rules, cases),
    cases,
    others: [],
    observations: [],
    ...changes,
  };
}
