import { describe, expect, test } from 'vitest';
import { noErrors } from '../catalog/errors.ts';
import { parseExpectation } from '../catalog/expectation.ts';
import { readContent } from './decode.ts';
import { isExpectedResponse, type Result } from './exchange.ts';
import { listExpectedResponses } from './expected-responses.ts';

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
    [
      'the status and type of the response',
      [refused],
      answered(400, { type: 'invalid_request_error' }),
      true,
    ],
    ['another type', [refused], answered(400, { type: 'model_not_available' }), false],
    ['another status', [refused], answered(503, { type: 'invalid_request_error' }), false],
    ['a type that the response lacks', [refused], answered(400), false],
    [
      'the status and code of the response',
      [{ status: 500, code: 'internal_error' }],
      answered(500, { code: 'internal_error' }),
      true,
    ],
    ['another code', [{ status: 500, code: 'internal_error' }], answered(500, { code: 'oops' }), false],
    ['one of several responses', [streamed], answered(200, { type: 'model_not_available' }), true],
    [
      'several responses, but with another type for this status',
      [streamed],
      answered(400, { type: 'other' }),
      false,
    ],
    ['any status except 2xx, for a 503', [{ status: { not: '2xx' } }], answered(503), true],
    ['any status except 2xx, for a 429', [{ status: { not: '2xx' } }], answered(429), false],
    [
      'a status that another requirement excludes',
      [{ status: { not: '2xx' } }, refused],
      answered(503),
      false,
    ],
    [
      'a status that both requirements accept',
      [{ status: { not: '2xx' } }, refused],
      answered(400, { type: 'invalid_request_error' }),
      true,
    ],
    ['a type without a status, for a 400', [{ type: 'a' }], answered(400, { type: 'a' }), true],
    ['a type without a status, for a 503', [{ type: 'a' }], answered(503, { type: 'a' }), false],
    ['only a comparison', [{ same: ['status'] }], answered(400), false],
    ['any status except 2xx, for a lost connection', [{ status: { not: '2xx' } }], reset, false],
    ['nothing', [], answered(200), false],
  ])('%s: $3', (_, asked, result, expected) => {
    const expectations = asked.map((raw) =>
      parseExpectation(raw, { findSchema: () => ({}), parts: [], errors: noErrors }),
    );
    expect(isExpectedResponse(result, listExpectedResponses(expectations))).toBe(expected);
  });
});
