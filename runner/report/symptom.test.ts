import { describe, expect, test } from 'vitest';
import type { Finding } from '../judge/finding.ts';
import { symptomOf } from './symptom.ts';

const status = (expected: string, actual: number): Finding => ({ kind: 'wrong-status', expected, actual });
const type = (expected: string, actual: unknown): Finding => ({
  kind: 'wrong-type',
  expected: [expected],
  actual,
});
const missing = (place: string): Finding => ({ kind: 'missing', place });
const value = (actual: unknown): Finding => ({
  kind: 'wrong-value',
  place: '/trace_id',
  expected: 'must be a UUID',
  actual,
});
const broken = (actual: unknown): Finding => ({
  kind: 'breaks-schema',
  place: 'body',
  schema: 'billing-error',
  problem: 'must have error',
  actual,
});

describe('the message of a symptom', () => {
  test.each<[string, Finding[], string]>([
    ['the wrong status alone', [missing('/error/type'), status('401', 200)], 'expected status 401, got 200'],
    ['every finding if the status is correct', [missing('/a'), missing('/b')], 'a is missing; b is missing'],
    [
      'the findings of the most similar alternative',
      [
        {
          kind: 'none-of-several',
          alternatives: [
            [status('400', 401), type('invalid_request_error', 'x')],
            [type('invalid_api_key', 'x')],
          ],
        },
      ],
      'expected error.type invalid_api_key, got "x"',
    ],
    [
      'the findings of the alternative with the fewest findings',
      [{ kind: 'none-of-several', alternatives: [[missing('/a'), missing('/b')], [missing('/c')]] }],
      'c is missing',
    ],
    [
      'the status if the status is wrong in every alternative',
      [{ kind: 'none-of-several', alternatives: [[status('400', 200)], [broken({}), status('401', 200)]] }],
      'expected status 400 or 401, got 200',
    ],
    [
      'the wrong status, even if another finding has alternatives',
      [status('401', 200), { kind: 'none-of-several', alternatives: [[broken({})], [missing('/error')]] }],
      'expected status 401, got 200',
    ],
  ])('is %s', (_, findings, message) => {
    expect(symptomOf(findings).message).toBe(message);
  });
});

describe('two responses have the same symptom', () => {
  test.each<[string, Finding, Finding, boolean]>([
    ['with different values', value('req_1'), value('req_2'), true],
    ['with the same wrong type and different expected types', type('a', 'x'), type('b', 'x'), true],
    ['with different types', type('a', 'x'), type('a', 'y'), false],
    ['with the same wrong status', status('401', 200), status('401', 200), true],
    ['with different statuses', status('401', 200), status('401', 500), false],
    ['with different places', missing('/a'), missing('/b'), false],
    ['with bodies that lack the same member', broken({ a: 1 }), broken({ b: 2 }), true],
  ])('%s: %s', (_, one, other, same) => {
    expect(symptomOf([one]).key === symptomOf([other]).key).toBe(same);
  });
});

test.each<[Finding, string, string[]]>([
  [type('a', 'x'), 'error.type is "x"', ['/error/type']],
  [{ kind: 'wrong-code', expected: ['a'], actual: 7 }, 'error.code is 7', ['/error/code']],
  [{ kind: 'not-json', place: '/error/type', actual: '<p>' }, 'the response body is not JSON', ['body']],
  [
    { kind: 'not-json', place: 'body', actual: '{}', reason: 'the body is not valid UTF-8' },
    'the response body is not JSON: the body is not valid UTF-8',
    ['body'],
  ],
  [status('401', 200), 'expected status 401, got 200', ['status']],
  [missing('header x-trace-id'), 'the header x-trace-id is missing', ['header x-trace-id']],
  [
    {
      kind: 'breaks-schema',
      schema: 's',
      place: '/error',
      problem: 'must NOT have additional properties: type',
      actual: {},
    },
    'error has a member that is not allowed: type',
    ['/error'],
  ],
  [
    { kind: 'wrong-attribute', name: 'keyPrefix', expected: 'sk-', actual: 'other' },
    'expected the prefix of an accepted key to be sk-, got other',
    [],
  ],
])('a finding has a text without varying values, and its places: %j', (finding, seen, places) => {
  expect(symptomOf([finding])).toMatchObject({ seen, places });
});
