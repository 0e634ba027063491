import { describe, expect, test } from 'vitest';
import type { AnswerReport } from '../report/report.ts';
import { compareShapes, shapeOf } from './answer-shape.ts';

function answer(body: unknown, { status = 200, headers = {} } = {}): AnswerReport {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: { text, bytes: text.length }, pieces: 1 };
}

const differ = (...answers: readonly AnswerReport[]): unknown[] =>
  compareShapes(answers.map((item) => shapeOf([item]))).map(({ place, values }) => [place, ...values]);

describe('the differences between two responses', () => {
  test.each<[string, AnswerReport, AnswerReport, unknown[]]>([
    ['do not contain values', answer({ id: 'a', n: 1 }), answer({ id: 'b', n: 2 }), []],
    ['contain the status', answer({}), answer({}, { status: 201 }), [['status', '200', '201']]],
    ['contain the kind of a member', answer({ a: 1 }), answer({ a: '1' }), [['/a', 'number', 'string']]],
    ['contain a missing member', answer({ a: { b: 1 } }), answer({ a: {} }), [['/a/b', 'number', null]]],
    [
      'contain a missing member, but not its own members',
      answer({ a: { b: 1 } }),
      answer({}),
      [['/a', 'object', null]],
    ],
    [
      'contain the kinds of a member in all items',
      answer([{ a: 1 }, { a: null }]),
      answer([{ a: 1 }]),
      [['/*/a', 'null or number', 'number']],
    ],
    ['contain whether the body is JSON', answer({ a: 1 }), answer('a'), [['body', 'object', 'not JSON']]],
    ['contain whether the body is empty', answer({ a: 1 }), answer(''), [['body', 'object', 'empty']]],
    [
      'contain the type of an error by its value',
      answer({ error: { type: 'a', message: 'x' } }),
      answer({ error: { type: 'b', message: 'y' } }),
      [['/error/type', '"a"', '"b"']],
    ],
    [
      'contain a missing header, but not the value of a header',
      answer('', { headers: { server: 'a', date: 'now', 'x-id': '1' } }),
      answer('', { headers: { server: 'b', 'x-id': '2', 'x-more': '3' } }),
      [['header x-more', null, 'present']],
    ],
    [
      'contain the content type by its value',
      answer('', { headers: { 'content-type': 'text/html' } }),
      answer('', { headers: { 'content-type': 'TEXT/plain' } }),
      [['header content-type', 'text/html', 'text/plain']],
    ],
  ])('%s', (_, one, other, expected) => {
    expect(differ(one, other)).toEqual(expected);
  });

  test('a missing response is not a difference', () => {
    const [one, other] = [shapeOf([answer({})]), shapeOf([answer({}, { status: 201 })])];
    expect(compareShapes([one, undefined])).toEqual([]);
    expect(compareShapes([one, undefined, other])).toEqual([
      { place: 'status', values: ['200', null, '201'] },
    ]);
  });
});

test('limits the depth and the number of members', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`member-${index}`, index]));
  expect(shapeOf([answer(deep)]).size).toBeLessThan(30);
  expect(shapeOf([answer(wide)]).size).toBeLessThan(400);
});
