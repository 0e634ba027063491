import { expect, test } from 'vitest';
import type { Finding } from '../../judge/finding.ts';
import { alternativesOf, differencesOf } from './exchange-view.tsx';

const rows: [Finding, string][] = [
  [{ kind: 'wrong-status', expected: '401', actual: 200 }, 'status: 401 | 200'],
  [{ kind: 'wrong-type', expected: ['a', 'b'], actual: 'c' }, '/error/type: a or b | "c"'],
  [{ kind: 'wrong-code', expected: ['a'], actual: undefined }, '/error/code: a | nothing'],
  [{ kind: 'not-json', place: 'body', actual: '' }, 'body: JSON | an empty body'],
  [{ kind: 'not-json', place: '/error/type', actual: '<p>' }, 'body: JSON with error.type | "<p>"'],
  [{ kind: 'missing', place: '/trace_id' }, '/trace_id: present | missing'],
  [
    { kind: 'not-equal', place: 'header x-trace-id', actual: 'a', other: '/trace_id', expected: 'b' },
    'header x-trace-id: the same as trace_id, "b" | "a"',
  ],
  [{ kind: 'wrong-media-type', expected: 'json', actual: undefined }, 'header content-type: JSON | missing'],
  [{ kind: 'happened', unwanted: 'status 500', actual: 500 }, 'status: any status except status 500 | 500'],
  [
    { kind: 'differs', place: 'status', values: [200, 200, 401] },
    'status: the same in every response | 200, 401',
  ],
];

test.each(rows)('shows the difference of %j', (finding, text) => {
  expect(
    differencesOf(finding).map(({ place, expected, received }) => `${place}: ${expected} | ${received}`),
  ).toEqual([text]);
});

test('lists the differences from each correct response separately', () => {
  const finding: Finding = {
    kind: 'none-of-several',
    alternatives: [
      [
        { kind: 'wrong-status', expected: '401', actual: 200 },
        { kind: 'missing', place: '/error' },
      ],
      [{ kind: 'wrong-status', expected: '403', actual: 200 }],
    ],
  };
  expect(alternativesOf(finding).map((way) => way.map(({ place }) => place))).toEqual([
    ['status', '/error'],
    ['status'],
  ]);
  expect(differencesOf(finding)).toHaveLength(3);
});
