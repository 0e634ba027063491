import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { noErrors } from '../catalog/errors.ts';
import { parseExpectation } from '../catalog/expectation.ts';
import { readContent } from '../exchange/decode.ts';
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { checkResponse } from './check-response.ts';
import type { CheckResult, Finding } from './finding.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const error = { message: 'It is bad', type: 'invalid_request_error', code: 400 };

interface ResponseSetup {
  readonly body?: unknown;
  readonly text?: string;
  readonly model?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}
/** Checks a response with status 400, and returns the result. The default body contains `error`. */
function checkSetup(
  then: unknown,
  given: ResponseSetup,
  goodModels: readonly string[] = [],
  content: Answer['content'] | undefined = undefined,
): CheckResult {
  const text = given.text ?? JSON.stringify('body' in given ? given.body : { error });
  const answer: Answer = {
    status: 400,
    headers: { 'content-type': 'text/html' },
    text,
    size: text.length,
    content: content ?? readContent(text),
    pieces: 1,
  };
  const exchange: Exchange = {
    id: 'x#1',
    attributes: given.attributes ?? {},
    model: given.model,
    request: { method: 'POST', path: '/v1/models', headers: {}, body: undefined },
    result: { kind: 'answer', answer },
    startedAt: 0,
    durationMs: 1,
    earlier: [],
    controlAfter: undefined,
  };
  const expectation = parseExpectation(then, {
    findSchema: promise.schemas.resolved,
    parts: [],
    errors: noErrors,
  });
  return checkResponse(expectation, exchange, answer, {
    promise,
    unlistedModel: 'no-such-model',
    goodModels,
  });
}

describe('a finding contains the expected and the received value', () => {
  const long = 'x'.repeat(4001);
  test.each<[string, unknown, ResponseSetup, Finding[]]>([
    [
      'of a status and a type',
      { status: [401, 403], type: 'a' },
      {},
      [
        { kind: 'wrong-status', expected: '401 or 403', actual: 400 },
        { kind: 'wrong-type', expected: ['a'], actual: 'invalid_request_error' },
      ],
    ],
    ['of a type that is missing', { type: 'a' }, { body: {} }, [{ kind: 'missing', place: '/error/type' }]],
    ['of a code', { code: ['a', 'b'] }, {}, [{ kind: 'wrong-code', expected: ['a', 'b'], actual: 400 }]],
    ['of a code that is missing', { code: 'a' }, { body: {} }, [{ kind: 'missing', place: '/error/code' }]],
    [
      'of a long type, cut to the beginning',
      { type: 'a' },
      { body: { error: { type: long } } },
      [{ kind: 'wrong-type', expected: ['a'], actual: 'x'.repeat(4000) }],
    ],
    [
      'of a body that is not JSON, cut to the beginning',
      { body: 'billing-error' },
      { text: long },
      [{ kind: 'not-json', place: 'body', actual: 'x'.repeat(4000) }],
    ],
    [
      'of a value',
      { at: '/error/code', is: { type: 'string' } },
      {},
      [{ kind: 'wrong-value', place: '/error/code', expected: 'must be string', actual: 400 }],
    ],
    [
      'of a value that is not in a list',
      { at: '/error/type', is: { enum: ['a', 'b'] } },
      {},
      [
        {
          kind: 'wrong-value',
          place: '/error/type',
          expected: 'must be equal to one of the allowed values: a, b',
          actual: 'invalid_request_error',
        },
      ],
    ],
    [
      'of an additional member, its name',
      { at: '/error', is: { properties: { message: {}, type: {} }, additionalProperties: false } },
      {},
      [
        {
          kind: 'wrong-value',
          place: '/error',
          expected: 'must NOT have additional properties: code',
          actual: error,
        },
      ],
    ],
    [
      'of a member whose name is wrong, its name',
      { at: 'body', is: { propertyNames: { enum: ['a'] } } },
      { body: { b: 1 } },
      [
        {
          kind: 'wrong-value',
          place: 'body',
          expected: 'must be equal to one of the allowed values: a',
          actual: { b: 1 },
        },
      ],
    ],
    [
      'of a member whose name is wrong, the title of the schema',
      { at: 'body', is: { title: 'an object with `a` alone', propertyNames: { const: 'a' } } },
      { body: { b: 1 } },
      [
        {
          kind: 'wrong-value',
          place: 'body',
          expected: 'must be an object with `a` alone',
          actual: { b: 1 },
        },
      ],
    ],
    [
      'of each place that violates a schema',
      { body: 'billing-error' },
      { body: { error: { code: 'x', message: 7 }, more: 1 } },
      [
        {
          kind: 'breaks-schema',
          place: 'body',
          schema: 'billing-error',
          problem: 'must NOT have additional properties: more',
          actual: { error: { code: 'x', message: 7 }, more: 1 },
        },
        {
          kind: 'breaks-schema',
          place: '/error/message',
          schema: 'billing-error',
          problem: 'must be string',
          actual: 7,
        },
      ],
    ],
    [
      'of a message about a place',
      { names: 'place' },
      { attributes: { place: 'model' } },
      [{ kind: 'names-nothing', expected: '`model` or its type', message: 'It is bad' }],
    ],
    [
      'of a message about a model',
      { names: 'model' },
      { model: 'm-1' },
      [{ kind: 'names-nothing', expected: '`model` or `m-1`', message: 'It is bad' }],
    ],
    [
      'of a message about a model that was not named',
      { names: 'model' },
      {},
      [{ kind: 'names-nothing', expected: '`model` or its ID', message: 'It is bad' }],
    ],
    [
      'of a media type',
      { mediaType: 'json' },
      {},
      [{ kind: 'wrong-media-type', expected: 'json', actual: 'text/html' }],
    ],
    [
      'of an attribute',
      { attribute: { keyPrefix: ['a', 'b'] } },
      { attributes: { keyPrefix: 'c' } },
      [{ kind: 'wrong-attribute', name: 'keyPrefix', expected: 'a or b', actual: 'c' }],
    ],
    ['of a path', { path: '^/v2/' }, {}, [{ kind: 'wrong-path', pattern: '^/v2/', actual: '/v1/models' }]],
  ])('%s', (_, then, given, findings) => {
    expect(checkSetup(then, given)).toEqual({ kind: 'fails', findings });
  });
});

test('does not search a model list for models if no model is known', () => {
  expect(checkSetup({ lists: 'good' }, {})).toEqual({ kind: 'nothing-to-check' });
  expect(checkSetup({ lists: 'good' }, {}, ['m-1'])).toEqual({
    kind: 'fails',
    findings: [{ kind: 'model-not-listed', model: 'm-1' }],
  });
});

test('returns an undecided result with the reason for an unreadable body', () => {
  expect(checkSetup({ type: 'a' }, {}, [], { kind: 'unreadable', reason: 'odd coding' })).toEqual({
    kind: 'undecided',
    reason: 'The body cannot be judged: odd coding.',
  });
});
