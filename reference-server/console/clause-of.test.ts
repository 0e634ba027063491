import { expect, test } from 'vitest';
import type { RequestFailure } from '../gateway/context.ts';
import type { GatewayOperationId } from '../gateway/operations.ts';
import { clauseOf, quoteOf } from './clause-of.ts';

const invalidBody: RequestFailure = { kind: 'invalid-body', place: 'body', expected: 'an object' };
const unparseableBody: RequestFailure = { kind: 'unparseable-body', reason: 'the body is empty' };
const badKey: RequestFailure = { kind: 'bad-key', header: 'x-api-key' };
const badBearer: RequestFailure = { kind: 'bad-key', header: 'bearer' };

test.each<[GatewayOperationId | undefined, RequestFailure | undefined, string | undefined]>([
  ['chat', undefined, '4 POST /v1/chat/completions'],
  ['generate', undefined, '4 /v1beta/models/...'],
  ['usage', undefined, '4 billing-type endpoints'],
  ['nativeModels', undefined, undefined],
  [undefined, { kind: 'unknown-path' }, undefined],
  ['chat', { kind: 'missing-credential' }, '5 missing_auth_credential'],
  ['usage', { kind: 'missing-credential' }, '5 missing_auth_credential'],
  ['usage', badKey, '5 invalid_api_key'],
  ['usage', badBearer, '5 invalid_bearer_token'],
  ['chat', invalidBody, '7.1 400 invalid_request_error'],
  ['chat', unparseableBody, '7.1 400 invalid_request_error'],
  ['usage', invalidBody, '7.2 400 invalid_request'],
  ['usage', unparseableBody, '7.2 400 invalid_request'],
  ['record', { kind: 'unknown-record' }, '7.2 404 not_found'],
  ['chat', { kind: 'mismatched-model', model: 'm' }, '4 rule 4'],
  ['responses', { kind: 'low-balance' }, '7.1 400 insufficient_balance'],
  ['messages', { kind: 'low-balance' }, '7.1 402 insufficient_balance'],
  ['usage', { kind: 'internal' }, '7.2 500 internal_error'],
  ['chat', { kind: 'internal' }, undefined],
])('names the clause about a response of %s after the failure %j: %j', (operation, failure, clause) => {
  expect(clauseOf({ failure, operation })).toBe(clause);
  if (clause !== undefined) expect(quoteOf(clause)).not.toBe('');
});

test('quotes a clause', () => {
  expect(quoteOf('7.1 400 model_not_available')).toMatch(/^Model ID does not exist/);
});
