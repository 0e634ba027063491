import { describe, expect, test } from 'vitest';
import { type Finding, placesOf, type SingleFinding, textsOf } from './finding.ts';

const at = '/error/details';
const rows: {
  readonly [K in SingleFinding['kind']]: readonly [Extract<SingleFinding, { kind: K }>, string | undefined];
} = {
  'wrong-status': [{ kind: 'wrong-status', expected: '401', actual: 200 }, 'status'],
  'cut-response': [{ kind: 'cut-response' }, 'status'],
  'no-response': [{ kind: 'no-response' }, 'status'],
  'wrong-type': [{ kind: 'wrong-type', expected: ['a'], actual: 'b' }, '/error/type'],
  'wrong-code': [{ kind: 'wrong-code', expected: ['a'], actual: 'b' }, '/error/code'],
  'not-json': [{ kind: 'not-json', place: '/error/type', actual: '<p>' }, 'body'],
  missing: [{ kind: 'missing', place: at }, at],
  present: [{ kind: 'present', place: at, actual: 'x' }, at],
  'not-as-declared': [{ kind: 'not-as-declared', declared: 'status 404' }, undefined],
  'only-error': [{ kind: 'only-error', expected: 'data', actual: {} }, 'body'],
  'wrong-value': [{ kind: 'wrong-value', place: at, expected: 'must be', actual: 1 }, at],
  'breaks-schema': [{ kind: 'breaks-schema', place: at, schema: 's', problem: 'p', actual: 1 }, at],
  'not-equal': [{ kind: 'not-equal', place: at, actual: 1, other: 'status', expected: 2 }, at],
  'wrong-media-type': [
    { kind: 'wrong-media-type', expected: 'json', actual: undefined },
    'header content-type',
  ],
  'names-nothing': [{ kind: 'names-nothing', expected: 'it', message: 'no' }, '/error/message'],
  'model-not-listed': [{ kind: 'model-not-listed', model: 'm' }, 'body'],
  'model-listed': [{ kind: 'model-listed', model: 'm' }, 'body'],
  'one-part': [{ kind: 'one-part' }, 'body'],
  'no-error-event': [{ kind: 'no-error-event' }, 'body'],
  'not-offered': [{ kind: 'not-offered', request: 'GET /v1/models' }, undefined],
  'wrong-path': [{ kind: 'wrong-path', pattern: '/v1', actual: '/v2' }, undefined],
  'wrong-attribute': [{ kind: 'wrong-attribute', name: 'header', expected: 'a', actual: 'b' }, undefined],
  'never-happened': [{ kind: 'never-happened', wanted: 'status 429', answers: 3 }, undefined],
  happened: [{ kind: 'happened', unwanted: 'status 500', actual: 500 }, 'status'],
  differs: [{ kind: 'differs', place: at, values: [1, 2] }, at],
  'same-message': [
    { kind: 'same-message', message: 'No.', members: ['model', 'messages'] },
    '/error/message',
  ],
  repeats: [{ kind: 'repeats', place: at, value: 1, times: 2 }, at],
};

describe.each(Object.entries(rows))('a finding of the kind %s', (_, [finding, place]) => {
  test(`is shown at ${place ?? 'no place of a response'}`, () => {
    expect(placesOf(finding)).toEqual(place === undefined ? [] : [place]);
    const { label } = textsOf(finding);
    if (place === undefined)
      expect(label).toMatch(/^(the (path|operations|deviations) in the profile|header|all responses)$/);
    else expect(label).toBeUndefined();
  });
});

test('a finding with alternatives has each place once', () => {
  const status: Finding = { kind: 'wrong-status', expected: '401', actual: 200 };
  const missing: Finding = { kind: 'missing', place: '/error/details' };
  const finding: Finding = { kind: 'none-of-several', alternatives: [[status, missing], [status]] };
  expect(placesOf(finding)).toEqual(['status', '/error/details']);
});
