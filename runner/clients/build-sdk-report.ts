import { packageInfo } from '../../common/package-info.ts';
import { formatOneLine } from '../../common/printable.ts';
import { type Clauses, quotesOf, type Section } from '../catalog/clauses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { kindOf } from '../judge/failure-kind.ts';
import type { Finding } from '../judge/finding.ts';
import { findWorstOutcome, isFailed } from '../judge/outcome.ts';
import { severityOf } from '../judge/severity.ts';
import { sumDurations } from '../report/case-report.ts';
import { type DescribeContext, describeExchange, describeFinding } from '../report/describe-exchange.ts';
import { type Redact, redactAll, redactRest } from '../report/redaction/redact.ts';
import type { CaseReport, CheckReport, Diagnosis, Report } from '../report/report.ts';
import { summarizeRules } from '../report/summarize.ts';
import type { SdkVerdict } from './judge-valid-call.ts';
import type { SdkCase } from './plan-sdk-cases.ts';
import type { SdkSpec } from './sdk-spec.ts';

/** A case with its exchanges and its verdicts, one for each requirement of the case. */
export interface JudgedSdkCase {
  readonly planned: SdkCase;
  /** The versions of the packages of the SDK; empty if the SDK is not available. */
  readonly versions: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
  readonly verdicts: readonly SdkVerdict[];
}

/** The judged cases and the other content of the report. `startedAt` is in milliseconds since 1970-01-01 UTC. */
export interface SdkReportParts extends DescribeContext {
  readonly spec: SdkSpec;
  readonly clauses: Clauses;
  readonly sections: readonly Section[];
  readonly judged: readonly JudgedSdkCase[];
  readonly requests: Report['requests'];
  readonly diagnosis: readonly Diagnosis[];
  readonly startedAt: number;
  readonly durationMs: number;
  readonly stopped: Report['stopped'];
}

/** Builds the report of the SDK cases, in plan order and in the format of a run's report. */
export function buildSdkReport(parts: SdkReportParts): Report {
  const { spec, judged, redact } = parts;
  const cases = judged.map((item) => createCaseReport(item, parts));
  const rules = spec.requirements.map(({ id, clause, level, says, expects }) => ({
    id,
    clause: clause.join('; '),
    quotes: quotesOf(parts.clauses, clause),
    level,
    says,
    expects,
  }));
  return {
    schemaVersion: 1,
    tool: packageInfo,
    spec: { revision: spec.revision, sections: parts.sections },
    target: { baseUrl: parts.baseUrl },
    startedAt: new Date(parts.startedAt).toISOString(),
    durationMs: Math.round(parts.durationMs),
    ...summarizeRules(rules, cases),
    diagnosis: redactAll(parts.diagnosis, redactRest(redact)),
    stopped: parts.stopped,
    shard: null,
    rounds: 1,
    baseline: null,
    requests: parts.requests,
    cases,
    others: [],
    observations: [],
  };
}

function createCaseReport(item: JudgedSdkCase, parts: SdkReportParts): CaseReport {
  const { planned, versions, exchanges, verdicts } = item;
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const checks = planned.requirements.flatMap((requirement, index): CheckReport[] => {
    const verdict = verdicts[index];
    return verdict ? [createCheckReport(item, requirement, verdict, parts.redact)] : [];
  });
  return {
    id: planned.id,
    suite: 'clients',
    about: planned.about,
    attributes: {
      client: planned.driver.id,
      ...(packages.length > 0 && { packages: packages.join(', ') }),
      ...planned.given,
    },
    outcome: findWorstOutcome(checks.map(({ outcome }) => outcome)),
    durationMs: sumDurations(exchanges),
    checks,
    exchanges: exchanges.map((exchange) => describeExchange(exchange, parts)),
  };
}

function createCheckReport(
  { planned, exchanges }: JudgedSdkCase,
  requirement: string,
  { outcome, findings, reason }: SdkVerdict,
  redact: Redact,
): CheckReport {
  const exchange = exchanges.at(-1)?.id ?? planned.id;
  const shown = findings.map((finding) =>
    describeFinding({ exchange, finding: shortenFinding(finding, redact) }, redactRest(redact)),
  );
  const add = outcome === 'not-applicable' ? planned.notApplicable?.add : undefined;
  return {
    requirement,
    outcome,
    findings: shown,
    ...(isFailed(outcome) && { severity: severityOf(kindOf(findings, 'unknown'), outcome) }),
    ...(reason !== undefined && { reason: formatOneLine(redact(reason, 301), 300) }),
    ...(add !== undefined && { add }),
  };
}

/** Shortens the texts of a finding, which may quote the gateway. Redacts first, so that no part of a key remains. */
function shortenFinding(finding: Finding, redact: Redact): Finding {
  if (finding.kind !== 'wrong-attribute') return finding;
  const { expected, actual, client } = finding;
  const cut = (text: string, longest: number): string => formatOneLine(redact(text, longest + 1), longest);
  return {
    ...finding,
    expected: cut(expected, 160),
    actual: actual === undefined ? undefined : cut(actual, 300),
    ...(client && {
      client: { ...client, ...(client.effect !== undefined && { effect: cut(client.effect, 300) }) },
    }),
  };
}
