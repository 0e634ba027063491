import { expect, test } from 'vitest';
import { parseExpectation } from '../catalog/expectation.ts';
import { listExpectedResponses } from '../plan/expected-responses.ts';
import { readContent } from './decode.ts';
import { isExpectedResponse, type Result } from './exchange.ts';

function answered(status: number, error?: Readonly<Record<string, unknown>>): Result {
  const text = error ? JSON.stringify({ error }) : 'page';
  const content = readContent(text);
  return {
    kind: 'answer',
    answer: { status, headers: {}, text, size: text.length, content, pieces: 1 },
  };
}
const reset: Result = { kind: 'failure', failure: { reason: 'reset', detail: 'it was reset' } };
const refused = { status: 400, type: 'invalid_request_error' };
const streamed = {
  anyOf: [
    { status: 400, typeIfJson: 'invalid_request_error' },
    { status: '2xx', event: 'error' },
  ],
};

test.each<[string, boolean, readonly object[], Result]>([
  ['expect its status and type', true, [refused], answered(400, { type: 'invalid_request_error' })],
  ['expect another type', false, [refused], answered(400, { type: 'model_not_available' })],
  ['expect another status', false, [refused], answered(503, { type: 'invalid_request_error' })],
  ['expect a type that the response lacks', false, [refused], answered(400)],
  [
    'expect its status and code',
    true,
    [{ status: 500, code: 'internal_error' }],
    answered(500, { code: 'internal_error' }),
  ],
  ['expect another code', false, [{ status: 500, code: 'internal_error' }], answered(500, { code: 'oops' })],
  ['expect it as one of several responses', true, [streamed], answered(200, { type: 'model_not_available' })],
  ['expect its status with another type', false, [streamed], answered(400, { type: 'other' })],
  ['exclude only other statuses', true, [{ status: { not: '2xx' } }], answered(503)],
  ['exclude only other statuses than its 429', false, [{ status: { not: '2xx' } }], answered(429)],
  ['allow its status once and exclude it once', false, [{ status: { not: '2xx' } }, refused], answered(503)],
  [
    'all accept its status',
    true,
    [{ status: { not: '2xx' } }, refused],
    answered(400, { type: 'invalid_request_error' }),
  ],
  ['expect its type and no status', true, [{ type: 'a' }], answered(400, { type: 'a' })],
  ['expect the type of a 503 and no status', false, [{ type: 'a' }], answered(503, { type: 'a' })],
  ['only compare responses', false, [{ same: ['status'] }], answered(400)],
  ['exclude statuses, and no response was received', false, [{ status: { not: '2xx' } }], reset],
  ['expect nothing', false, [], answered(200)],
])('if the requirements %s, isExpectedResponse returns %s', (_, expected, asked, result) => {
  const expectations = asked.map((raw) => parseExpectation(raw, () => ({})));
  expect(isExpectedResponse(result, listExpectedResponses(expectations))).toBe(expected);
});
