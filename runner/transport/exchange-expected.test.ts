import { describe, expect, test } from 'vitest';
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

describe('isExpectedResponse, if the requirements expect', () => {
  test.each<[string, readonly object[], Result, boolean]>([
    ['its status and type', [refused], answered(400, { type: 'invalid_request_error' }), true],
    ['another type', [refused], answered(400, { type: 'model_not_available' }), false],
    ['another status', [refused], answered(503, { type: 'invalid_request_error' }), false],
    ['a type that the response lacks', [refused], answered(400), false],
    [
      'its status and code',
      [{ status: 500, code: 'internal_error' }],
      answered(500, { code: 'internal_error' }),
      true,
    ],
    ['another code', [{ status: 500, code: 'internal_error' }], answered(500, { code: 'oops' }), false],
    ['one of several responses', [streamed], answered(200, { type: 'model_not_available' }), true],
    ['the type of another of several responses', [streamed], answered(400, { type: 'other' }), false],
    ['all but some statuses', [{ status: { not: '2xx' } }], answered(503), true],
    ['no 429, whatever the statuses are', [{ status: { not: '2xx' } }], answered(429), false],
    ['a status that another excludes', [{ status: { not: '2xx' } }, refused], answered(503), false],
    [
      'a status that both accept',
      [{ status: { not: '2xx' } }, refused],
      answered(400, { type: 'invalid_request_error' }),
      true,
    ],
    ['a type without a status', [{ type: 'a' }], answered(400, { type: 'a' }), true],
    ['no transient status without a status', [{ type: 'a' }], answered(503, { type: 'a' }), false],
    ['only a comparison', [{ same: ['status'] }], answered(400), false],
    ['any response, without one', [{ status: { not: '2xx' } }], reset, false],
    ['nothing', [], answered(200), false],
  ])('%s', (_, asked, result, expected) => {
    const expectations = asked.map((raw) => parseExpectation(raw, () => ({})));
    expect(isExpectedResponse(result, listExpectedResponses(expectations))).toBe(expected);
  });
});
