import type { Expectation } from '../catalog/expectation.ts';
import { formatStatusSet } from '../catalog/status-set.ts';
import { isKeyRejected } from '../evidence/attribution.ts';
import { type Answer, answerOf, type Exchange } from '../exchange/exchange.ts';
import { isTransientResult, readAnswer } from '../exchange/reading.ts';
import { checkResponse, type JudgeContext } from './check-response.ts';
import { type CheckResult, type Finding, fail, isSatisfied, passes } from './finding.ts';
import { readDistinct, readTextAt, readValueAt, toComparableText, truncate } from './locate.ts';
import { listMemberNames } from './match-model.ts';

export interface CheckedExchange {
  readonly exchange: Exchange;
  readonly check: CheckResult;
}

/**
 * Checks an expectation about several exchanges. Returns the results, each with the exchange that a report shows as
 * evidence; an empty list if there is nothing to compare. Returns undefined for an expectation about single exchanges.
 */
export function compareExchanges(
  then: Expectation,
  exchanges: readonly Exchange[],
  context: JudgeContext,
): readonly CheckedExchange[] | undefined {
  switch (then.kind) {
    case 'some': {
      const answered = answeredOf(exchanges);
      const last = answered.at(-1);
      if (!last) return markTransient(exchanges);
      const checks = answered.map(({ exchange, answer }) =>
        checkResponse(then.of, exchange, answer, context),
      );
      const decided = checks.find(isSatisfied) ?? checks.find(({ kind }) => kind === 'undecided');
      const finding: Finding = {
        kind: 'never-happened',
        wanted: describeExpectation(then.of),
        answers: answered.length,
      };
      return [{ exchange: last.exchange, check: decided ?? fail(finding) }];
    }
    case 'none': {
      const start = startOf(then.after, exchanges, context);
      if (start === undefined) return markNeverStarted(exchanges);
      return exchanges.slice(then.after ? start + 1 : start).map((exchange): CheckedExchange => {
        const answer = answerOf(exchange);
        if (!answer) return { exchange, check: { kind: 'undecided', reason: explainNoResponse(exchange) } };
        const result = checkResponse(then.of, exchange, answer, context);
        if (result.kind === 'undecided') return { exchange, check: result };
        const finding: Finding = {
          kind: 'happened',
          unwanted: describeExpectation(then.of),
          actual: answer.status,
        };
        return { exchange, check: isSatisfied(result) ? fail(finding) : passes };
      });
    }
    case 'same': {
      const start = startOf(then.after, exchanges, context);
      if (start === undefined) return markNeverStarted(exchanges);
      const compared = exchanges.slice(start);
      const answered = answeredOf(compared);
      const [first] = answered;
      const undecided = [...markTransient(compared), ...markRejectedKeys(compared, context)];
      if (!first || undecided.length > 0) return undecided;
      const findings = then.at.flatMap((place): Finding[] => {
        const values = answered.map(({ answer }) => readValueAt(answer, place));
        return new Set(values.map(toComparableText)).size > 1
          ? [{ kind: 'differs', place, values: values.map(truncate) }]
          : [];
      });
      return [
        {
          exchange: first.exchange,
          check: findings.length > 0 ? fail(...findings) : passes,
        },
      ];
    }
    case 'distinct': {
      const byValue = new Map<string, { readonly exchange: Exchange; times: number }>();
      let found = 0;
      for (const { exchange, answer } of answeredOf(exchanges)) {
        const value = readDistinct(answer, then.at);
        if (value === undefined) continue;
        found += 1;
        const known = byValue.get(value);
        if (known) known.times += 1;
        else byValue.set(value, { exchange, times: 1 });
      }
      if (found < 2) return [];
      return [...byValue].map(([value, { exchange, times }]): CheckedExchange => {
        const finding: Finding = { kind: 'repeats', place: then.at, value, times };
        return { exchange, check: times > 1 ? fail(finding) : passes };
      });
    }
    case 'apart':
      return compareMessages(exchanges, context);
  }
  return undefined;
}

/**
 * Checks that the messages about different invalid members are not all the same text. The same text is right if it
 * contains a name that fits each of the members, such as `messages` for a wrong `role` and a wrong `content`.
 */
function compareMessages(exchanges: readonly Exchange[], { promise }: JudgeContext): CheckedExchange[] {
  const named = answeredOf(exchanges).flatMap(({ exchange, answer }) => {
    const message = readTextAt(answer, '/error/message');
    const traceId = readTextAt(answer, '/trace_id');
    const text = (traceId ? message?.replaceAll(traceId, '') : message)?.trim();
    const { member = 'none' } = exchange.attributes;
    return text ? [{ exchange, member, text, names: listMemberNames(text, exchange, promise) }] : [];
  });
  const [first] = named;
  const other = named.find(({ member }) => member !== first?.member);
  if (!first || !other) return [];
  const isSame = named.every(({ text }) => text === first.text);
  const fitsAll = first.names.some((name) => named.every(({ names }) => names.includes(name)));
  if (!isSame || fitsAll) return [{ exchange: first.exchange, check: passes }];
  const members = [...new Set(named.map(({ member }) => member))];
  const check = fail({ kind: 'same-message', message: first.text, members });
  return [first, other].map(({ exchange }) => ({ exchange, check }));
}

/**
 * Returns the index of the first exchange whose response satisfies `after`, or 0 without `after`. Returns undefined if
 * no response satisfies `after`.
 */
function startOf(
  after: Expectation | undefined,
  exchanges: readonly Exchange[],
  context: JudgeContext,
): number | undefined {
  if (!after) return 0;
  const index = exchanges.findIndex((exchange) => {
    const answer = answerOf(exchange);
    return answer !== undefined && isSatisfied(checkResponse(after, exchange, answer, context));
  });
  return index < 0 ? undefined : index;
}

/**
 * Nothing is compared if each request got another response than the required first one, such as an error in a stream. A
 * transient response may have replaced the required one.
 */
function markNeverStarted(exchanges: readonly Exchange[]): CheckedExchange[] {
  if (!exchanges.some(({ result }) => isTransientResult(result))) return [];
  const reason = 'No request got the required first response, so the repetitions were not judged.';
  return exchanges.slice(0, 1).map((exchange) => ({ exchange, check: { kind: 'undecided', reason } }));
}

function answeredOf(
  exchanges: readonly Exchange[],
): { readonly exchange: Exchange; readonly answer: Answer }[] {
  return exchanges.flatMap((exchange) => {
    const answer = answerOf(exchange);
    return answer ? [{ exchange, answer }] : [];
  });
}

function markTransient(exchanges: readonly Exchange[]): CheckedExchange[] {
  return exchanges
    .filter(({ result }) => isTransientResult(result))
    .map((exchange) => ({ exchange, check: { kind: 'undecided', reason: explainNoResponse(exchange) } }));
}

/**
 * Returns an undecided result for each exchange whose response may be caused by the state of the key or the account,
 * unless a control confirmed the response.
 */
function markRejectedKeys(
  exchanges: readonly Exchange[],
  { promise: { errors } }: JudgeContext,
): CheckedExchange[] {
  return exchanges.flatMap((exchange): CheckedExchange[] => {
    if (exchange.controlAfter === 'succeeded') return [];
    const { error } = readAnswer(exchange, errors);
    const depleted = exchange.attributes.key === 'good' && error?.about === 'account' ? error : undefined;
    if (!depleted && !isKeyRejected(exchange, errors)) return [];
    const status = answerOf(exchange)?.status;
    const reason = depleted
      ? `The response was ${status} \`${depleted.name}\`, so the balance of the account may have changed.`
      : `The response was ${status}, so the gateway may no longer accept the valid key.`;
    return [{ exchange, check: { kind: 'undecided', reason } }];
  });
}

/** Returns the reason why an exchange without a response, or with a response that may be transient, was not judged. */
export function explainNoResponse({ result }: Exchange): string {
  if (result.kind === 'failure') return `No response: ${result.failure.detail}.`;
  return `The response was ${result.answer.status}, which may be transient.`;
}

function describeExpectation(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'status':
      return formatStatusSet(expectation.status);
    case 'code':
      return expectation.codes.join(' or ');
    case 'all':
      return expectation.of.map(describeExpectation).join(' ');
    default:
      return expectation.kind;
  }
}
