import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { noErrors } from '../catalog/errors.ts';
import { parseExpectation } from '../catalog/expectation.ts';
import { readContent } from '../exchange/decode.ts';
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { checkResponse } from './check-response.ts';
import type { CheckResult } from './finding.ts';

const catalog = await catalogOfPackage();
const context = {
  promise: createPromise(catalog, createEverythingProfile(catalog)),
  unlistedModel: 'no-such-model-123',
  goodModels: ['vendor/m-1', 'm-2'],
};
const trace = '5b0c7b8e-3c55-4c6e-9a53-0d6f5b3e1a99';
const error = { message: '`messages` is missing', type: 'invalid_request_error', code: 400, details: null };
const whole = { error, trace_id: trace };

interface ResponseSetup {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
  readonly pieces?: number;
  readonly unreadable?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly path?: string;
}
function exchangeOf(given: ResponseSetup): { exchange: Exchange; answer: Answer } {
  const text = given.text ?? JSON.stringify('body' in given ? given.body : whole);
  const answer: Answer = {
    status: given.status ?? 400,
    headers: given.headers ?? {},
    text,
    size: text.length,
    content: given.unreadable ? { kind: 'unreadable', reason: 'odd coding' } : readContent(text),
    pieces: given.pieces ?? 1,
  };
  const exchange: Exchange = {
    id: 'x#1',
    attributes: given.attributes ?? {},
    model: 'm-1',
    request: { method: 'POST', path: given.path ?? '/v1/chat/completions', headers: {}, body: undefined },
    result: { kind: 'answer', answer },
    startedAt: 0,
    durationMs: 1,
    earlier: [],
    controlAfter: undefined,
  };
  return { exchange, answer };
}
function checkSetup(then: unknown, given: ResponseSetup): CheckResult {
  const { exchange, answer } = exchangeOf(given);
  const expectation = parseExpectation(then, {
    findSchema: context.promise.schemas.resolved,
    parts: [],
    errors: noErrors,
  });
  return checkResponse(expectation, exchange, answer, context);
}
/** Returns the kind of a result, and the kinds of its findings. */
function kinds(result: CheckResult): string {
  return result.kind === 'fails'
    ? `fails: ${result.findings.map(({ kind }) => kind).join(' ')}`
    : result.kind;
}
function rows(title: string, then: unknown, table: [ResponseSetup, string][]): void {
  describe(title, () => {
    test.each(table)('checks %j: %s', (given, expected) => {
      expect(kinds(checkSetup(then, given))).toBe(expected);
    });
  });
}

rows('a status', { status: 401 }, [
  [{ status: 401 }, 'passes'],
  [{ status: 403 }, 'fails: wrong-status'],
  [{ status: 401, unreadable: true }, 'passes'],
]);
rows('a type', { type: ['a', 'b'] }, [
  [{ body: { error: { type: 'b' } } }, 'passes'],
  [{ body: { error: { type: 'c' } } }, 'fails: wrong-type'],
  [{ body: { error: { type: 7 } } }, 'fails: wrong-type'],
  [{ body: { error: {} } }, 'fails: missing'],
  [{ body: { error: 'a' } }, 'fails: missing'],
  [{ body: null }, 'fails: missing'],
  [{ text: '<html>' }, 'fails: not-json'],
  [{ text: '' }, 'fails: not-json'],
  [{ unreadable: true }, 'undecided'],
]);
rows('a type, if the body is JSON', { typeIfJson: 'a' }, [
  [{ body: { error: { type: 'a' } } }, 'passes'],
  [{ body: { error: { type: 'b' } } }, 'fails: wrong-type'],
  [{ body: {} }, 'fails: missing'],
  [{ body: [{ error: { type: 'a' } }] }, 'passes'],
  [{ body: [{ error: { type: 'b' } }] }, 'fails: missing'],
  [{ text: 'data: {}' }, 'passes'],
  [{ unreadable: true }, 'undecided'],
]);
rows('no other known type', { noOtherType: 'model_not_available' }, [
  [{ body: { error: { type: 'model_not_available' } } }, 'passes'],
  [{ body: { error: { type: 'invalid_request_error' } } }, 'fails: wrong-type'],
  [{ body: [{ error: { type: 'invalid_request_error' } }] }, 'fails: wrong-type'],
  [{ body: { error: { type: 'not_found_error' } } }, 'passes'],
  [{ body: { error: { type: 'x', code: 'invalid_request_error' } } }, 'passes'],
  [{ body: { error: { type: 'invalid_request_error', code: 'model_not_available' } } }, 'fails: wrong-type'],
  [{ body: { code: 'model_not_available', message: 'No.' } }, 'passes'],
  [{ body: { code: 'invalid_request_error', message: 'No.' } }, 'fails: wrong-type'],
  [{ body: { errors: [{ 'a/b': 'invalid_api_key' }] } }, 'fails: wrong-type'],
  [{ body: { message: 'Not an invalid_request_error.' } }, 'passes'],
  [{ body: { types: ['invalid_request_error', 'model_not_available'] } }, 'passes'],
  [{ body: {} }, 'passes'],
  [{ body: null }, 'passes'],
  [{ text: 'data: {}' }, 'passes'],
  [{ unreadable: true }, 'undecided'],
]);
rows('a code', { code: ['unknown', 'not_found'] }, [
  [{ body: { error: { code: 'not_found' } } }, 'passes'],
  [{ body: { error: { code: 'gone' } } }, 'fails: wrong-code'],
  [{ body: { error: { code: 404 } } }, 'fails: wrong-code'],
  [{ body: {} }, 'fails: missing'],
]);
rows('the schema of model errors', { body: 'model-error' }, [
  [{}, 'passes'],
  [{ body: { ...whole, extra: 1, error: { ...error, extra: 1 } } }, 'passes'],
  [{ body: { error } }, 'fails: breaks-schema'],
  [{ body: { error: { ...error, code: '400' }, trace_id: 'x' } }, 'fails: breaks-schema breaks-schema'],
  [{ body: { ...whole, error: { ...error, type: 'None' } } }, 'fails: breaks-schema'],
  [{ body: { ...whole, error: { ...error, type: 'insufficient_balance' } } }, 'fails: breaks-schema'],
  [{ text: 'Bad Request' }, 'fails: not-json'],
]);
rows('the schema of billing errors', { body: 'billing-error' }, [
  [{ body: { error: { code: 'x', message: 'y' } } }, 'passes'],
  [{ body: { error: { code: 'x', message: 'y', type: 'z' } } }, 'fails: breaks-schema'],
  [{ body: { error: { code: 'x', message: 'y' }, trace_id: trace } }, 'fails: breaks-schema'],
  [{ body: { error: { code: 404, message: '' } } }, 'fails: breaks-schema breaks-schema'],
]);
rows('an integer', { at: '/error/code', is: { type: 'integer' } }, [
  [{ text: '{"error":{"code":400.0}}' }, 'passes'],
  [{ body: { error: { code: 400.5 } } }, 'fails: wrong-value'],
  [{ body: { error: { code: '400' } } }, 'fails: wrong-value'],
  [{ body: { error: {} } }, 'fails: missing'],
  [{ body: { error: 'text' } }, 'nothing-to-check'],
  [{ body: { error: null } }, 'nothing-to-check'],
  [{ body: [] }, 'nothing-to-check'],
  [{ text: '' }, 'nothing-to-check'],
  [{ unreadable: true }, 'undecided'],
]);
rows(
  'a member that may be absent',
  { at: '/error/details', is: { type: ['object', 'null'] }, optional: true },
  [
    [{}, 'passes'],
    [{ body: { error: { details: {} } } }, 'passes'],
    [{ body: { error: { details: [] } } }, 'fails: wrong-value'],
    [{ body: { error: {} } }, 'nothing-to-check'],
  ],
);
rows(
  'a member that must exist, like its parent',
  { at: '/error/details/url', is: { type: 'string' }, parent: 'required' },
  [
    [{ body: { error: { details: { url: 'x' } } } }, 'passes'],
    [{ body: { error: { details: null } } }, 'fails: missing'],
    [{ body: {} }, 'fails: missing'],
  ],
);
rows('a body', { at: 'body', is: { type: 'object' } }, [
  [{ body: {} }, 'passes'],
  [{ body: [] }, 'fails: wrong-value'],
  [{ text: 'null' }, 'fails: wrong-value'],
  [{ text: '' }, 'fails: not-json'],
]);
rows('a body that may be absent', { at: 'body', is: { type: 'object' }, optional: true }, [
  [{ body: [] }, 'fails: wrong-value'],
  [{ text: '' }, 'nothing-to-check'],
]);
rows(
  'a header',
  {
    at: 'header x-trace-id',
    is: { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' },
  },
  [
    [{ headers: { 'x-trace-id': trace.toUpperCase() } }, 'passes'],
    [{ headers: { 'x-trace-id': '' } }, 'fails: wrong-value'],
    [{ headers: { 'x-trace-id': `${trace}, ${trace}` } }, 'fails: wrong-value'],
    [{ text: '<html>' }, 'fails: missing'],
  ],
);
rows('equality of status and code', { at: '/error/code', equals: 'status' }, [
  [{}, 'passes'],
  [{ status: 401 }, 'fails: not-equal'],
  [{ body: { error: { code: '400' } } }, 'nothing-to-check'],
  [{ body: {} }, 'nothing-to-check'],
]);
rows('equality of header and body', { at: 'header x-trace-id', equals: '/trace_id' }, [
  [{ headers: { 'x-trace-id': trace.toUpperCase() } }, 'passes'],
  [{ headers: { 'x-trace-id': trace.replace('5', '6') } }, 'fails: not-equal'],
  [{}, 'nothing-to-check'],
  [{ body: {} }, 'nothing-to-check'],
  [{ headers: { 'x-trace-id': trace }, text: '' }, 'nothing-to-check'],
]);
rows('a media type', { mediaType: 'json' }, [
  [{ headers: { 'content-type': 'application/json; charset=utf-8' } }, 'passes'],
  [{ headers: { 'content-type': 'Application/Problem+JSON' } }, 'passes'],
  [{ headers: { 'content-type': 'application/json ; charset=utf-8' } }, 'passes'],
  [{ headers: { 'content-type': 'text/json' } }, 'passes'],
  [{ headers: { 'content-type': 'text/html' } }, 'fails: wrong-media-type'],
  [{ headers: { 'content-type': 'application/jsonp' } }, 'fails: wrong-media-type'],
  [{}, 'fails: wrong-media-type'],
]);
rows('a message that names the place', { names: 'place' }, [
  [{ attributes: { place: 'messages[0].role', member: 'messages[].role' } }, 'passes'],
  [{ attributes: { member: 'messages' } }, 'passes'],
  [{ attributes: { place: 'messages' } }, 'passes'],
  [{ attributes: { place: 'model' } }, 'fails: names-nothing'],
  [{ body: { error: { message: 7 } }, attributes: { place: 'model' } }, 'nothing-to-check'],
]);
rows('a message that names the model', { names: 'model' }, [
  [{ body: { error: { message: 'M-1 is not known' } } }, 'passes'],
  [{ body: { error: { message: 'The Model is not known' } } }, 'passes'],
  [{ body: { error: { message: 'Not found' } } }, 'fails: names-nothing'],
]);
rows('a list with the good models', { lists: 'good' }, [
  [{ body: { data: [{ id: 'vendor/m-1' }, { id: 'm-2' }] } }, 'passes'],
  [{ body: { models: [{ name: 'models/m-2' }, 'm-1'] } }, 'passes'],
  [{ body: { 'vendor/m-1': {}, 'm-2': {} } }, 'passes'],
  [{ body: { data: [{ id: 'vendor/m-1' }] } }, 'fails: model-not-listed'],
  [{ text: 'vendor/m-1\nm-2\n' }, 'passes'],
  [{ text: 'vendor/m-1' }, 'fails: model-not-listed'],
  [{ unreadable: true }, 'nothing-to-check'],
]);
rows('a list without the unlisted model', { omits: 'unlisted' }, [
  [{ body: ['m-1'] }, 'passes'],
  [{ body: { error: 'no-such-model-123' } }, 'fails: model-listed'],
  [{ unreadable: true }, 'undecided'],
]);
const events = 'data: {"a":1}\n\ndata: {"a":2}\n\n';
rows('several parts', { chunks: 'several' }, [
  [{ text: events, pieces: 3 }, 'passes'],
  [{ text: events }, 'passes'],
  [{ text: '{"a":1}', pieces: 2 }, 'passes'],
  [{ text: events, headers: { 'content-length': '30' } }, 'fails: one-part'],
  [{ text: '{"a":1}' }, 'fails: one-part'],
  [{ text: '[{"a":1},{"a":2}]' }, 'passes'],
  [{ unreadable: true, pieces: 2 }, 'undecided'],
]);
rows('an error event', { event: 'error' }, [
  [{ text: 'data: {"error":{"code":400}}\n\n' }, 'passes'],
  [{ text: events }, 'undecided'],
  [{ text: '' }, 'undecided'],
  [{ text: 'data: {"error":{},"choices":[{"delta":{"content":"1"}}]}\n\n' }, 'fails: no-error-event'],
]);
rows('a path', { path: '^/v1beta/models/' }, [
  [{ path: '/v1beta/models/m:generateContent' }, 'passes'],
  [{ path: '/api/v1beta/models/m' }, 'fails: wrong-path'],
]);
rows('an attribute', { attribute: { keyPrefix: 'sk-' } }, [
  [{ attributes: { keyPrefix: 'sk-' } }, 'passes'],
  [{ attributes: { keyPrefix: 'other' } }, 'fails: wrong-attribute'],
  [{}, 'nothing-to-check'],
]);
rows('all of several, if one has nothing to check', { at: '/a/b', is: {}, status: 400 }, [
  [{ body: {} }, 'passes'],
  [{ status: 401, body: {} }, 'fails: wrong-status'],
]);
rows('all of several', { status: 400, type: 'invalid_request_error', code: 'x' }, [
  [{}, 'fails: wrong-code'],
  [{ status: 500, body: { error: { type: 'a', code: 'x' } } }, 'fails: wrong-status wrong-type'],
  [{ body: { error: { type: 'invalid_request_error', code: 'x' } } }, 'passes'],
  [{ status: 500, unreadable: true }, 'fails: wrong-status'],
  [{ unreadable: true }, 'undecided'],
]);
rows(
  'one of several',
  {
    anyOf: [
      { status: 401, type: 'a' },
      { status: 400, type: 'b' },
    ],
  },
  [
    [{ status: 401, body: { error: { type: 'a' } } }, 'passes'],
    [{ status: 400, body: { error: { type: 'b' } } }, 'passes'],
    [{ status: 401, body: { error: { type: 'b' } } }, 'fails: none-of-several'],
    [{ status: 400, unreadable: true }, 'undecided'],
    [{ status: 500, unreadable: true }, 'fails: none-of-several'],
  ],
);
rows('data', { delivers: 'data' }, [
  [{ body: { error: { message: 'Failed.', code: 'internal_error' } } }, 'fails: only-error'],
  [{ body: whole }, 'fails: only-error'],
  [{ body: { error: { message: 'Failed.' }, balance: 7 } }, 'passes'],
  [{ body: { error: { message: '' } } }, 'passes'],
  [{ body: { error: null } }, 'passes'],
  [{ body: 7 }, 'passes'],
  [{ text: 'time,account' }, 'passes'],
  [{ text: '' }, 'passes'],
  [{ unreadable: true }, 'passes'],
]);
rows('one of several, if none has anything to check', { anyOf: [{ at: '/a/b', is: {} }] }, [
  [{ body: {} }, 'nothing-to-check'],
]);

test.each([
  { some: { status: 400 } },
  { none: { status: 400 } },
  { same: ['status'] },
  { distinct: 'status' },
])('rejects %j, which compares several exchanges', (then) => {
  expect(() => checkSetup(then, {})).toThrow('cannot be checked on one response');
});
