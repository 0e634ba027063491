import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { readContent } from '../exchange/decode.ts';
import { readAnswer } from '../exchange/reading.ts';
import { refusesKey } from './exemptions.ts';

const { errors } = await catalogOfPackage();

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
  const text = JSON.stringify({ error: { type, message: 'No.' } });
  const answer = { status, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  const exchange = { attributes: { surface: 'model' }, result: { kind: 'answer', answer } } as const;
  expect(refusesKey(readAnswer(exchange, errors))).toBe(expected);
});
