import { evaluate, matches } from '../catalog/condition.ts';
import { type Expectation, speaksOfOne } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/ledger.ts';
import { inStatusSet, showStatusSet } from '../catalog/status-set.ts';
import { type Answer, answerOf, type Exchange, isTransient } from '../send/exchange.ts';
import { asJson, brief } from './brief.ts';
import { check, type JudgeContext } from './check.ts';
import { type Check, type Finding, fails, holds } from './finding.ts';
import { textAt, valueAt } from './look.ts';
import type { Outcome } from './outcome.ts';

/** A finding, and the exchange in which it was made. */
export interface LocatedFinding {
  readonly exchange: string;
  readonly finding: Finding;
}

/** What became of one obligation. */
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

interface Looked {
  readonly exchange: Exchange;
  readonly check: Check;
}

/**
 * Holds exchanges that a requirement speaks of against it. Total: any status, headers and bytes come to a verdict.
 * An exchange without an answer, or with a passing one, makes it inconclusive unless another breaks it.
 */
export function judge(
  requirement: Requirement,
  exchanges: readonly Exchange[],
  context: JudgeContext,
): Verdict {
  const { then } = requirement;
  if (then.kind === 'lists' && context.goodModels.length === 0) {
    const reason = 'No model is known that could be called.';
    return { outcome: 'not-applicable', findings: [], reason, add: 'models.chat.good' };
  }
  const looked = isPooled(requirement)
    ? exchanges.filter((exchange) => speaksOf(requirement, exchange))
    : exchanges;
  const results =
    compare(then, looked, context) ?? looked.map((exchange) => lookAt(requirement, exchange, context));
  return sum(requirement, results);
}

/** The same of one exchange, of which the requirement is known to speak. */
export function judgeOne(requirement: Requirement, exchange: Exchange, context: JudgeContext): Verdict {
  const { then } = requirement;
  if (!speaksOfOne(then)) return sum(requirement, compare(then, [exchange], context) ?? []);
  const looked = lookAt(requirement, exchange, context);
  return looked.check.kind === 'holds' ? conforms : sum(requirement, [looked]);
}

function isPooled(requirement: Requirement): boolean {
  return requirement.over !== 'case';
}

/** Whether a pooled requirement speaks of an exchange, which must have an answer. */
export function speaksOf(requirement: Requirement, exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return (
    answer !== undefined &&
    speaksOfStatus(requirement, answer.status) &&
    evaluate(requirement.when, exchange.facts) === true &&
    speaksOfBody(requirement, answer)
  );
}

/** Whether a requirement speaks of answers with that status. */
export function speaksOfStatus({ when }: Requirement, status: number): boolean {
  return !when.answer?.status || inStatusSet(when.answer.status, status);
}

/** Whether a requirement speaks of answers with such a body, whatever their status is. */
export function speaksOfBody({ when }: Requirement, answer: Answer): boolean {
  const { type, string } = when.answer ?? {};
  if (type && matches(type, textAt(answer, '/error/type') ?? '') !== true) return false;
  return string === undefined || textAt(answer, string) !== undefined;
}

function lookAt(requirement: Requirement, exchange: Exchange, context: JudgeContext): Looked {
  const answer = answerOf(exchange);
  if (!answer) return { exchange, check: { kind: 'undecided', reason: noAnswer(exchange) } };
  const result = check(requirement.then, exchange, answer, context);
  const excuse =
    result.kind === 'fails' && !isPooled(requirement) ? excuseFor(requirement, exchange, answer) : undefined;
  return { exchange, check: excuse === undefined ? result : { kind: 'undecided', reason: excuse } };
}

/** Why a wrong answer says nothing of the request: it may have come from a passing condition of the gateway. */
function excuseFor(requirement: Requirement, exchange: Exchange, answer: Answer): string | undefined {
  if (exchange.controlAfter === 'failed') {
    return `It was answered ${answer.status}, and a call that had succeeded before failed just after.`;
  }
  if (!isTransient(exchange.result)) return undefined;
  if (answer.status === 429 && requirement.transient === 'excused') {
    return 'It was answered 429 each time: a limit on requests may have been met.';
  }
  return exchange.controlAfter === undefined
    ? `It was answered ${answer.status}, and no control was sent after it.`
    : undefined;
}

/** Expectations that speak of several exchanges together; undefined for those that speak of each. */
function compare(
  then: Expectation,
  exchanges: readonly Exchange[],
  context: JudgeContext,
): readonly Looked[] | undefined {
  switch (then.kind) {
    case 'some': {
      const answered = answeredOf(exchanges);
      const last = answered.at(-1);
      if (!last) return unanswered(exchanges);
      const checks = answered.map(({ exchange, answer }) => check(then.of, exchange, answer, context));
      const decided =
        checks.find(({ kind }) => kind === 'holds') ?? checks.find(({ kind }) => kind === 'undecided');
      const finding: Finding = {
        kind: 'never-happened',
        wanted: describe(then.of),
        answers: answered.length,
      };
      return [{ exchange: last.exchange, check: decided ?? fails(finding) }];
    }
    case 'none': {
      const start = startOf(then.after, exchanges, context);
      if (start === undefined) return neverStarted(exchanges);
      return exchanges.slice(then.after ? start + 1 : start).map((exchange): Looked => {
        const answer = answerOf(exchange);
        if (!answer) return { exchange, check: { kind: 'undecided', reason: noAnswer(exchange) } };
        const result = check(then.of, exchange, answer, context);
        if (result.kind === 'undecided') return { exchange, check: result };
        const finding: Finding = { kind: 'happened', unwanted: describe(then.of), actual: answer.status };
        return { exchange, check: result.kind === 'holds' ? fails(finding) : holds };
      });
    }
    case 'same': {
      const start = startOf(then.after, exchanges, context);
      if (start === undefined) return neverStarted(exchanges);
      const compared = exchanges.slice(start);
      const answered = answeredOf(compared);
      const [first] = answered;
      const unsure =
        answered.length < compared.length || answered.some(({ exchange }) => isTransient(exchange.result));
      if (!first || unsure) return unanswered(compared);
      const findings = then.at.flatMap((place): Finding[] => {
        const values = answered.map(({ answer }) => valueAt(answer, place));
        return new Set(values.map(asJson)).size > 1
          ? [{ kind: 'differs', place, values: values.map(brief) }]
          : [];
      });
      return [
        {
          exchange: first.exchange,
          check: findings.length > 0 ? fails(...findings) : holds,
        },
      ];
    }
    case 'distinct': {
      const byValue = new Map<string, { readonly exchange: Exchange; times: number }>();
      let found = 0;
      for (const { exchange, answer } of answeredOf(exchanges)) {
        const value = valueAt(answer, then.at);
        if (value === undefined || value === '') continue;
        found += 1;
        const key = String(value).toLowerCase();
        const known = byValue.get(key);
        if (known) known.times += 1;
        else byValue.set(key, { exchange, times: 1 });
      }
      if (found < 2) return [];
      return [...byValue].map(([value, { exchange, times }]): Looked => {
        const finding: Finding = { kind: 'repeats', place: then.at, value, times };
        return { exchange, check: times > 1 ? fails(finding) : holds };
      });
    }
  }
  return undefined;
}

/** The index of the first exchange that counts; undefined if none has the response that `after` asks for. */
function startOf(
  after: Expectation | undefined,
  exchanges: readonly Exchange[],
  context: JudgeContext,
): number | undefined {
  if (!after) return 0;
  const index = exchanges.findIndex((exchange) => {
    const answer = answerOf(exchange);
    return answer !== undefined && check(after, exchange, answer, context).kind === 'holds';
  });
  return index < 0 ? undefined : index;
}

function neverStarted(exchanges: readonly Exchange[]): Looked[] {
  const reason = 'No request got the response after which it was to be repeated.';
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

function unanswered(exchanges: readonly Exchange[]): Looked[] {
  return exchanges
    .filter(({ result }) => isTransient(result))
    .map((exchange) => ({ exchange, check: { kind: 'undecided', reason: noAnswer(exchange) } }));
}

function noAnswer({ result }: Exchange): string {
  if (result.kind === 'failure') return `No answer came: ${result.failure.detail}.`;
  return `An answer ${result.answer.status} may be a passing condition of the gateway.`;
}

function describe(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'status':
      return showStatusSet(expectation.status);
    case 'code':
      return expectation.codes.join(' or ');
    case 'all':
      return expectation.of.map(describe).join(' ');
    default:
      return expectation.kind;
  }
}

/** What most exchanges come to, made once. */
const conforms: Verdict = { outcome: 'conforms', findings: [], reason: undefined };
/** The verdict if responses lack the part that a requirement is about. */
export const nothingToJudge: Verdict = {
  outcome: 'inconclusive',
  findings: [],
  reason: 'No response has the part that this requirement is about.',
};

function sum(requirement: Requirement, looked: readonly Looked[]): Verdict {
  const findings: LocatedFinding[] = [];
  let undecided: string | undefined;
  let held = false;
  for (const { exchange, check: result } of looked) {
    if (result.kind === 'holds') held = true;
    else if (result.kind === 'undecided') undecided ??= result.reason;
    else if (result.kind === 'fails')
      for (const finding of result.findings) findings.push({ exchange: exchange.id, finding });
  }
  if (findings.length > 0) {
    return { outcome: requirement.level === 'must' ? 'violates' : 'warns', findings, reason: undefined };
  }
  if (undecided !== undefined && !(held && isPooled(requirement))) {
    return { outcome: 'inconclusive', findings: [], reason: undecided };
  }
  if (held) return conforms;
  return looked.length > 0
    ? nothingToJudge
    : { outcome: 'not-applicable', findings: [], reason: 'No response matched this requirement.' };
}
