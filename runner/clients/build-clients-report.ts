import { packageInfo } from '../../contract/package-info.ts';
import type { Finding } from '../judge/finding.ts';
import { worst } from '../judge/outcome.ts';
import { type DescribeContext, describeExchange } from '../report/describe-exchange.ts';
import { describeFinding } from '../report/findings.ts';
import { type Redact, redactAll, redactRest } from '../report/redaction/redact.ts';
import type { CaseReport, Diagnosis, ObligationReport, Report } from '../report/report.ts';
import { summarizeRules } from '../report/summarize.ts';
import { oneLine } from '../text/printable.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { ClientLedger } from './client-ledger.ts';
import type { ClientVerdict } from './judge-valid-call.ts';
import type { ClientCase } from './plan-clients.ts';

/** A case with its outcome. */
export interface JudgedClientCase {
  readonly planned: ClientCase;
  /** The versions of the packages of the SDK, where they were found. */
  readonly versions: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
  /** One for each requirement of the case. */
  readonly verdicts: readonly ClientVerdict[];
}

/** What the report of driven SDKs is made of. */
export interface ClientsReportParts extends DescribeContext {
  readonly ledger: ClientLedger;
  readonly judged: readonly JudgedClientCase[];
  readonly requests: Report['requests'];
  readonly diagnosis: readonly Diagnosis[];
  readonly startedAt: number;
  readonly durationMs: number;
  readonly stopped: Report['stopped'];
}

/** The report of driven SDKs, in the order of the plan, in the form of that of a run. */
export function buildClientsReport(parts: ClientsReportParts): Report {
  const { ledger, judged, redact } = parts;
  const cases = judged.map((item) => caseReport(item, parts));
  const rules = ledger.requirements.map(({ clause, ...rest }) => ({ ...rest, clause: clause.join('; ') }));
  return {
    schemaVersion: 1,
    tool: packageInfo,
    spec: { revision: ledger.revision },
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

function caseReport(item: JudgedClientCase, parts: ClientsReportParts): CaseReport {
  const { planned, versions, exchanges, verdicts } = item;
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const obligations = planned.requirements.flatMap((requirement, index): ObligationReport[] => {
    const verdict = verdicts[index];
    return verdict ? [obligationReport(item, requirement, verdict, parts.redact)] : [];
  });
  return {
    id: planned.id,
    suite: 'clients',
    about: planned.about,
    facts: {
      client: planned.sdk.id,
      ...(packages.length > 0 && { packages: packages.join(', ') }),
      ...planned.given,
    },
    outcome: worst(obligations.map(({ outcome }) => outcome)),
    obligations,
    exchanges: exchanges.map((exchange) => describeExchange(exchange, parts)),
  };
}

function obligationReport(
  { planned, exchanges }: JudgedClientCase,
  requirement: string,
  { outcome, findings, reason }: ClientVerdict,
  redact: Redact,
): ObligationReport {
  const exchange = exchanges.at(-1)?.id ?? planned.id;
  const shown = findings.map((finding) =>
    describeFinding({ exchange, finding: onOneLine(finding, redact) }, redactRest(redact)),
  );
  const add = outcome === 'not-applicable' ? planned.notApplicable?.add : undefined;
  return {
    requirement,
    outcome,
    findings: shown,
    ...(reason !== undefined && { reason: oneLine(redact(reason), 300) }),
    ...(add !== undefined && { add }),
  };
}

/** What an SDK says has the gateway's words in it; redacted before it is cut, so that no piece of a key stays at a cut. */
function onOneLine(finding: Finding, redact: Redact): Finding {
  if (finding.kind !== 'wrong-fact') return finding;
  const { expected, actual, client } = finding;
  const cut = (text: string, longest: number): string => oneLine(redact(text), longest);
  return {
    ...finding,
    expected: cut(expected, 160),
    actual: actual === undefined ? undefined : cut(actual, 300),
    ...(client && {
      client: { ...client, ...(client.effect !== undefined && { effect: cut(client.effect, 300) }) },
    }),
  };
}
