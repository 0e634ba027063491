import { readMember } from '../../contract/pointer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Execution } from '../execute/execute.ts';
import type { FuzzOptions } from '../fuzz/fuzz.ts';
import type { JudgedCase, JudgedObligation } from '../judge/assess.ts';
import type { RepeatedCase } from '../judge/merge-rounds.ts';
import type { Estimate } from '../plan/estimate.ts';
import { isJudged } from '../plan/plan.ts';
import type { DividedShard } from '../plan/select.ts';
import type { Stop } from '../transport/deadline.ts';
import { answerOf, type Exchange, succeeded } from '../transport/exchange.ts';
import type { FoldedModels } from './aggregate-models.ts';
import { type DescribeContext, describeExchange } from './describe-exchange.ts';
import { type DiagnoseContext, diagnose, saidOnce } from './diagnose.ts';
import { type Redact, redactAll, redactRest } from './redaction/redact.ts';
import type {
  CaseReport,
  Diagnosis,
  ExchangeReport,
  ObligationReport,
  Observation,
  Report,
} from './report.ts';
import { selectExamples } from './select-examples.ts';
import { summarize } from './summarize.ts';
import { describeFinding } from './wording.ts';

/** What a report is made of. */
export interface ReportParts extends DescribeContext {
  readonly catalog: Catalog;
  readonly tool: Report['tool'];
  readonly judged: readonly RepeatedCase[];
  readonly rounds: readonly ClosedRound[];
  readonly estimate: Estimate;
  readonly sent: number;
  readonly billed: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly stopped: Stop | undefined;
  readonly shard: DividedShard | undefined;
  /** What became of listed models, where any were asked for. */
  readonly models: FoldedModels | undefined;
  readonly fuzz: FuzzOptions | undefined;
}

/** What a report tells of a round beside its cases. */
export interface ClosedRound {
  readonly diagnosis: readonly Diagnosis[];
  readonly unsteady: readonly Observation[];
  readonly others: readonly Exchange[];
}

/** What stays of a round once its cases are judged; of a later one, what was not as it should be. */
export function closeRound(
  { execution, judged }: { readonly execution: Execution; readonly judged: readonly JudgedCase[] },
  { isFirst, ...context }: DiagnoseContext & { readonly isFirst: boolean },
): ClosedRound {
  const shown = new Set(judged.filter(({ planned }) => isJudged(planned)).map(({ planned }) => planned.id));
  const unshown = [...execution.exchanges].flatMap(([id, exchanges]) => (shown.has(id) ? [] : exchanges));
  return {
    diagnosis: diagnose(execution, context),
    unsteady: unsteady([...[...execution.exchanges.values()].flat(), ...execution.others]),
    // Who judges a report again, or a recording made of it, needs all that was seen once.
    others: isFirst ? [...execution.others, ...unshown] : execution.others.filter(wentWrong),
  };
}

/** Whether a control had no success, or had it only when it was sent again. */
function wentWrong({ result, earlier }: Exchange): boolean {
  return !succeeded(result) || earlier.length > 0;
}

/** The report of a run, in the order of the plan; keys are redacted here and nowhere else. */
export function buildReport(parts: ReportParts): Report {
  const { catalog, judged, redact, rounds, models } = parts;
  const own = judged.filter(({ planned }) => isJudged(planned)).map((item) => caseReport(item, parts));
  const cases = [...own, ...(models?.cases ?? [])];
  const { verdict, summary, requirements } = summarize(catalog, cases, models?.report);
  return {
    schemaVersion: 1,
    tool: parts.tool,
    spec: { revision: catalog.revision },
    target: {
      baseUrl: parts.baseUrl,
      ...(Object.keys(parts.keyVariables).length > 0 && { keyVariables: parts.keyVariables }),
    },
    startedAt: new Date(parts.startedAt).toISOString(),
    durationMs: Math.round(parts.durationMs),
    verdict,
    // Messages quote responses, which are redacted before they are cut.
    diagnosis: redactAll(saidOnce(rounds.flatMap((round) => round.diagnosis)), redactRest(redact)),
    stopped: redactAll(parts.stopped ?? null, redactRest(redact)),
    shard: parts.shard ?? null,
    rounds: rounds.length,
    ...(parts.fuzz && { fuzz: parts.fuzz }),
    baseline: null,
    requests: { ...parts.estimate, sent: parts.sent, billed: parts.billed },
    summary,
    requirements,
    cases,
    others: rounds.flatMap((round) => round.others).map((exchange) => describeExchange(exchange, parts)),
    observations: redactAll(
      [
        ...judged.flatMap(openPoints),
        ...rounds.flatMap((round) => round.unsteady),
        ...(models?.unsteady ?? []),
      ],
      redact,
    ),
    ...(models && { models: models.report }),
  };
}

/** A case as reports show it. */
export function caseReport(item: RepeatedCase, parts: DescribeContext): CaseReport {
  const { planned, exchanges, obligations, outcome, outcomes, unstable } = item;
  const shown = planned.pool
    ? selectExamples(
        exchanges,
        obligations.map(({ verdict }) => verdict),
      )
    : exchanges;
  return {
    id: planned.id,
    suite: planned.suite,
    about: planned.about,
    facts: planned.facts,
    outcome,
    ...(outcomes.length > 1 && { outcomes }),
    ...(unstable && { unstable: true }),
    obligations: obligations.map((item) => obligationReport(item, parts.redact)),
    // Described for those who look at them, since to find keys in every text takes its time.
    get exchanges() {
      const described = shown.map(
        (exchange): ExchangeReport => ({
          ...describeExchange(exchange, parts),
          ...(isControl(exchange, item) && { control: true }),
        }),
      );
      Object.defineProperty(this, 'exchanges', { value: described });
      return described;
    },
  };
}

/** Whether an exchange is a step of the case that isn't judged itself. */
function isControl({ id }: Exchange, { planned }: RepeatedCase): boolean {
  const step = Number.parseInt(id.slice(planned.id.length + 1), 10);
  return id.startsWith(`${planned.id}#`) && planned.steps[step - 1]?.control === true;
}

function obligationReport({ obligation, verdict }: JudgedObligation, redact: Redact): ObligationReport {
  return {
    requirement: obligation.requirement.id,
    outcome: verdict.outcome,
    findings: verdict.findings.map((item) => describeFinding(item, redact)),
    ...(verdict.reason !== undefined && { reason: redact(verdict.reason) }),
    ...(verdict.add !== undefined && { add: redact(verdict.add) }),
    ...(verdict.dependsOn !== undefined && { dependsOn: verdict.dependsOn }),
  };
}

function openPoints({ planned, exchanges }: RepeatedCase): Observation[] {
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
export function unsteady(exchanges: readonly Exchange[]): Observation[] {
  return exchanges
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
