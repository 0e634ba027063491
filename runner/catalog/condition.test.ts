import { describe, expect, test } from 'vitest';
import { type Attributes, evaluate, matches, parseCondition, parseMatcher } from './condition.ts';

const fail = (path: readonly (string | number)[], problem: string): Error =>
  new Error(`${path.join('.')}: ${problem}`);
const evaluateRaw = (condition: unknown, attributes: Attributes): boolean | undefined =>
  evaluate(parseCondition(condition, fail), attributes);

describe('a condition', () => {
  const either = { anyOf: [{ header: 'raw' }, { header: 'bearer', key: 'empty' }] };
  test.each<[string, unknown, Attributes, boolean | undefined]>([
    ['is always satisfied without matchers', {}, {}, true],
    ['is satisfied if every attribute matches', { a: 'x', b: ['y', 'z'] }, { a: 'x', b: 'z' }, true],
    ['fails if one attribute differs', { a: 'x', b: 'y' }, { a: 'x', b: 'z' }, false],
    ['compares flags and numbers as text', { streamed: true, n: 4 }, { streamed: 'true', n: '4' }, true],
    ['is unknown if an attribute is unknown', { a: 'x', b: 'y' }, { a: 'x' }, undefined],
    ['fails in spite of an unknown attribute if another differs', { a: 'x', b: 'y' }, { b: 'z' }, false],
    ['with `not` is satisfied by any other value', { a: { not: ['x', 'y'] } }, { a: 'z' }, true],
    ['with `not` fails for the value', { a: { not: 'x' } }, { a: 'x' }, false],
    ['with `not` is unknown for an unknown attribute', { a: { not: 'x' } }, {}, undefined],
    ['is satisfied by one alternative, even if another fails', either, { header: 'raw' }, true],
    ['fails if every alternative fails', either, { header: 'x-api-key', key: 'empty' }, false],
    [
      'is unknown if an alternative is unknown and no other is satisfied',
      either,
      { header: 'bearer' },
      undefined,
    ],
    [
      'fails if its own matcher fails, even if an alternative is unknown',
      { ...either, a: 'x' },
      { a: 'y', header: 'bearer' },
      false,
    ],
    [
      'is unknown if its own matcher is unknown, even if an alternative is satisfied',
      { ...either, a: 'x' },
      { header: 'raw' },
      undefined,
    ],
  ])('%s', (_, condition, attributes, expected) => {
    expect(evaluateRaw(condition, attributes)).toBe(expected);
  });

  test.each<[string, unknown, string]>([
    ['a text', 'chat', ': a condition must be a mapping of attributes to values'],
    ['a list', ['chat'], ': a condition must be a mapping of attributes to values'],
    ['an `anyOf` that is not a list', { anyOf: { a: 1 } }, 'anyOf: `anyOf` must be a list of conditions'],
    [
      'an alternative that is not a mapping',
      { anyOf: [{}, 7] },
      'anyOf.1: a condition must be a mapping of attributes to values',
    ],
    ['an `answer` that is not a mapping', { answer: 400 }, 'answer: `answer` must be a mapping'],
    [
      'an unknown member of `answer`',
      { answer: { code: 400 } },
      'answer.code: unknown property "code" in `answer`.',
    ],
    [
      'an invalid status',
      { answer: { status: 42 } },
      'answer.status: a status must be a number from 100 to 599, or a class such as 4xx',
    ],
  ])('that is or contains %s is rejected with the path', (_, condition, message) => {
    expect(() => parseCondition(condition, fail)).toThrow(message);
  });

  test('has the expectations of the response that `answer` contains', () => {
    const { answer } = parseCondition(
      {
        answer: {
          status: [400, '5xx'],
          type: { not: 'x' },
          string: '/error/type',
          mostlyLatin: '/error/message',
        },
      },
      fail,
    );
    expect(answer).toEqual({
      status: { members: ['400', '5xx'], negated: false },
      type: { values: ['x'], negated: true },
      string: '/error/type',
      mostlyLatin: '/error/message',
    });
  });
});

test.each<[unknown, string | undefined, boolean | undefined]>([
  ['x', 'x', true],
  ['x', 'y', false],
  [{ not: 'x' }, 'y', true],
  ['x', undefined, undefined],
  [{ not: 'x' }, undefined, undefined],
])('the matcher %j applied to %j returns %j', (matcher, value, expected) => {
  expect(matches(parseMatcher(matcher), value)).toBe(expected);
});
