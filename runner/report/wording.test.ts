import { expect, test } from 'vitest';
import { brief } from '../judge/locate.ts';
import { makeRedact } from './redaction/redact.ts';
import { describeFinding } from './wording.ts';

const key = 'sk-0123456789abcdefghijklmnopqrstuv';
const redact = makeRedact(new Map([[key, 'keys.valid']]));
const described = (actual: unknown): ReturnType<typeof describeFinding> =>
  describeFinding(
    { exchange: 'a#1', finding: { kind: 'wrong-value', place: 'body', expected: 'must be x', actual } },
    redact,
  );
const filled = (length: number): string => '~'.repeat(length);

test.each([
  ['text', `${filled(490)}${key}`, `${filled(490)}{{keys.val…`],
  ['text of 500 characters', filled(500), filled(500)],
  ['list', [`${filled(488)}${key}`], `["${filled(488)}{{keys.val…`],
  ['small list', [key], ['{{keys.valid}}']],
])('a %s is cut once keys are taken out', (_, value, shown) => {
  expect(described(brief(value))).toMatchObject({ exchange: 'a#1', finding: { actual: shown } });
});

test('the words of a finding are cut once keys are taken out', () => {
  expect(described(`${filled(150)}${key}`).message).toBe(`the body must be x, got "${filled(150)}{{keys.v…`);
});
