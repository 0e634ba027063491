import { describeProblem } from '../../contract/schemas.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { matches } from '../catalog/condition.ts';
import { type Expectation, getSchemaTitle, type ResponseLocation } from '../catalog/expectation.ts';
import { formatStatusSet, isInStatusSet } from '../catalog/status-set.ts';
import { unlistedPart } from '../request/build-request.ts';
import type { Answer, Exchange } from '../transport/exchange.ts';
import { countParts, reportsError } from './events.ts';
import { type CheckResult, type Finding, failWith, nothingToCheck, passes } from './finding.ts';
import {
  failUnlessPresent,
  locate,
  makeNotJson,
  makeUndecided,
  readTextAt,
  readValueAt,
  truncate,
} from './locate.ts';
import {
  extractOutputText,
  hasTextInside,
  isOneWord,
  matchesModelId,
  namesModel,
  namesPlace,
} from './match-model.ts';

/** What judging needs beside the exchange. */
export interface JudgeContext {
  readonly catalog: Catalog;
  /** A model ID that nobody has. */
  readonly unlistedModel: string;
  /** The IDs of models that were called with success. */
  readonly goodModels: readonly string[];
}

type Single = Exclude<Expectation, { kind: 'some' | 'none' | 'same' | 'distinct' }>;
type Checkers = {
  readonly [K in Single['kind']]: (
    expectation: Extract<Single, { kind: K }>,
    at: CheckedResponse,
  ) => CheckResult;
};

interface CheckedResponse {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly context: JudgeContext;
}

/** Holds one answered exchange against an expectation. */
export function checkResponse(
  expectation: Expectation,
  exchange: Exchange,
  answer: Answer,
  context: JudgeContext,
): CheckResult {
  return checkAny(expectation, { exchange, answer, context });
}

function checkAny(expectation: Expectation, looked: CheckedResponse): CheckResult {
  switch (expectation.kind) {
    case 'some':
    case 'none':
    case 'same':
    case 'distinct':
      throw new Error(`"${expectation.kind}" speaks of several exchanges.`);
    default:
      return checkOne(expectation, looked);
  }
}

function checkOne<K extends Single['kind']>(
  expectation: Extract<Single, { kind: K }>,
  looked: CheckedResponse,
): CheckResult {
  const checker: Checkers[K] = checkers[expectation.kind as K];
  return checker(expectation, looked);
}

const checkers: Checkers = {
  all: ({ of }, looked) => {
    let findings: readonly Finding[] = [];
    let undecided: CheckResult | undefined;
    let passed = nothingToCheck;
    for (const part of of) {
      const result = checkAny(part, looked);
      if (result.kind === 'fails') findings = [...findings, ...result.findings];
      else if (result.kind === 'undecided') undecided ??= result;
      else if (result.kind === 'passes') passed = result;
    }
    return findings.length > 0 ? failWith(...findings) : (undecided ?? passed);
  },

  any: ({ of }, looked) => {
    const checks: CheckResult[] = [];
    for (const part of of) {
      const result = checkAny(part, looked);
      if (result.kind === 'passes') return result;
      checks.push(result);
    }
    const undecided = checks.find((item) => item.kind === 'undecided');
    if (undecided) return undecided;
    const alternatives = checks.flatMap((item) => (item.kind === 'fails' ? [item.findings] : []));
    return alternatives.length === 0 ? nothingToCheck : failWith({ kind: 'none-of-several', alternatives });
  },

  status: ({ status }, { answer }) =>
    isInStatusSet(status, answer.status)
      ? passes
      : failWith({ kind: 'wrong-status', expected: formatStatusSet(status), actual: answer.status }),

  type: ({ types, unlessNotJson }, { answer }) => {
    // A stream that is a JSON array may have its error as an item.
    const found =
      readTextAt(answer, '/error/type') ?? (unlessNotJson ? readTextAt(answer, '/0/error/type') : undefined);
    if (found !== undefined && types.includes(found)) return passes;
    const sight = locate(answer, '/error/type');
    if (sight.kind === 'not-json' && unlessNotJson) return passes;
    return (
      failUnlessPresent(sight, '/error/type', answer) ??
      failWith({ kind: 'wrong-type', expected: types, actual: shown(answer, '/error/type') })
    );
  },

  code: ({ codes }, { answer }) => {
    const found = readTextAt(answer, '/error/code');
    if (found !== undefined && codes.includes(found)) return passes;
    const sight = locate(answer, '/error/code');
    return (
      failUnlessPresent(sight, '/error/code', answer) ??
      failWith({ kind: 'wrong-code', expected: codes, actual: shown(answer, '/error/code') })
    );
  },

  body: ({ schema }, { answer, context }) => {
    const sight = locate(answer, 'body');
    if (sight.kind !== 'value') return failUnlessPresent(sight, 'body', answer) ?? nothingToCheck;
    const problems = context.catalog.schemas
      .problems(schema, sight.value)
      .filter(({ keyword }) => keyword !== 'if');
    return problems.length === 0
      ? passes
      : failWith(
          ...problems.map(
            (problem): Finding => ({
              kind: 'breaks-schema',
              place: problem.pointer || 'body',
              schema,
              problem: describeProblem(problem),
              actual: shown(answer, problem.pointer),
            }),
          ),
        );
  },

  is: ({ at, schema, whenAbsent }, { answer, context }) => {
    const sight = locate(answer, at);
    if (sight.kind === 'unreadable') return makeUndecided(sight.reason);
    if (sight.kind === 'not-json') {
      return at === 'body' && whenAbsent !== 'nothing' ? failWith(makeNotJson(at, answer)) : nothingToCheck;
    }
    if (sight.kind === 'absent') {
      if (whenAbsent === 'nothing' || (whenAbsent === 'fault-if-parent' && !sight.parent))
        return nothingToCheck;
      return failWith({ kind: 'missing', place: at });
    }
    const [problem] = context.catalog.schemas.problems(schema, sight.value);
    if (!problem) return passes;
    const title = getSchemaTitle(schema);
    const expected =
      title !== undefined && problem.keyword !== 'type' ? `must be ${title}` : describeProblem(problem);
    return failWith({ kind: 'wrong-value', place: at, expected, actual: truncate(sight.value) });
  },

  equals: ({ at, other }, { answer }) => {
    const [actual, expected] = [readValueAt(answer, at), readValueAt(answer, other)];
    if (actual === undefined || typeof actual !== typeof expected) return nothingToCheck;
    return fold(actual) === fold(expected)
      ? passes
      : failWith({
          kind: 'not-equal',
          place: at,
          actual: truncate(actual),
          other,
          expected: truncate(expected),
        });
  },

  'media-type': ({ name }, { answer }) => {
    const actual = answer.headers['content-type'];
    const type = (actual ?? '').replace(/;.*/s, '').trim().toLowerCase();
    const fits = type === `application/${name}` || type.endsWith(`+${name}`) || type === `text/${name}`;
    return fits ? passes : failWith({ kind: 'wrong-media-type', expected: name, actual });
  },

  names: ({ what }, { answer, exchange, context }) => {
    const message = readTextAt(answer, '/error/message');
    if (message === undefined) return nothingToCheck;
    const { place = 'none', member = 'none' } = exchange.attributes;
    const named = place === 'none' ? member : place;
    const fits =
      what === 'model'
        ? namesModel(message, exchange.model)
        : namesPlace(message, named, context.catalog.fixtures.typeWords);
    const expected = what === 'model' ? `model or ${exchange.model ?? 'its ID'}` : `${named} or a type`;
    return fits ? passes : failWith({ kind: 'names-nothing', expected, message });
  },

  lists: (_, { answer, context }) => {
    const { content } = answer;
    if (content.kind === 'unreadable' || context.goodModels.length === 0) return nothingToCheck;
    // That the list is JSON is asked for elsewhere; a list that isn't can still name its models.
    const names = (model: string): boolean =>
      content.kind === 'json'
        ? hasTextInside(content.value, (text) => matchesModelId(text, model))
        : answer.text.includes(model);
    const missing = context.goodModels.find((model) => !names(model));
    return missing === undefined ? passes : failWith({ kind: 'model-not-listed', model: missing });
  },

  omits: (_, { answer, context }) => {
    const { content, text } = answer;
    const { unlistedModel } = context;
    const part = unlistedPart(unlistedModel);
    if (text.includes(part))
      return failWith({
        kind: 'model-listed',
        model: text.includes(unlistedModel) ? unlistedModel : `…${part}`,
      });
    return content.kind === 'unreadable' ? makeUndecided(content.reason) : passes;
  },

  parts: (_, { answer }) => {
    if (answer.content.kind === 'unreadable') return makeUndecided(answer.content.reason);
    const output = extractOutputText(answer.text);
    if (output !== undefined && isOneWord(output))
      return { kind: 'undecided', reason: 'The model wrote no more than one word.' };
    const whole = answer.headers['content-length'] !== undefined;
    return answer.pieces > 1 || (!whole && countParts(answer.text) > 1)
      ? passes
      : failWith({ kind: 'one-part' });
  },

  'error-event': (_, { answer }) =>
    reportsError(answer.text) ? passes : failWith({ kind: 'no-error-event' }),

  path: ({ pattern }, { exchange }) =>
    new RegExp(pattern).test(exchange.request.path)
      ? passes
      : failWith({ kind: 'wrong-path', pattern, actual: exchange.request.path }),

  attribute: ({ name, matcher }, { exchange }) => {
    const actual = exchange.attributes[name];
    if (matches(matcher, actual) !== false) return actual === undefined ? nothingToCheck : passes;
    return failWith({ kind: 'wrong-fact', fact: name, expected: matcher.values.join(' or '), actual });
  },
};

function shown(answer: Answer, place: ResponseLocation): unknown {
  return truncate(readValueAt(answer, place));
}

/** Identifiers are the same in upper and lower case. */
function fold(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
