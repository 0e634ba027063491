import { expect, test } from 'vitest';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { readContent } from '../../exchange/decode.ts';
import { inferFromResponse, summarizeResponse } from './infer-from-response.ts';

const { errors } = await catalogOfPackage();
const chat = { operation: 'chat', surface: 'model' };

test.each([
  [200, 'data: {"error":{"message":"oh"}}\n\n', true],
  [200, 'data: {"code":"model_not_available","message":"oh"}\n\n', true],
  [200, 'event: Failure\ndata: {}\n\n', true],
  [200, 'data: {"choices":[]}\n\n', false],
  [400, 'data: {"error":{"message":"oh"}}\n\n', false],
])('a response %d with the body %j is an error in a 2xx response: %j', (status, text, expected) => {
  const answer = { status, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  const exchange = { attributes: chat, result: { kind: 'answer', answer } } as const;
  expect(summarizeResponse(exchange, errors).isErrorIn2xx).toBe(expected);
});

const faulty = { ...chat, accepted: 'true', header: 'bearer', key: 'good', fault: 'wrong-type' };
// A message about an invalid `model` member names the model anyway; an error of the specification about models does not.
test.each([
  ['messages', 'invalid_request_error', 'No.', 'good'],
  ['messages', 'invalid_request_error', 'No such model.', undefined],
  ['messages', 'unknown_model', 'No.', undefined],
  ['messages', 'model_not_available', 'No.', undefined],
  ['model', 'invalid_model', 'The model must be a string.', 'good'],
  ['model', 'model_not_available', 'No.', undefined],
])(
  'with an invalid member %s, the error %s with the message %j shows the model: %s',
  (member, type, message, model) => {
    const text = JSON.stringify({ error: { type, message } });
    const answer = {
      status: 400,
      headers: {},
      text,
      size: text.length,
      content: readContent(text),
      pieces: 1,
    };
    const response = summarizeResponse({ attributes: chat, result: { kind: 'answer', answer } }, errors);
    expect(inferFromResponse({ ...faulty, member }, response, true).model).toBe(model);
  },
);

test.each([
  ['bearer', 'invalid_bearer_token', 'good'],
  ['bearer', 'invalid_api_key', 'unknown'],
  ['x-api-key', 'invalid_api_key', 'good'],
  ['bearer', 'missing_auth_credential', 'unknown'],
  ['bearer', undefined, 'good'],
])('after a 401 to a known key in %s with the type %s, the key counts as %s', (header, type, key) => {
  const text = JSON.stringify({ error: { type, message: 'No.' } });
  const answer = { status: 401, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  const response = summarizeResponse({ attributes: chat, result: { kind: 'answer', answer } }, errors);
  const known = { ...chat, accepted: 'true', header, key: 'good', fault: 'none' };
  expect(inferFromResponse(known, response, true).key).toBe(key);
});
