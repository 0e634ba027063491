import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { readContent } from '../exchange/decode.ts';
import type { Result } from '../exchange/exchange.ts';
import { readAnswer } from '../exchange/reading.ts';
import { isErrorInSuccess, isKeyRejected, needsConfirmation, refusesKey } from './attribution.ts';

const { errors } = await catalogOfPackage();
const reset: Result = { kind: 'failure', failure: { reason: 'reset', detail: 'it was reset' } };

function answered(status: number, type?: string): Result {
  const text = type === undefined ? '' : JSON.stringify({ error: { type, message: 'No.' } });
  const content = readContent(text);
  return { kind: 'answer', answer: { status, headers: {}, text, size: text.length, content, pieces: 1 } };
}

test.each<[string, Result, Readonly<Record<string, string>>, boolean]>([
  ['a 401 rejects', answered(401), {}, true],
  ['a 402 rejects', answered(402), {}, true],
  ['a 403 rejects', answered(403), {}, true],
  ['a 400 does not reject', answered(400), {}, false],
  ['no response does not reject', reset, {}, false],
  ['an error about the balance does not reject', answered(402, 'insufficient_balance'), {}, false],
  ['a 403 about the model does not reject', answered(403, 'model_not_available'), {}, false],
  ['a 401 about the model rejects', answered(401, 'model_not_available'), {}, true],
  ['a 403 about the request rejects', answered(403, 'invalid_request_error'), {}, true],
  ['a 400 about the key rejects', answered(400, 'invalid_api_key'), {}, true],
  ['a 500 about the key does not reject', answered(500, 'invalid_api_key'), {}, false],
  ['a 401 to the key of an account without a balance rejects', answered(401), { key: 'depleted' }, true],
  ['a 401 to a wrong key does not reject', answered(401), { key: 'unknown' }, false],
  ['a 401 to a key in an unaccepted header does not reject', answered(401), { accepted: 'false' }, false],
])('%s a key that must be accepted', (_, result, attributes, expected) => {
  expect(
    isKeyRejected({ attributes: { key: 'good', accepted: 'true', ...attributes }, result }, errors),
  ).toBe(expected);
});

const good = { request: 'valid', key: 'good', accepted: 'true', burst: 'false' };
const billing = { ...good, surface: 'billing' };
test.each<[string, Readonly<Record<string, string>>, object, boolean]>([
  ['a model call', { ...good, surface: 'model' }, {}, true],
  ['the balance', { ...billing, operation: 'balance' }, {}, true],
  ['the balance, with an amount', { ...billing, operation: 'balance' }, { amount: 7 }, false],
  ['a request record', { ...billing, operation: 'record' }, {}, false],
  ['the usage, in a burst', { ...billing, operation: 'usage', burst: 'true' }, {}, false],
  ['the usage, with a wrong key', { ...billing, operation: 'usage', key: 'unknown' }, {}, false],
])('recognizes a 200 that contains only an error: %s: $3', (_, attributes, rest, expected) => {
  const text = JSON.stringify({ ...rest, error: { message: 'Failed.' } });
  const answer = { status: 200, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  expect(isErrorInSuccess({ attributes, result: { kind: 'answer', answer } })).toBe(expected);
});

const valid = { key: 'good', accepted: 'true', model: 'good', surface: 'model' };
test.each<[string, Result, Readonly<Record<string, string>>, boolean]>([
  ['no response', reset, {}, true],
  ['a 500', answered(500), {}, true],
  ['a 500 to a wrong key', answered(500), { key: 'unknown' }, true],
  ['a 400', answered(400), {}, false],
  ['an error about the model', answered(400, 'model_not_supported'), {}, true],
  [
    'the same for an account without a balance',
    answered(400, 'model_not_supported'),
    { key: 'depleted' },
    true,
  ],
  ['the same for an unlisted model', answered(400, 'model_not_available'), { model: 'unlisted' }, false],
  ['the same for a wrong key', answered(400, 'model_not_available'), { key: 'unknown' }, true],
  ['a 408', answered(408), {}, true],
  ['a 413', answered(413), {}, false],
  ['an error about the balance', answered(400, 'insufficient_balance'), {}, true],
  [
    'the same for an account without a balance',
    answered(400, 'insufficient_balance'),
    { key: 'depleted' },
    false,
  ],
  ['an error about the request', answered(400, 'invalid_request_error'), {}, false],
  ['a 200 with only an error', answered(200, 'invalid_request_error'), { request: 'valid' }, true],
])('%s needs confirmation: $3', (_, result, attributes, expected) => {
  expect(needsConfirmation({ attributes: { ...valid, ...attributes }, result }, errors)).toBe(expected);
});

test.each([
  [401, 'invalid_api_key', true],
  [401, 'something_else', true],
  [403, 'something_else', true],
  [403, 'invalid_request_error', true],
  [400, 'invalid_bearer_token', true],
  [401, 'missing_auth_credential', false],
  [403, 'missing_auth_credential', false],
  [403, 'model_not_available', false],
  [403, 'insufficient_balance', false],
  [400, 'invalid_request_error', false],
  [500, 'invalid_api_key', false],
  [200, 'invalid_api_key', false],
])('a %d with the type %s refuses the key: %j', (status, type, expected) => {
  const exchange = { attributes: { surface: 'model' }, result: answered(status, type) };
  expect(refusesKey(readAnswer(exchange, errors))).toBe(expected);
});
