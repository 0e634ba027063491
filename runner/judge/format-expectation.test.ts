import { expect, test } from 'vitest';
import { loadSchemas } from '../../common/schemas.ts';
import { noErrors } from '../catalog/errors.ts';
import { parseExpectation } from '../catalog/expectation.ts';
import { formatExpectation } from './format-expectation.ts';

const schemas = await loadSchemas();
const word = (raw: unknown): string =>
  formatExpectation(parseExpectation(raw, { findSchema: schemas.resolved, parts: [], errors: noErrors }));

test.each<[string, unknown]>([
  ['401 `invalid_api_key`', { status: 401, type: 'invalid_api_key' }],
  ['401 `a`, `b` or `c`', { status: 401, type: ['a', 'b', 'c'] }],
  ['data, not only an error', { delivers: 'data' }],
  ['404 `not_found`', { status: 404, code: 'not_found' }],
  ['401, and `a` if the body is JSON', { status: 401, typeIfJson: 'a' }],
  ['400 with no error type of section 7.1 other than `a`', { status: 400, noOtherType: 'a' }],
  ['2xx', { status: '2xx' }],
  ['any status except 404 and 405', { status: { not: [404, 405] } }],
  [
    '401 `missing_auth_credential`, or another 4xx or 3xx',
    {
      anyOf: [{ status: 401, type: 'missing_auth_credential' }, { status: { not: ['2xx', 401, '5xx'] } }],
    },
  ],
  [
    '400 `a`, or 2xx with an error in the stream',
    {
      anyOf: [
        { status: 400, type: 'a' },
        { status: '2xx', event: 'error' },
      ],
    },
  ],
  [
    '401 with a body that conforms to the schema `model-error`, `error.type` `a`, or a body that conforms to the schema `billing-error`',
    { status: 401, anyOf: [{ body: 'model-error', type: 'a' }, { body: 'billing-error' }] },
  ],
  ['`error.code` is an integer', { at: '/error/code', is: { type: 'integer' } }],
  [
    '`error.details` is an object or null, if present',
    { at: '/error/details', is: { type: ['object', 'null'] }, optional: true },
  ],
  ['the header `x-trace-id` is a UUID', { at: 'header x-trace-id', is: { title: 'a UUID' } }],
  ['`trace_id` is present', { at: '/trace_id', is: {} }],
  ['a JSON body', { at: 'body', is: {} }],
  ['`error.code` equals the status', { at: '/error/code', equals: 'status' }],
  ['a path that starts with /v1beta/models/', { path: '^/v1beta/models/' }],
  ['a path that matches the regular expression ^/v[12]/', { path: '^/v[12]/' }],
  ['no response with 2xx', { none: { status: '2xx' } }],
  ['no response with 2xx after 400', { none: { status: '2xx' }, after: { status: 400 } }],
  ['the status and `error.code` are the same each time', { same: ['status', '/error/code'] }],
  ['the header `x-trace-id` differs each time', { distinct: 'header x-trace-id' }],
])('%s', (words, raw) => {
  expect(word(raw)).toBe(words);
});
