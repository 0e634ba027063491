import { expect, test } from 'vitest';
import { readContent } from './decode.ts';
import { chooseResult, isErrorInSuccess, isKeyRejected, type Result } from './exchange.ts';

const reset: Result = { kind: 'failure', failure: { reason: 'reset', detail: 'it was reset' } };
const answered = (status: number): Result => ({
  kind: 'answer',
  answer: { status, headers: {}, text: '', size: 0, content: { kind: 'text' }, pieces: 0 },
});
const status = (result: Result): number | undefined =>
  result.kind === 'answer' ? result.answer.status : undefined;

test.each<[string, Result[], number | undefined, (number | undefined)[]]>([
  ['the last response', [answered(500), answered(200)], 200, [500]],
  ['a response that is followed by a failure', [answered(500), answered(502), reset], 502, [500, undefined]],
  ['the last failure if no response was received', [reset, reset], undefined, [undefined]],
])('chooses %s', (_, tries, result, earlier) => {
  const settled = chooseResult(tries);
  expect(status(settled.result)).toBe(result);
  expect(settled.earlier.map(status)).toEqual(earlier);
});

const depleted: Result = {
  kind: 'answer',
  answer: {
    status: 402,
    headers: {},
    text: '',
    size: 0,
    content: { kind: 'json', value: { error: { type: 'insufficient_balance' } } },
    pieces: 0,
  },
};
test.each<[string, Result, Readonly<Record<string, string>>, boolean]>([
  ['a 401 rejects', answered(401), {}, true],
  ['a 402 rejects', answered(402), {}, true],
  ['a 403 rejects', answered(403), {}, true],
  ['a 400 does not reject', answered(400), {}, false],
  ['no response does not reject', reset, {}, false],
  ['an error about the balance does not reject', depleted, {}, false],
  ['a 401 to another key does not reject', answered(401), { key: 'depleted' }, false],
  ['a 401 to a key in an unaccepted header does not reject', answered(401), { accepted: 'false' }, false],
])('%s the valid key', (_, result, attributes, expected) => {
  expect(isKeyRejected({ attributes: { key: 'good', accepted: 'true', ...attributes }, result })).toBe(
    expected,
  );
});

const good = { request: 'valid', key: 'good', accepted: 'true', burst: 'false' };
const billing = { ...good, surface: 'billing' };
test.each<[string, Readonly<Record<string, string>>, object, boolean]>([
  ['a model call', { ...good, surface: 'model' }, {}, true],
  ['the balance', { ...billing, operation: 'balance' }, {}, true],
  ['the balance, with an amount', { ...billing, operation: 'balance' }, { amount: 7 }, false],
  ['a request record', { ...billing, operation: 'record' }, {}, false],
  ['the usage, in a burst', { ...billing, operation: 'usage', burst: 'true' }, {}, false],
  ['the usage, with a wrong key', { ...billing, operation: 'usage', key: 'unknown' }, {}, false],
])('recognizes a 200 that contains only an error: %s: $3', (_, attributes, rest, expected) => {
  const text = JSON.stringify({ ...rest, error: { message: 'Failed.' } });
  const answer = { status: 200, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  expect(isErrorInSuccess({ attributes, result: { kind: 'answer', answer } })).toBe(expected);
});
