import { expect, test } from 'vitest';
import { chooseResult, type Result } from './exchange.ts';

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
