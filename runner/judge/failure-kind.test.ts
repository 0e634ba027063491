import { describe, expect, test } from 'vitest';
import { kindOf } from './failure-kind.ts';
import type { Finding } from './finding.ts';
import type { FailureKind } from './severity.ts';
import type { Subject } from './subject.ts';

const status = (actual: number, expected = '401'): Finding => ({ kind: 'wrong-status', expected, actual });
const type: Finding = { kind: 'wrong-type', expected: ['invalid_api_key'], actual: 'x' };
const missing = (place: string): Finding => ({ kind: 'missing', place });
const oneOf = (...alternatives: Finding[][]): Finding => ({ kind: 'none-of-several', alternatives });

describe('the kind of a failure', () => {
  test.each<[FailureKind, Subject, Finding[]]>([
    ['unauthorized-access', 'no-credential', [status(200)]],
    ['unauthorized-access', 'wrong-key', [missing('/error/type'), status(204)]],
    ['unauthorized-access', 'depleted-account', [status(200, '402')]],
    ['unauthorized-access', 'foreign-record', [status(200, '404')]],
    ['unauthorized-access', 'wrong-key', [oneOf([status(200)], [status(200, '400')])]],
    ['invalid-accepted', 'invalid-body', [status(200, '400')]],
    ['invalid-accepted', 'invalid-body', [{ kind: 'happened', unwanted: '2xx', actual: 200 }]],
    ['invalid-accepted', 'unlisted-model', [oneOf([status(200, '400')], [{ kind: 'no-error-event' }])]],
    ['server-error', 'wrong-key', [status(500)]],
    ['valid-request-fails', 'valid-request', [status(503, '2xx')]],
    ['valid-request-fails', 'valid-request', [status(404, '2xx')]],
    ['valid-request-fails', 'valid-request', [{ kind: 'no-response' }]],
    ['valid-request-fails', 'valid-request', [{ kind: 'happened', unwanted: '401', actual: 401 }]],
    ['valid-request-fails', 'valid-request', [{ kind: 'only-error', expected: 'model output', actual: {} }]],
    ['wrong-status', 'valid-request', [status(404, '500')]],
    ['wrong-status', 'valid-request', [status(200, '500')]],
    ['wrong-status', 'wrong-key', [status(403)]],
    ['wrong-status', 'unlisted-model', [status(302, '400')]],
    ['wrong-status', 'valid-request', [{ kind: 'never-happened', wanted: '429', answers: 9 }]],
    ['wrong-status', 'foreign-record', [{ kind: 'differs', place: 'status', values: [403, 404] }]],
    ['wrong-type', 'wrong-key', [type]],
    ['wrong-type', 'wrong-key', [oneOf([type], [status(401, '400')])]],
    ['wrong-type', 'wrong-key', [missing('/error/type')]],
    ['not-json', 'wrong-key', [{ kind: 'not-json', place: 'body', actual: '<p>' }]],
    ['wrong-type', 'invalid-range', [{ kind: 'wrong-code', expected: ['a'], actual: 'b' }]],
    ['wrong-detail', 'wrong-key', [missing('/trace_id')]],
    [
      'wrong-detail',
      'valid-request',
      [{ kind: 'repeats', place: 'header x-trace-id', value: 'a', times: 2 }],
    ],
  ])('is %s for the subject %s and the findings %j', (kind, subject, findings) => {
    expect(kindOf(findings, subject)).toBe(kind);
  });

  test('is not unauthorized access if a success contains only an error', () => {
    expect(kindOf([status(200)], 'no-credential', '{"error":{"message":"No."}}')).toBe('wrong-status');
  });
});
