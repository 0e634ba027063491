import { readMember } from '../../common/pointer.ts';
import { describeProblem } from '../../common/schemas.ts';
import { matches } from '../catalog/condition.ts';
import { type Expectation, getSchemaTitle } from '../catalog/expectation.ts';
import { formatStatusSet, isInStatusSet } from '../catalog/status-set.ts';
import { classifyStream, countParts, extractOutputText, isOneWord } from '../exchange/events.ts';
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { ownNamesOf } from '../profile/deviations.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { getUnlistedModelSuffix } from '../request/build-request.ts';
import { type CheckResult, type Finding, fail, nothingToCheck, passes } from './finding.ts';
import {
  checkOutput,
  createNotJson,
  createUndecided,
  failAt,
  failUnlessPresent,
  findTextsInside,
  locate,
  readTextAt,
  readValueAt,
  toComparableText,
  truncate,
  truncatedAt,
} from './locate.ts';
import { findMissingName, hasTextInside, matchesModelId } from './match-model.ts';
import { isOwnName, type NameReading, readNames } from './read-names.ts';

/** What a source knows before its exchanges. */
export interface SourceContext {
  readonly promise: GatewayPromise;
  readonly unlistedModel: string;
}

export interface JudgeContext extends SourceContext {
  /** The IDs of the models that were called successfully; empty if none are known. */
  readonly goodModels: readonly string[];
}

type SingleExpectation = Exclude<
  Expectation,
  { kind: 'some' | 'none' | 'same' | 'distinct' | 'apart' | 'one-fault' }
>;
type Checkers = {
  readonly [K in SingleExpectation['kind']]: (
    expectation: Extract<SingleExpectation, { kind: K }>,
    at: CheckedResponse,
  ) => CheckResult;
};

interface CheckedResponse {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly context: JudgeContext;
}

/**
 * Checks the response (`answer`) of one exchange against an expectation. Throws an `Error` for an expectation about
 * several exchanges, and for the kind `one-fault`, which `findRequirements` replaces.
 */
export function checkResponse(
  expectation: Expectation,
  exchange: Exchange,
  answer: Answer,
  context: JudgeContext,
): CheckResult {
  const checked = checkAny(expectation, { exchange, answer, context });
  const readings = readNames(answer, exchange.attributes, context.promise);
  return readings
    ? checkReadings(checked, readings, (read) => checkAny(expectation, { exchange, answer: read, context }))
    : checked;
}

/**
 * Returns the result for a response whose error has a name of the gateway. `own` is the result without its declared
 * meaning. The name must have the right meaning in one of the readings. The requirement that it satisfies only so is one
 * from which the gateway deviates. If it has the right meaning in several, each of them is needed.
 */
function checkReadings(
  own: CheckResult,
  readings: readonly NameReading[],
  check: (answer: Answer) => CheckResult,
): CheckResult {
  if (own.kind !== 'passes' && own.kind !== 'fails') return own;
  const parts: string[] = [];
  let failed: CheckResult | undefined;
  for (const { answer, part, restore } of readings) {
    const result = check(answer);
    if (result.kind === 'fails')
      failed ??= fail(...result.findings.map((finding) => restoreActual(finding, restore)));
    else if (own.kind === 'passes') return own;
    else if (part === undefined) return result;
    else parts.push(part);
  }
  if (parts.length > 0) return { kind: 'deviates', parts };
  return own.kind === 'fails' ? own : (failed ?? own);
}

/** Returns a finding in a response whose name was replaced, with what the response contains. */
function restoreActual(finding: Finding, restore: (value: unknown) => unknown): Finding {
  if (finding.kind === 'none-of-several')
    return {
      ...finding,
      alternatives: finding.alternatives.map((findings) =>
        findings.map((one) => restoreActual(one, restore)),
      ),
    };
  return 'actual' in finding ? ({ ...finding, actual: restore(finding.actual) } as Finding) : finding;
}

function checkAny(expectation: Expectation, checked: CheckedResponse): CheckResult {
  switch (expectation.kind) {
    case 'some':
    case 'none':
    case 'same':
    case 'distinct':
    case 'apart':
    case 'one-fault':
      throw new Error(
        `The expectation "${expectation.kind}" cannot be checked on one response. Pass an expectation about one response.`,
      );
    default:
      return checkOne(expectation, checked);
  }
}

function checkOne<K extends SingleExpectation['kind']>(
  expectation: Extract<SingleExpectation, { kind: K }>,
  checked: CheckedResponse,
): CheckResult {
  const checker: Checkers[K] = checkers[expectation.kind as K];
  return checker(expectation, checked);
}

/**
 * Checks that a JSON body contains no type of section 7.1 that is not one of `types`. `found` is the text in
 * `error.type`, which replaces the search in the whole body.
 */
function checkKnownTypes(
  types: readonly string[],
  found: string | undefined,
  body: unknown,
  { promise: { errors, deviations } }: JudgeContext,
): CheckResult {
  const known = [...errors.types.keys()].filter((type) => !isOwnName(type, deviations));
  const expected = ownNamesOf('types', types, deviations);
  if (found !== undefined)
    return known.includes(found) ? fail({ kind: 'wrong-type', expected, actual: found }) : passes;
  const named = findTextsInside(body, known);
  const [first] = named;
  if (!first || named.some(({ text }) => types.includes(text))) return passes;
  return fail({ kind: 'wrong-type', place: first.place, expected, actual: first.text });
}

/** Returns the ID of the deviation that declares a place, or a value around it, absent. */
function findAbsence(place: string, { promise }: JudgeContext): string | undefined {
  for (const [absent, part] of promise.deviations.absent)
    if (place === absent || place.startsWith(`${absent}/`)) return part;
  return undefined;
}

/** A number can be compared with a number in a text only if the profile declares that texts stand for numbers. */
const isComparable = (one: unknown, other: unknown, { promise }: JudgeContext): boolean =>
  typeof one === typeof other ||
  (promise.deviations.instead.size > 0 && [one, other].every((value) => /^\d+$/.test(String(value))));

const findKind = (checks: readonly CheckResult[], kind: CheckResult['kind']): CheckResult | undefined =>
  checks.find((check) => check.kind === kind);

const checkers: Checkers = {
  all: ({ of }, checked) => {
    let findings: readonly Finding[] = [];
    let undecided: CheckResult | undefined;
    let passed = nothingToCheck;
    for (const part of of) {
      const result = checkAny(part, checked);
      if (result.kind === 'fails') findings = [...findings, ...result.findings];
      else if (result.kind === 'undecided') undecided ??= result;
      else if (result.kind === 'passes' && passed.kind !== 'deviates') passed = result;
      else if (result.kind === 'deviates') passed = result;
    }
    return findings.length > 0 ? fail(...findings) : (undecided ?? passed);
  },

  any: ({ of }, checked) => {
    const checks: CheckResult[] = [];
    for (const part of of) {
      const result = checkAny(part, checked);
      if (result.kind === 'passes') return result;
      checks.push(result);
    }
    const other = findKind(checks, 'deviates') ?? findKind(checks, 'undecided');
    if (other) return other;
    const alternatives = checks.flatMap((item) => (item.kind === 'fails' ? [item.findings] : []));
    return alternatives.length === 0 ? nothingToCheck : fail({ kind: 'none-of-several', alternatives });
  },

  status: ({ status }, { answer }) =>
    isInStatusSet(status, answer.status)
      ? passes
      : fail({ kind: 'wrong-status', expected: formatStatusSet(status), actual: answer.status }),

  type: ({ types, among }, { answer, context }) => {
    // A streamed response that is a JSON array may have the error in its first item.
    const found =
      readTextAt(answer, '/error/type') ??
      (among === 'all' ? undefined : readTextAt(answer, '/0/error/type'));
    if (found !== undefined && types.includes(found)) return passes;
    if (among !== 'all' && answer.content.kind === 'text') return passes;
    if (among === 'known-types' && answer.content.kind === 'json')
      return checkKnownTypes(types, found, answer.content.value, context);
    const expected = ownNamesOf('types', types, context.promise.deviations);
    return failAt('/error/type', answer, (actual) => ({ kind: 'wrong-type', expected, actual }));
  },

  code: ({ codes }, { answer, context }) => {
    const found = readTextAt(answer, '/error/code');
    if (found !== undefined && codes.includes(found)) return passes;
    const expected = ownNamesOf('codes', codes, context.promise.deviations);
    return failAt('/error/code', answer, (actual) => ({ kind: 'wrong-code', expected, actual }));
  },

  body: ({ schema }, { answer, context }) => {
    const lookup = locate(answer, 'body');
    if (lookup.kind !== 'value') return failUnlessPresent(lookup, 'body', answer) ?? nothingToCheck;
    const problems = context.promise.schemas
      .problems(schema, lookup.value)
      .filter(({ keyword }) => keyword !== 'if');
    const declared = problems.map(({ pointer, keyword, params }) =>
      keyword === 'required' ? findAbsence(`${pointer}/${params.missingProperty}`, context) : undefined,
    );
    const parts = declared.filter((part) => part !== undefined);
    const others = problems.filter((_, index) => declared[index] === undefined);
    if (problems.length === 0) return passes;
    return others.length === 0
      ? { kind: 'deviates', parts: [...new Set(parts)] }
      : fail(
          ...others.map(
            (problem): Finding => ({
              kind: 'breaks-schema',
              place: problem.pointer || 'body',
              schema,
              problem: describeProblem(problem),
              actual: truncatedAt(answer, problem.pointer),
            }),
          ),
        );
  },

  is: ({ at, schema, whenAbsent }, { answer, context }) => {
    const lookup = locate(answer, at);
    if (lookup.kind === 'unreadable') return createUndecided(lookup.reason);
    if (lookup.kind === 'not-json') {
      return at === 'body' && whenAbsent !== 'nothing' ? fail(createNotJson(at, answer)) : nothingToCheck;
    }
    if (lookup.kind === 'absent') {
      if (whenAbsent === 'nothing' || (whenAbsent === 'fault-if-parent' && !lookup.parent))
        return nothingToCheck;
      const part = findAbsence(at, context);
      return part === undefined ? fail({ kind: 'missing', place: at }) : { kind: 'deviates', parts: [part] };
    }
    const [problem] = context.promise.schemas.problems(schema, lookup.value);
    if (!problem) return passes;
    const { pointer, keyword } = problem;
    const title = pointer === '' ? getSchemaTitle(schema) : undefined;
    const expected =
      title !== undefined && keyword !== 'type' ? `must be ${title}` : describeProblem(problem);
    const place = `${at === 'body' && pointer !== '' ? '' : at}${pointer}`;
    return fail({
      kind: 'wrong-value',
      place,
      expected,
      actual: truncate(readMember(lookup.value, pointer)),
    });
  },

  // A trace ID in a header may differ from the same trace ID in a body in upper and lower case.
  absent: ({ at }, { answer }) => {
    const lookup = locate(answer, at);
    if (lookup.kind === 'unreadable') return createUndecided(lookup.reason);
    return lookup.kind === 'value'
      ? fail({ kind: 'present', place: at, actual: truncate(lookup.value) })
      : passes;
  },

  equals: ({ at, other }, { answer, context }) => {
    const [actual, expected] = [readValueAt(answer, at), readValueAt(answer, other)];
    if (actual === undefined || !isComparable(actual, expected, context)) return nothingToCheck;
    const toText = typeof actual === typeof expected ? toComparableText : String;
    return toText(actual).toLowerCase() === toText(expected).toLowerCase()
      ? passes
      : fail({
          kind: 'not-equal',
          place: at,
          actual: truncate(actual),
          other,
          expected: truncate(expected),
        });
  },

  'media-type': ({ name }, { answer }) => {
    const actual = answer.headers['content-type'];
    const type = actual?.replace(/;.*/s, '').trim().toLowerCase() ?? '';
    const fits = type === `application/${name}` || type.endsWith(`+${name}`) || type === `text/${name}`;
    return fits ? passes : fail({ kind: 'wrong-media-type', expected: name, actual });
  },

  names: ({ what }, { answer, exchange, context }) => {
    const message = readTextAt(answer, '/error/message');
    if (message === undefined) return nothingToCheck;
    const expected = findMissingName(what, message, exchange, context.promise);
    return expected === undefined ? passes : fail({ kind: 'names-nothing', expected, message });
  },

  lists: (_, { answer, context }) => {
    const { content } = answer;
    if (content.kind === 'unreadable' || context.goodModels.length === 0) return nothingToCheck;
    // Another requirement checks that the list is JSON. A list in another format is searched as text.
    const names = (model: string): boolean =>
      content.kind === 'json'
        ? hasTextInside(content.value, (text) => matchesModelId(text, model))
        : answer.text.includes(model);
    const missing = context.goodModels.find((model) => !names(model));
    return missing === undefined ? passes : fail({ kind: 'model-not-listed', model: missing });
  },

  omits: (_, { answer, context }) => {
    const { content, text } = answer;
    const { unlistedModel } = context;
    const part = getUnlistedModelSuffix(unlistedModel);
    const model = text.includes(unlistedModel) ? unlistedModel : `…${part}`;
    if (text.includes(part)) return fail({ kind: 'model-listed', model });
    return content.kind === 'unreadable' ? createUndecided(content.reason) : passes;
  },

  parts: (_, { answer, context }) => {
    if (answer.content.kind === 'unreadable') return createUndecided(answer.content.reason);
    if (classifyStream(answer, context.promise.fixtures.errorWords) === 'error') return nothingToCheck;
    const output = extractOutputText(answer.text);
    const reason = 'The model wrote at most one word, which may arrive in one part.';
    if (output !== undefined && isOneWord(output)) return { kind: 'undecided', reason };
    const whole = answer.headers['content-length'] !== undefined;
    return answer.pieces > 1 || (!whole && countParts(answer.text) > 1) ? passes : fail({ kind: 'one-part' });
  },

  'error-event': (_, { answer, context }) => {
    const content = classifyStream(answer, context.promise.fixtures.errorWords);
    if (content === 'error') return passes;
    if (content === 'output') return fail({ kind: 'no-error-event' });
    const reason = `The response was ${answer.status} with neither model output nor an error.`;
    return { kind: 'undecided', reason };
  },
  output: ({ what }, { answer }) => checkOutput(what, answer),

  path: ({ pattern }, { exchange }) =>
    new RegExp(pattern).test(exchange.request.path)
      ? passes
      : fail({ kind: 'wrong-path', pattern, actual: exchange.request.path }),

  attribute: ({ name, matcher }, { exchange }) => {
    const actual = exchange.attributes[name];
    if (matches(matcher, actual) !== false) return actual === undefined ? nothingToCheck : passes;
    return fail({ kind: 'wrong-attribute', name, expected: matcher.values.join(' or '), actual });
  },
};
