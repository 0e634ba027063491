import { readMember } from '../../common/pointer.ts';
import { answerOf, type Exchange } from '../exchange/exchange.ts';
import type { RepeatedCase } from '../judge/merge-rounds.ts';
import type { JudgedCheck } from '../judge/preconditions.ts';
import { type DescribeContext, describeExchange, describeFinding } from './describe-exchange.ts';
import type { Redact } from './redaction/redact.ts';
import type { CaseReport, CheckReport, ExchangeReport, Observation } from './report.ts';
import { selectExamples } from './select-examples.ts';

/**
 * Returns a case for a report, with keys redacted. A pooled case contains only examples of its exchanges. If
 * `showsExchanges` is false, the case contains no exchanges.
 */
export function buildCaseReport(
  item: RepeatedCase,
  parts: DescribeContext,
  { showsExchanges = true }: { readonly showsExchanges?: boolean } = {},
): CaseReport {
  const { planned, exchanges, checks, outcome, outcomes, unstable } = item;
  return {
    id: planned.id,
    suite: planned.suite,
    about: planned.about,
    attributes: planned.attributes,
    outcome,
    ...(outcomes.length > 1 && { outcomes }),
    ...(unstable && { unstable: true }),
    durationMs: sumDurations(planned.pool ? [] : exchanges),
    checks: checks.map((item) => checkReport(item, parts.redact)),
    exchanges: (showsExchanges ? selectShownExchanges(item) : []).map(
      (exchange): ExchangeReport => ({
        ...describeExchange(exchange, parts),
        ...(isControl(exchange, item) && { control: true }),
      }),
    ),
  };
}

function selectShownExchanges({ planned, exchanges, checks }: RepeatedCase): readonly Exchange[] {
  return planned.pool
    ? selectExamples(
        exchanges,
        checks.map(({ verdict }) => verdict),
      )
    : exchanges;
}

/** Returns the sum of the durations in milliseconds, rounded to a tenth. */
export function sumDurations(exchanges: readonly Pick<Exchange, 'durationMs'>[]): number {
  return Math.round(exchanges.reduce((sum, { durationMs }) => sum + durationMs, 0) * 10) / 10;
}

function isControl({ id }: Exchange, { planned }: RepeatedCase): boolean {
  const step = Number.parseInt(id.slice(planned.id.length + 1), 10);
  return id.startsWith(`${planned.id}#`) && planned.steps[step - 1]?.control === true;
}

function checkReport({ check, verdict }: JudgedCheck, redact: Redact): CheckReport {
  return {
    requirement: check.requirement.id,
    outcome: verdict.outcome,
    findings: verdict.findings.map((item) => describeFinding(item, redact)),
    ...(verdict.severity !== undefined && { severity: verdict.severity }),
    ...(verdict.reason !== undefined && { reason: redact(verdict.reason) }),
    ...(verdict.add !== undefined && { add: redact(verdict.add) }),
    ...(verdict.dependsOn !== undefined && { dependsOn: verdict.dependsOn }),
    ...(verdict.declared && { declared: verdict.declared }),
  };
}

/**
 * Returns an observation for each point that the specification leaves open in a case; empty if the case has no
 * exchange.
 */
export function observeOpenPoints({ planned, exchanges }: RepeatedCase): Observation[] {
  const last = exchanges.at(-1);
  if (!last) return [];
  return planned.observes.map((entry) => ({
    kind: 'open-point',
    case: planned.id,
    about: entry.reason,
    clause: entry.clause.join('; '),
    seen: formatResult(last),
  }));
}

/**
 * Returns an observation for each request whose attempts include a 5xx or a missing response, and whose result is a
 * response other than 5xx and 429.
 */
export function findUnsteadyRequests(exchanges: readonly Exchange[]): Observation[] {
  return exchanges
    .filter(({ earlier, result }) => {
      const recovered =
        result.kind === 'answer' && result.answer.status < 500 && result.answer.status !== 429;
      return recovered && earlier.some((item) => item.kind === 'failure' || item.answer.status >= 500);
    })
    .map((exchange) => ({
      kind: 'unstable',
      case: exchange.id,
      about:
        'The attempts of the request had different results: a 5xx or no response, and a response other than 5xx and 429.',
      clause: '7.3 rule 2',
      seen: [
        ...exchange.earlier.map((item) =>
          item.kind === 'answer' ? String(item.answer.status) : item.failure.detail,
        ),
        formatResult(exchange),
      ].join(', then '),
    }));
}

function formatResult(exchange: Exchange): string {
  const answer = answerOf(exchange);
  if (!answer)
    return exchange.result.kind === 'failure'
      ? `no response (${exchange.result.failure.detail})`
      : 'no response';
  const { content } = answer;
  const type =
    content.kind === 'json'
      ? (readMember(content.value, '/error/type') ?? readMember(content.value, '/error/code'))
      : undefined;
  return typeof type === 'string' ? `${answer.status} ${type}` : String(answer.status);
}
