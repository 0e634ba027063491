import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { readContent } from './decode.ts';
import { reportsError } from './events.ts';
import type { Answer, Result } from './exchange.ts';
import { type ReadingKind, readAnswer, readKind } from './reading.ts';

const { errors } = await catalogOfPackage();

function answered(status: number, body: string | object, content?: Answer['content']): Result {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = {
    status,
    headers: {},
    text,
    size: text.length,
    content: content ?? readContent(text),
    pieces: 1,
  };
  return { kind: 'answer', answer };
}
const reset: Result = { kind: 'failure', failure: { reason: 'reset', detail: 'it was reset' } };
const named = (type: string): object => ({ error: { type, message: 'No.' } });
const model = { surface: 'model', operation: 'chat' };
const balance = { surface: 'billing', operation: 'balance' };
const output = { choices: [{ message: { content: 'Hello.' } }] };

test.each<[string, Result, Readonly<Record<string, string>>, ReadingKind]>([
  ['no response', reset, model, 'transient'],
  ['a 429', answered(429, named('invalid_request_error')), model, 'transient'],
  ['a page with status 502', answered(502, '<html>'), model, 'transient'],
  ['output', answered(200, output), model, 'success'],
  ['output next to an error', answered(200, { ...output, error: { message: 'Cut off.' } }), model, 'unclear'],
  ['an error in an unknown form', answered(200, { type: 'error', code: 7 }), model, 'unclear'],
  ['only an error', answered(200, named('x')), model, 'error-in-success'],
  [
    'only an error instead of a balance',
    answered(200, { error: { message: 'No.' } }),
    balance,
    'error-in-success',
  ],
  ['an error next to a balance', answered(200, { amount: 7, error: { message: 'No.' } }), balance, 'unclear'],
  [
    'an error in a model list',
    answered(200, named('x')),
    { surface: 'list', operation: 'models' },
    'unclear',
  ],
  ['an error', answered(400, named('x')), model, 'refusal'],
  ['an error without a type', answered(403, { error: { message: 'No.' } }), model, 'refusal'],
  ['JSON without an error', answered(401, { detail: 'No.' }), model, 'page'],
  ['an error that is only a text', answered(403, { error: 'No.' }), model, 'page'],
  ['a page', answered(403, '<html>'), model, 'page'],
  [
    'a body that cannot be decoded',
    answered(400, '', { kind: 'unreadable', reason: 'gzip' }),
    model,
    'unreadable',
  ],
  ['a redirect', answered(302, ''), model, 'other'],
])('reads %s as $3', (_, result, attributes, expected) => {
  expect(readKind({ attributes, result })).toBe(expected);
});

test.each([
  [400, 'invalid_request_error', 'request'],
  [400, 'model_not_available', 'model'],
  [403, 'model_not_supported', 'model'],
  [400, 'insufficient_balance', 'account'],
  [429, 'insufficient_balance', 'account'],
  [401, 'insufficient_balance', 'account'],
  [401, 'invalid_bearer_token', 'key'],
  [400, 'invalid_api_key', 'key'],
  [401, 'model_not_available', 'key'],
  [401, 'invalid_request_error', 'key'],
  [403, 'invalid_request_error', 'key'],
  [402, 'invalid_request_error', 'account'],
  [429, 'invalid_request_error', 'rate'],
  [500, 'invalid_request_error', 'gateway'],
  [402, 'payment_required', 'account'],
  [400, 'model_not_found', undefined],
  [400, 'not_found', undefined],
])('a %d with the type %s is about: %s', (status, type, about) => {
  expect(readAnswer({ attributes: model, result: answered(status, named(type)) }, errors).about).toBe(about);
});

test.each<[string, Readonly<Record<string, string>>, object, string | undefined]>([
  ['the code of a billing-type endpoint', balance, { code: 'not_found', message: 'No.' }, 'not_found'],
  ['the code of an unknown endpoint', {}, { code: 'not_found', message: 'No.' }, 'not_found'],
  ['no code of a model endpoint', model, { code: 'not_found', message: 'No.' }, undefined],
  ['the type of a billing-type endpoint', balance, { type: 'invalid_api_key', code: 'x' }, 'invalid_api_key'],
  ['no number', model, { type: 7, code: 7 }, undefined],
])('an error is named by %s', (_, attributes, error, expected) => {
  const reading = readAnswer({ attributes, result: answered(404, { error }) }, errors);
  expect(reading.error?.name).toBe(expected);
});

// Otherwise, a response could be more certainly an error than it is possibly one.
test.each([
  ['a body', JSON.stringify(named('x'))],
  ['an event', `data: ${JSON.stringify(named('x'))}\n\n`],
  ['a line', `${JSON.stringify(named('x'))}\n`],
  ['an item', JSON.stringify([named('x')])],
  ['a nested error', JSON.stringify({ type: 'response.failed', response: { error: { message: 'No.' } } })],
])('only an error in %s is also a sign of an error', (_, text) => {
  expect(readKind({ attributes: model, result: answered(200, text) })).toBe('error-in-success');
  expect(reportsError(text)).toBe(true);
});
