import { evaluate, matches } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import { type Answer, answerOf, type Exchange, isTransient } from '../transport/exchange.ts';
import { checkResponse, type JudgeContext } from './check-response.ts';
import { type CheckedExchange, compareExchanges, explainNoResponse } from './compare-exchanges.ts';
import type { Finding } from './finding.ts';
import { readTextAt } from './locate.ts';
import type { Outcome } from './outcome.ts';

/** A finding, and the exchange in which it was made. */
export interface LocatedFinding {
  readonly exchange: string;
  readonly finding: Finding;
}

/** What became of one check. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly findings: readonly LocatedFinding[];
  /** Why it could not be judged. */
  readonly reason: string | undefined;
  /** What to add to the profile for it to be judged. */
  readonly add?: string | undefined;
  /** The requirement whose violation leaves nothing to judge here. */
  readonly dependsOn?: string | undefined;
}

/**
 * Holds exchanges that a requirement speaks of against it. Total: any status, headers and bytes come to a verdict.
 * An exchange without an answer, or with a passing one, makes it inconclusive unless another breaks it.
 */
export function judgeRequirement(
  requirement: Requirement,
  exchanges: readonly Exchange[],
  context: JudgeContext,
): Verdict {
  const { then } = requirement;
  if (then.kind === 'lists' && context.goodModels.length === 0) {
    const reason = 'No model that can be called is known.';
    return { outcome: 'not-applicable', findings: [], reason, add: 'models.chat.good' };
  }
  const looked = isPooled(requirement)
    ? exchanges.filter((exchange) => appliesTo(requirement, exchange))
    : exchanges;
  const results =
    compareExchanges(then, looked, context) ??
    looked.map((exchange) => checkExchange(requirement, exchange, context));
  return combineResults(requirement, results);
}

/** The same of one exchange, of which the requirement is known to speak. */
export function judgeExchange(requirement: Requirement, exchange: Exchange, context: JudgeContext): Verdict {
  const { then } = requirement;
  if (!isAboutOneResponse(then))
    return combineResults(requirement, compareExchanges(then, [exchange], context) ?? []);
  const looked = checkExchange(requirement, exchange, context);
  return looked.check.kind === 'passes' ? conforms : combineResults(requirement, [looked]);
}

function isPooled(requirement: Requirement): boolean {
  return requirement.over !== 'case';
}

/** Whether a pooled requirement speaks of an exchange, which must have an answer. */
export function appliesTo(requirement: Requirement, exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return (
    answer !== undefined &&
    appliesToStatus(requirement, answer.status) &&
    evaluate(requirement.when, exchange.attributes) === true &&
    appliesToBody(requirement, answer)
  );
}

/** Whether a requirement speaks of answers with that status. */
export function appliesToStatus({ when }: Requirement, status: number): boolean {
  return !when.answer?.status || isInStatusSet(when.answer.status, status);
}

/** Whether a requirement speaks of answers with such a body, whatever their status is. */
export function appliesToBody({ when }: Requirement, answer: Answer): boolean {
  const { type, string } = when.answer ?? {};
  if (type && matches(type, readTextAt(answer, '/error/type') ?? '') !== true) return false;
  return string === undefined || readTextAt(answer, string) !== undefined;
}

function checkExchange(requirement: Requirement, exchange: Exchange, context: JudgeContext): CheckedExchange {
  const answer = answerOf(exchange);
  if (!answer) return { exchange, check: { kind: 'undecided', reason: explainNoResponse(exchange) } };
  const result = checkResponse(requirement.then, exchange, answer, context);
  const excuse =
    result.kind === 'fails' && !isPooled(requirement)
      ? mitigationFor(requirement, exchange, answer)
      : undefined;
  return { exchange, check: excuse === undefined ? result : { kind: 'undecided', reason: excuse } };
}

/** Why a wrong answer says nothing of the request: it may have come from a passing condition of the gateway. */
function mitigationFor(requirement: Requirement, exchange: Exchange, answer: Answer): string | undefined {
  if (exchange.controlAfter === 'failed') {
    return `The response was ${answer.status}, and a control that had succeeded before failed right after it.`;
  }
  if (!isTransient(exchange.result)) return undefined;
  if (answer.status === 429 && requirement.transient === 'excused') {
    return 'Every response was 429, so a limit on requests may have been reached.';
  }
  return exchange.controlAfter === undefined
    ? `The response was ${answer.status}, and no control was sent after it.`
    : undefined;
}

/** What most exchanges come to, made once. */
const conforms: Verdict = { outcome: 'conforms', findings: [], reason: undefined };
/** The verdict if responses lack the part that a requirement is about. */
export const nothingToJudge: Verdict = {
  outcome: 'inconclusive',
  findings: [],
  reason: 'No response has the part that this requirement is about.',
};

function combineResults(requirement: Requirement, looked: readonly CheckedExchange[]): Verdict {
  const findings: LocatedFinding[] = [];
  let undecided: string | undefined;
  let passed = false;
  for (const { exchange, check: result } of looked) {
    if (result.kind === 'passes') passed = true;
    else if (result.kind === 'undecided') undecided ??= result.reason;
    else if (result.kind === 'fails')
      for (const finding of result.findings) findings.push({ exchange: exchange.id, finding });
  }
  if (findings.length > 0) {
    return { outcome: requirement.level === 'must' ? 'violates' : 'warns', findings, reason: undefined };
  }
  if (undecided !== undefined && !(passed && isPooled(requirement))) {
    return { outcome: 'inconclusive', findings: [], reason: undecided };
  }
  if (passed) return conforms;
  return looked.length > 0
    ? nothingToJudge
    : { outcome: 'not-applicable', findings: [], reason: 'No response matched this requirement.' };
}
