import { expect, test } from 'vitest';
import type { Finding } from '../judge/finding.ts';
import { truncate } from '../judge/locate.ts';
import { describeFinding } from './describe-exchange.ts';
import { createRedact } from './redaction/redact.ts';

const key = 'sk-0123456789abcdefghijklmnopqrstuv';
const redact = createRedact(new Map([[key, 'keys.valid']]));
const described = (actual: unknown): ReturnType<typeof describeFinding> =>
  describeFinding(
    { exchange: 'a#1', finding: { kind: 'wrong-value', place: 'body', expected: 'must be x', actual } },
    redact,
  );
const filled = (length: number): string => '~'.repeat(length);

test.each([
  ['text', `${filled(490)}${key}`, `${filled(490)}{{keys.valid}}…`],
  ['text of 500 characters', filled(500), filled(500)],
  ['list', [`${filled(488)}${key}`], `["${filled(488)}{{keys.valid}}…`],
  ['small list', [key], ['{{keys.valid}}']],
])(
  'a %s is truncated to 500 characters, and a key that begins before the cut is redacted',
  (_, value, shown) => {
    expect(described(truncate(value))).toMatchObject({ exchange: 'a#1', finding: { actual: shown } });
  },
);

test('the message of a finding is truncated after redaction', () => {
  expect(described(`${filled(150)}${key}`).message).toBe(`the body must be x, got "${filled(150)}{{keys.v…`);
});

test('the message about a body that is not JSON states the reason', () => {
  const reason = 'the body is not valid UTF-8';
  const finding: Finding = { kind: 'not-json', place: 'body', actual: '{"a":1}', reason };
  expect(describeFinding({ exchange: 'a#1', finding }, redact).message).toMatch(
    / \(the body is not valid UTF-8\)$/,
  );
});
