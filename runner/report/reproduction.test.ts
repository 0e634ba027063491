import { expect, test } from 'vitest';
import { type Attempt, findPattern, type Pattern, type Way } from './reproduction.ts';

const letters: Readonly<Record<string, Way>> = {
  n: 'new-connection',
  u: 'used-connection',
  k: 'after-wrong-key',
  p: 'after-previous',
  t: 'other-text',
  o: 'at-once',
};

/** Reads attempts: a letter for the way, and `+` if the attempt failed. */
function attemptsOf(text: string): Attempt[] {
  return text.split(' ').map(([letter = '', failed]) => ({
    way: letters[letter] ?? 'other-text',
    failed: failed === '+',
    status: 200,
  }));
}

test.each<[string, Pattern, string]>([
  ['n+ u+', 'always', 'every attempt failed'],
  ['n+ u+ t+', 'always', 'another text makes no difference'],
  ['n+ u+ t-', 'same-text', 'only another text conforms'],
  ['n- u- u- n- k- k- o- o-', 'never', 'no attempt failed'],
  ['n- u- u- n- k+ k+ o- o-', 'after-wrong-key', 'only the attempts after a wrong key failed'],
  ['n- u- u- n- k- k- p+ p+ o-', 'after-previous', 'only the attempts after the previous request failed'],
  ['n- u- u- n- k+ k+ p+ p+ o-', 'after-wrong-key', 'the previous request had a wrong key'],
  ['n- u- u- n- k- k- p+ p- o-', 'sometimes', 'one of two attempts after the previous request failed'],
  ['n- u+ u+ n- k+ k+ o-', 'used-connection', 'every attempt on a used connection failed'],
  ['n+ u- u- n+ k- k- o-', 'new-connection', 'every attempt on a new connection failed'],
  ['n- u- u- n- k- k- o+ o-', 'at-once', 'only attempts at the same time failed'],
  ['n- u+ u- n- k+ k- o-', 'sometimes', 'some attempts of one way failed'],
  ['n+ u-', 'sometimes', 'there is one attempt of each way'],
])('%s is %s, since %s', (text, pattern) => {
  expect(findPattern(attemptsOf(text))).toBe(pattern);
});

test('no attempt shows nothing', () => {
  expect(findPattern([])).toBeUndefined();
});
