import { describe, expect, test } from 'vitest';
import { maxPooledExamples } from '../judge/case-results.ts';
import type { Finding } from '../judge/finding.ts';
import { type FoundInPool, selectExamples } from './select-examples.ts';

const missing = (place: string): Finding => ({ kind: 'missing', place });
const wrong = (actual: string): Finding => ({
  kind: 'wrong-value',
  place: '/error/code',
  expected: 'must be integer',
  actual,
});
const pool = (...ids: string[]): { id: string }[] => ids.map((id) => ({ id }));
const found = (...findings: [string, Finding][]): FoundInPool => ({
  findings: findings.map(([exchange, finding]) => ({ exchange, finding })),
});
const select = (exchanges: readonly { id: string }[], ...checks: FoundInPool[]): string[] =>
  selectExamples(exchanges, checks).map(({ id }) => id);
const numbered = (count: number, prefix = 'r'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}#1`);

describe('the examples of a pooled case', () => {
  test('contain one example of each symptom of each requirement', () => {
    const ids = numbered(40);
    const common = found(...ids.map((id): [string, Finding] => [id, missing('/trace_id')]));
    const rare = found(['r37#1', missing('/error/details')], ['r39#1', missing('/error')]);
    const shown = select(pool(...ids), common, rare);
    expect(shown).toEqual(expect.arrayContaining(['r37#1', 'r39#1']));
    expect(shown).toHaveLength(maxPooledExamples);
  });

  test('are at most ten for one requirement, and can be more for several requirements', () => {
    const ids = numbered(30);
    const each = (name: string): FoundInPool =>
      found(...ids.map((id): [string, Finding] => [id, missing(`/${name}${id}`)]));
    expect(
      select(pool(...ids), found(...numbered(12).map((id): [string, Finding] => [id, missing(id)]))),
    ).toHaveLength(10);
    const both = [
      found(...ids.slice(0, 9).map((id): [string, Finding] => [id, missing(`/a${id}`)])),
      found(...ids.slice(9, 18).map((id): [string, Finding] => [id, missing(`/b${id}`)])),
    ];
    expect(select(pool(...ids), ...both)).toHaveLength(18);
    expect(select(pool(...ids), each('a'))).toHaveLength(10);
  });

  test('contain one try of each request, and the last try as the example of a symptom', () => {
    const ids = ['a#1~1', 'a#1~2', 'a#1', 'b#1~1', 'b#1', 'c#1'];
    const all = found(...ids.map((id): [string, Finding] => [id, missing('/trace_id')]));
    expect(select(pool(...ids), all)).toEqual(['a#1', 'b#1~1', 'c#1']);
  });

  test('contain an example of a rare value', () => {
    const ids = numbered(30);
    const values = found(
      ...ids.map((id, index): [string, Finding] => [id, wrong(index === 29 ? 'other' : 'usual')]),
    );
    expect(select(pool(...ids), values)).toContain('r29#1');
  });

  test('use one exchange for several requirements', () => {
    const first = found(['a#1', missing('/x')], ['b#1', missing('/x')]);
    const second = found(['b#1', missing('/y')], ['a#1', missing('/y')]);
    const many = numbered(20, 'z');
    const shown = select(pool('a#1', 'b#1', ...many), first, second);
    expect(shown.slice(0, 2)).toEqual(['a#1', 'b#1']);
    expect(shown).toHaveLength(maxPooledExamples);
  });

  test('are the first exchanges if no exchange has a finding', () => {
    expect(select(pool(...numbered(12)))).toEqual(numbered(10));
  });
});
