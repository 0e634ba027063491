import { expect, test } from 'vitest';
import { subjectOf } from '../judge/subject.ts';
import { labelOf } from './failures.ts';

const severity = 'unauthorized-access';
const failureWith = (header: string, key: string) => {
  const attributes = { header, key, accepted: header === 'bearer' ? 'true' : 'false' };
  return { severity, attributes, subject: subjectOf(attributes) } as const;
};

test.each([
  ['the valid key in the query', 'Key accepted in a wrong place', [['query', 'good']]],
  ['the valid key with another scheme', 'Key accepted in a wrong form', [['basic', 'good']]],
  ['the valid key in other text', 'Key accepted in a wrong form', [['bearer', 'with-scheme']]],
  ['a wrong key', 'Unauthorized access', [['bearer', 'unknown']]],
  ['a wrong key in a wrong place', 'Unauthorized access', [['x-goog-api-key', 'unknown']]],
  ['a key with other characters', 'Unauthorized access', [['bearer', 'extended']]],
  ['no key', 'Unauthorized access', [['none', 'none']]],
  [
    'different misuses',
    'Unauthorized access',
    [
      ['query', 'good'],
      ['bearer', 'unknown'],
    ],
  ],
])('accepting %s is named', (_, label, sent) => {
  expect(
    labelOf(
      severity,
      sent.map(([header = '', key = '']) => failureWith(header, key)),
    ),
  ).toBe(label);
});
