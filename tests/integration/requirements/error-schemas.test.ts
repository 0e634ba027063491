import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';

const { schemas } = await catalogOfPackage();

/** Returns the body with changed members of `error`; undefined removes a member. */
const withError = (body: { readonly error: object }, members: object): object => ({
  ...body,
  error: JSON.parse(JSON.stringify({ ...body.error, ...members })),
});

describe('the body of an error of a model endpoint (2.2)', () => {
  const body = {
    error: { message: 'Wrong key.', type: 'invalid_api_key', code: 401, details: null },
    trace_id: '0b8f7a52-5f0c-4d6c-9a44-0d5f6f1f2a10',
  };
  const isValid = (value: object): boolean => schemas.problems('model-error-shape', value).length === 0;

  test.each([
    ['with null as details', body],
    ['with details', withError(body, { details: { recharge_url: 'https://example.com' } })],
    ['with other members', { ...withError(body, { hint: 1 }), request_id: 'r-1' }],
  ])('%s is valid', (_, value) => {
    expect(isValid(value)).toBe(true);
  });
  test.each([
    ['a text as code', withError(body, { code: '401' })],
    ['no code', withError(body, { code: undefined })],
    ['a fraction as code', withError(body, { code: 401.5 })],
    ['no details', withError(body, { details: undefined })],
    ['a text as details', withError(body, { details: 'none' })],
    ['a list as details', withError(body, { details: [] })],
    ['no message', withError(body, { message: undefined })],
    ['a blank message', withError(body, { message: ' ' })],
    ['no type', withError(body, { type: undefined })],
    ['no trace ID', { error: body.error }],
    ['a trace ID that is no UUID', { ...body, trace_id: 'abc' }],
    ['a list around it', [body]],
  ])('with %s is invalid', (_, value) => {
    expect(isValid(value)).toBe(false);
  });
});

describe('the body of an error of a billing-type endpoint (2.3)', () => {
  const body = { error: { code: 'not_found', message: 'No such record.' } };
  const isValid = (value: object): boolean => schemas.problems('billing-error', value).length === 0;

  test('with code and message is valid', () => {
    expect(isValid(body)).toBe(true);
  });
  test.each([
    ['a number as code', withError(body, { code: 404 })],
    ['no code', withError(body, { code: undefined })],
    ['no message', withError(body, { message: undefined })],
    ['a blank message', withError(body, { message: '' })],
    ['another member of the error', withError(body, { details: null })],
    ['a trace ID', { ...body, trace_id: '0b8f7a52-5f0c-4d6c-9a44-0d5f6f1f2a10' }],
  ])('with %s is invalid', (_, value) => {
    expect(isValid(value)).toBe(false);
  });
});
