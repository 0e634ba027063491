import type { Catalog } from '../catalog/catalog.ts';
import { readMember } from '../catalog/pointer.ts';
import type { JudgedCase, JudgedObligation } from '../judge/assess.ts';
import { type Outcome, worst } from '../judge/outcome.ts';
import type { Estimate } from '../plan/estimate.ts';
import { answerOf, type Exchange } from '../send/exchange.ts';
import type { Execution } from '../send/execute.ts';
import { type DescribeContext, describeExchange } from './describe-exchange.ts';
import { diagnose } from './diagnose.ts';
import { redactAll } from './redact.ts';
import type {
  CaseReport,
  Counts,
  ObligationReport,
  Observation,
  Report,
  RequirementReport,
} from './report.ts';
import { wordFinding } from './wording.ts';

/** What a report is made of. */
export interface ReportParts extends DescribeContext {
  readonly catalog: Catalog;
  readonly tool: Report['tool'];
  readonly judged: readonly JudgedCase[];
  readonly execution: Execution;
  readonly estimate: Estimate;
  readonly sent: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly interrupted: boolean;
}

/** The most exchanges that a pooled case shows of those its findings point to. */
const shownOfPool = 10;

/** The report of a run, in the order of the plan; keys are redacted here and nowhere else. */
export function buildReport(parts: ReportParts): Report {
  const { catalog, judged, redact, execution } = parts;
  const checked = judged.filter((item) => item.obligations.length > 0);
  const cases = checked.map((item) => caseReport(item, parts));
  const requirements = requirementReports(catalog, checked);
  const summary = { cases: count(cases), requirements: count(requirements) };
  return {
    schemaVersion: 1,
    tool: parts.tool,
    spec: { revision: catalog.revision },
    target: { baseUrl: parts.baseUrl },
    startedAt: new Date(parts.startedAt).toISOString(),
    durationMs: Math.round(parts.durationMs),
    verdict: verdictOf(summary.cases, requirements),
    diagnosis: redactAll(diagnose(execution, parts.baseUrl), redact),
    interrupted: parts.interrupted,
    requests: { ...parts.estimate, sent: parts.sent },
    summary,
    requirements,
    cases,
    observations: redactAll([...judged.flatMap(openPoints), ...unstable(execution)], redact),
  };
}

/** Violated where anything is; inconclusive where a `must` was, or nothing was judged. */
function verdictOf(cases: Counts, requirements: readonly RequirementReport[]): Report['verdict'] {
  if (cases.violates > 0) return 'violates';
  const open = requirements.some((item) => item.level === 'must' && item.outcome === 'inconclusive');
  return open || cases.conforms + cases.warns === 0 ? 'inconclusive' : 'conforms';
}

function caseReport(
  { planned, exchanges, obligations, outcome }: JudgedCase,
  parts: ReportParts,
): CaseReport {
  const shown = planned.pool ? exchanges.slice(0, shownOfPool) : exchanges;
  return {
    id: planned.id,
    suite: planned.suite,
    about: planned.about,
    facts: planned.facts,
    outcome,
    obligations: obligations.map((item) => redactAll(obligationReport(item), parts.redact)),
    exchanges: shown.map((exchange) => describeExchange(exchange, parts)),
  };
}

function obligationReport({ obligation, verdict }: JudgedObligation): ObligationReport {
  return {
    requirement: obligation.requirement.id,
    outcome: verdict.outcome,
    findings: verdict.findings.map(({ exchange, finding }) => ({
      exchange,
      message: wordFinding(finding),
      finding,
    })),
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
    ...(verdict.add !== undefined && { add: verdict.add }),
  };
}

function requirementReports(catalog: Catalog, judged: readonly JudgedCase[]): RequirementReport[] {
  const byRequirement = new Map<string, { outcomes: Outcome[]; cases: string[] }>();
  for (const { planned, obligations } of judged) {
    for (const { obligation, verdict } of obligations) {
      const entry = byRequirement.get(obligation.requirement.id) ?? { outcomes: [], cases: [] };
      entry.outcomes.push(verdict.outcome);
      entry.cases.push(planned.id);
      byRequirement.set(obligation.requirement.id, entry);
    }
  }
  return catalog.ledger.requirements.flatMap(({ id, clause, level, says }) => {
    const entry = byRequirement.get(id);
    return entry
      ? [{ id, clause: clause.join('; '), level, says, outcome: worst(entry.outcomes), cases: entry.cases }]
      : [];
  });
}

function count(items: readonly { readonly outcome: Outcome }[]): Counts {
  const of = (outcome: Outcome): number => items.filter((item) => item.outcome === outcome).length;
  return {
    planned: items.length,
    conforms: of('conforms'),
    violates: of('violates'),
    warns: of('warns'),
    inconclusive: of('inconclusive'),
    notApplicable: of('not-applicable'),
  };
}

function openPoints({ planned, exchanges }: JudgedCase): Observation[] {
  const last = exchanges.at(-1);
  if (!last) return [];
  return planned.observes.map((entry) => ({
    kind: 'open-point',
    case: planned.id,
    about: entry.reason,
    clause: entry.clause.join('; '),
    seen: see(last),
  }));
}

/** Requests that were first answered 5xx, or not at all, and well when sent again. */
function unstable({ exchanges, others }: Execution): Observation[] {
  return [...[...exchanges.values()].flat(), ...others]
    .filter(({ earlier, result }) => {
      const recovered =
        result.kind === 'answer' && result.answer.status < 500 && result.answer.status !== 429;
      return recovered && earlier.some((item) => item.kind === 'failure' || item.answer.status >= 500);
    })
    .map((exchange) => ({
      kind: 'unstable',
      case: exchange.id,
      about: 'The same request was first answered 5xx, or not at all, and otherwise when it was sent again.',
      clause: '7.3 rule 2',
      seen: [
        ...exchange.earlier.map((item) =>
          item.kind === 'answer' ? String(item.answer.status) : item.failure.detail,
        ),
        see(exchange),
      ].join(', then '),
    }));
}

function see(exchange: Exchange): string {
  const answer = answerOf(exchange);
  if (!answer)
    return exchange.result.kind === 'failure' ? `no answer (${exchange.result.failure.detail})` : 'no answer';
  const { content } = answer;
  const type =
    content.kind === 'json'
      ? (readMember(content.value, '/error/type') ?? readMember(content.value, '/error/code'))
      : undefined;
  return typeof type === 'string' ? `${answer.status} ${type}` : String(answer.status);
}
