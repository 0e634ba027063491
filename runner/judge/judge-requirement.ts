import { type Attributes, evaluate, matches } from '../catalog/condition.ts';
import { type Expectation, isAboutOneResponse } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import { isErrorInSuccess } from '../evidence/attribution.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../exchange/exchange.ts';
import { isTransientResult, readAnswer } from '../exchange/reading.ts';
import { asksForPause, defaultRetryPolicy, parseRetryAfter } from '../exchange/retry-policy.ts';
import { checkResponse, type JudgeContext } from './check-response.ts';
import { type CheckedExchange, compareExchanges, explainNoResponse } from './compare-exchanges.ts';
import { kindOfExchange } from './failure-kind.ts';
import { type CheckResult, type Finding, fail } from './finding.ts';
import { formatExpectation } from './format-expectation.ts';
import { readTextAt, readValueAt } from './locate.ts';
import { isFailed, isKept, nothingMatched, type Outcome } from './outcome.ts';
import { findMostSevere, type Severity, severityOf } from './severity.ts';

/** A finding, and the ID of the exchange with the finding; empty if the profile alone shows it. */
export interface LocatedFinding {
  readonly exchange: string;
  readonly finding: Finding;
}

/**
 * The outcome of one check. `findings` is empty unless the check failed. `reason` explains an inconclusive or not
 * applicable check, and is undefined otherwise.
 */
export interface Verdict {
  readonly outcome: Outcome;
  readonly findings: readonly LocatedFinding[];
  /** The highest severity of the findings; undefined unless the check failed. */
  readonly severity?: Severity | undefined;
  readonly reason: string | undefined;
  /** The property to add to the profile so that the check can be judged; undefined if no addition helps. */
  readonly add?: string | undefined;
  /**
   * The ID of the violated requirement that makes this check impossible; undefined if no other requirement is the
   * reason.
   */
  readonly dependsOn?: string | undefined;
  /** The IDs of the declared deviations that responses need. */
  readonly declared?: readonly string[] | undefined;
}

/**
 * Judges a requirement by exchanges. If any exchange violates the requirement, the outcome is `violates` or, for a
 * `should`, `warns`. Without a violation, an exchange that proves nothing, such as an exchange without a response,
 * can make the check inconclusive. A pooled check still conforms if another exchange satisfies the requirement. A
 * pooled requirement is judged only by the exchanges to which the requirement applies. If the requirement applies to
 * no exchange, the requirement is not applicable. If no response contains the part to check, the check is
 * inconclusive or, for the kind `distinct`, not applicable. Without a known model, a requirement on the contents of
 * the model list is not applicable.
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
  const checked = isPooled(requirement)
    ? exchanges.filter((exchange) => appliesTo(requirement, exchange))
    : exchanges;
  return judgeTogether(requirement, checked, context);
}

/** Judges a requirement by the exchanges to which it applies. */
function judgeTogether(
  requirement: Requirement,
  exchanges: readonly Exchange[],
  context: JudgeContext,
): Verdict {
  const { id, then, instead } = requirement;
  const compared = compareExchanges(then, exchanges, context);
  if (!compared)
    return combineResults(
      requirement,
      exchanges.map((exchange) => checkExchange(requirement, exchange, context)),
    );
  const specified = combineResults(requirement, compared);
  if (!instead) return specified;
  const promised = combineResults(requirement, compareExchanges(instead, exchanges, context) ?? []);
  if (isKept(promised.outcome))
    return { outcome: 'deviates', findings: [], reason: undefined, declared: [id] };
  if (!isKept(specified.outcome)) return isFailed(promised.outcome) ? promised : specified;
  const [first] = exchanges;
  const check = fail({ kind: 'not-as-declared', declared: formatExpectation(instead) });
  return first ? combineResults(requirement, [{ exchange: first, check }]) : specified;
}

/** Judges a requirement by one exchange. The caller must ensure that the requirement applies to the exchange. */
export function judgeExchange(requirement: Requirement, exchange: Exchange, context: JudgeContext): Verdict {
  const { then } = requirement;
  if (!isAboutOneResponse(then)) return judgeTogether(requirement, [exchange], context);
  const checked = checkExchange(requirement, exchange, context);
  return checked.check.kind === 'passes' ? conformingVerdict : combineResults(requirement, [checked]);
}

function isPooled(requirement: Requirement): boolean {
  return requirement.over !== 'case';
}

/**
 * Whether a pooled requirement applies to an exchange. To an exchange without a response, only a requirement on its
 * connection applies.
 */
export function appliesTo(requirement: Requirement, exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  if (!answer && followsRefusal(exchange)) return evaluate(requirement.when, exchange.attributes) === true;
  return (
    answer !== undefined &&
    appliesToStatus(requirement, answer.status) &&
    evaluate(requirement.when, exchange.attributes) === true &&
    appliesToBody(requirement, answer, exchange.attributes)
  );
}

/**
 * Whether the condition of a requirement on the status is satisfied. A requirement without a condition on the status
 * applies to every status.
 */
export function appliesToStatus({ when }: Requirement, status: number): boolean {
  return !when.answer?.status || isInStatusSet(when.answer.status, status);
}

/**
 * Whether the conditions of a requirement on the body of a response are satisfied. The condition on the status is not
 * checked.
 */
export function appliesToBody({ when }: Requirement, answer: Answer, { burst }: Attributes): boolean {
  const { type, string, mostlyLatin, unlessPage } = when.answer ?? {};
  const mayBePage = unlessPage && isInStatusSet(unlessPage, answer.status) && burst !== 'true';
  if (mayBePage && readValueAt(answer, '/error') === undefined) return false;
  if (type && matches(type, readTextAt(answer, '/error/type') ?? '') !== true) return false;
  const text = mostlyLatin === undefined ? undefined : readTextAt(answer, mostlyLatin);
  if (text !== undefined && !isMostlyLatin(text)) return false;
  return string === undefined || readTextAt(answer, string) !== undefined;
}

/** The letters of scripts without spaces between words. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const [latinWords, otherWords] = [
  /(?:\p{Script=Latin}\p{M}*)+/gu,
  new RegExp(`[${unspaced}]|(?:(?![\\p{Script=Latin}${unspaced}])\\p{L}\\p{M}*)+`, 'gu'),
];

/**
 * Whether a text has visible characters, and at least half of its words are in Latin letters. In scripts without
 * spaces, each letter counts as a word.
 */
function isMostlyLatin(text: string): boolean {
  const count = (words: RegExp): number => text.match(words)?.length ?? 0;
  return count(latinWords) >= count(otherWords) && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

function checkExchange(requirement: Requirement, exchange: Exchange, context: JudgeContext): CheckedExchange {
  const answer = answerOf(exchange);
  if (!answer) {
    if (requiresStatus(requirement.then) && isAlwaysCut(exchange))
      return { exchange, check: fail({ kind: 'cut-response' }) };
    return requiresStatus(requirement.then) && (isAlwaysClosed(exchange) || followsRefusal(exchange))
      ? { exchange, check: fail({ kind: 'no-response' }) }
      : { exchange, check: { kind: 'undecided', reason: explainNoResponse(exchange) } };
  }
  const result = checkPromise(requirement, exchange, answer, context);
  const isCut = answer.isCut && !isStartedStream(exchange, answer.status);
  if (isCut && result.kind !== 'fails' && requiresStatus(requirement.then))
    return { exchange, check: checkCutResponse(exchange) };
  const mitigation =
    result.kind === 'fails' && !isPooled(requirement)
      ? mitigationFor(requirement, exchange, answer, context)
      : undefined;
  return { exchange, check: mitigation === undefined ? result : { kind: 'undecided', reason: mitigation } };
}

/** Checks a response against what the gateway promises: what the profile declares instead, or else the specification. */
function checkPromise(
  { id, then, instead }: Requirement,
  exchange: Exchange,
  answer: Answer,
  context: JudgeContext,
): CheckResult {
  const specified = checkResponse(then, exchange, answer, context);
  if (!instead || specified.kind === 'nothing-to-check') return specified;
  const promised = checkResponse(instead, exchange, answer, context);
  // A declaration may allow what the specification requires.
  if (promised.kind === 'passes')
    return specified.kind === 'passes' ? specified : { kind: 'deviates', parts: [id] };
  if (promised.kind === 'deviates') return { kind: 'deviates', parts: [id, ...promised.parts] };
  const isAsSpecified = specified.kind === 'passes' || specified.kind === 'deviates';
  if (isAsSpecified && instead.kind !== 'absent')
    return fail({ kind: 'not-as-declared', declared: formatExpectation(instead) });
  return promised.kind === 'fails' ? promised : specified;
}

/** Whether the exchange shows what follows a refused request on the same connection. */
function followsRefusal({ attributes }: Exchange): boolean {
  return attributes.connection === 'after-refusal';
}

/**
 * Whether, in every attempt of an invalid request with the valid key, the gateway closed the connection before the
 * response began, although a control succeeded afterwards. Large bodies are excluded: a gateway may send a 413 that
 * the client cannot read before the connection closes. Wrong methods are excluded: an intermediary may close the
 * connection after a request with a wrong method.
 */
function isAlwaysClosed({ attributes, result, earlier, controlAfter }: Exchange): boolean {
  const { request, key, given, method = 'documented' } = attributes;
  return (
    request === 'invalid' &&
    key === 'good' &&
    given !== 'large' &&
    method === 'documented' &&
    controlAfter === 'succeeded' &&
    [...earlier, result].every((item) => item.kind === 'failure' && item.failure.isUnanswered)
  );
}

/** Checks a response whose status is right, but that the gateway broke off. */
function checkCutResponse({ controlAfter }: Exchange): CheckResult {
  if (controlAfter === 'succeeded') return fail({ kind: 'cut-response' });
  return { kind: 'undecided', reason: 'The gateway broke off the response, which may be transient.' };
}

/**
 * Whether the gateway broke off the response in every attempt, although a control succeeded afterwards. Large bodies
 * and wrong methods are excluded as in `isAlwaysClosed`, and a stream that had begun, since the specification leaves
 * errors after the start open (7.3 rule 4).
 */
function isAlwaysCut(exchange: Exchange): boolean {
  const { attributes, result, earlier, controlAfter } = exchange;
  const { given, method = 'documented' } = attributes;
  return (
    given !== 'large' &&
    method === 'documented' &&
    controlAfter === 'succeeded' &&
    [...earlier, result].every(
      (item) =>
        item.kind === 'failure' &&
        item.failure.cutStatus !== undefined &&
        !isStartedStream(exchange, item.failure.cutStatus),
    )
  );
}

function isStartedStream({ attributes }: Exchange, status: number): boolean {
  return attributes.streamed === 'true' && isSuccess(status);
}

function requiresStatus(then: Expectation): boolean {
  return (
    then.kind === 'status' || ((then.kind === 'all' || then.kind === 'any') && then.of.some(requiresStatus))
  );
}

/** Returns the reason why a wrong response proves no violation; undefined if the response proves a violation. */
function mitigationFor(
  requirement: Requirement,
  exchange: Exchange,
  answer: Answer,
  { promise }: JudgeContext,
): string | undefined {
  if (exchange.controlAfter === 'failed') {
    return explainFailedControl(exchange);
  }
  if (!isTransientResult(exchange.result) && !isErrorInSuccess(exchange)) return undefined;
  // The request waited as long as the gateway or the profile says.
  if (answer.status === 429 && exchange.attributes.burst === 'after') return undefined;
  if (answer.status === 429 && requirement.transient === 'excused') {
    return 'The last response was 429, so a rate limit may have been reached.';
  }
  const arrived = exchange.startedAt + exchange.durationMs;
  const pause = asksForPause(answer) ? (parseRetryAfter(answer.headers, arrived) ?? 0) : 0;
  // A pause that the run waited for each time excuses no wrong response.
  const longestWaited = answer.status === 429 ? defaultRetryPolicy.longestPauseMs : 0;
  if (pause > longestWaited && readAnswer(exchange, promise.errors).about !== 'account') {
    return `The last response was ${answer.status}, and still asked for a pause with Retry-After.`;
  }
  return exchange.controlAfter === undefined
    ? `The response was ${answer.status}, and no control was sent after this response.`
    : undefined;
}

/** Returns the reason why a response that no control confirmed proves nothing. */
export function explainFailedControl(exchange: Exchange): string {
  return `The response was ${answerOf(exchange)?.status}, and a previously successful control failed immediately afterwards.`;
}

/**
 * The verdict `conforms` without findings, which is the most frequent verdict. All checks with this verdict share the
 * object to save memory.
 */
const conformingVerdict: Verdict = { outcome: 'conforms', findings: [], reason: undefined };
/** The verdict if no response contains the part to which a requirement applies. */
export const nothingToJudge: Verdict = {
  outcome: 'inconclusive',
  findings: [],
  reason: 'No response contains the part to which this requirement applies.',
};

function combineResults(requirement: Requirement, checked: readonly CheckedExchange[]): Verdict {
  const findings: LocatedFinding[] = [];
  const outcome = requirement.level === 'must' ? 'violates' : 'warns';
  const severities = new Set<Severity>();
  const declared = new Set<string>();
  let undecided: string | undefined;
  let hasPassed = false;
  for (const { exchange, check: result } of checked) {
    if (result.kind === 'passes') hasPassed = true;
    else if (result.kind === 'deviates') for (const part of result.parts) declared.add(part);
    else if (result.kind === 'undecided') undecided ??= result.reason;
    else if (result.kind === 'fails') {
      for (const finding of result.findings) findings.push({ exchange: exchange.id, finding });
      severities.add(severityOf(kindOfExchange(result.findings, exchange), outcome));
    }
  }
  if (findings.length > 0)
    return {
      outcome,
      findings,
      severity: findMostSevere([...severities]),
      reason: undefined,
      ...(declared.size > 0 && { declared: [...declared] }),
    };
  const isKept = hasPassed || declared.size > 0;
  if (undecided !== undefined && !(isKept && isPooled(requirement))) {
    return { outcome: 'inconclusive', findings: [], reason: undecided };
  }
  if (declared.size > 0)
    return { outcome: 'deviates', findings: [], reason: undefined, declared: [...declared] };
  if (hasPassed) return conformingVerdict;
  if (checked.length > 0) return nothingToJudge;
  const reason =
    requirement.then.kind === 'distinct' || requirement.then.kind === 'apart'
      ? 'Fewer than two responses contain the part that this requirement compares.'
      : nothingMatched;
  return { outcome: 'not-applicable', findings: [], reason };
}
