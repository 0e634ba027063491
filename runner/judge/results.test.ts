import { describe, expect, test } from 'vitest';
import type { Outcome } from './outcome.ts';
import { type CheckResult, createResults, type Policy } from './results.ts';
import type { Severity } from './severity.ts';

const same = (finding: string): string => finding;

function resultsOf(policy: Policy, all: readonly Partial<CheckResult<string>>[], most?: number) {
  const results = createResults<string>(policy, most);
  for (const item of all) results.add({ outcome: 'conforms', findings: [], ...item }, same, same);
  return results;
}

test.each<[Policy, Outcome[], Outcome]>([
  ['worst', ['conforms', 'inconclusive'], 'inconclusive'],
  ['most-decisive', ['conforms', 'inconclusive'], 'conforms'],
  ['worst', ['not-applicable', 'conforms'], 'conforms'],
  ['most-decisive', ['inconclusive', 'not-applicable'], 'inconclusive'],
  ['worst', ['conforms', 'warns', 'violates'], 'violates'],
  ['most-decisive', ['inconclusive', 'warns', 'violates'], 'violates'],
  ['worst', [], 'not-applicable'],
])('the %s of %j is %s', (policy, outcomes, expected) => {
  const all = outcomes.map((outcome) => ({ outcome }));
  expect(resultsOf(policy, all).sum().outcome).toBe(expected);
});

describe('the sum of several results', () => {
  test('has the findings and the highest severity of the results with its outcome', () => {
    const results = resultsOf('worst', [
      { outcome: 'warns', findings: ['a'], severity: 'recommendation' },
      { outcome: 'violates', findings: ['b'], severity: 'wrong-type' },
      { outcome: 'violates', findings: ['c', 'b'], severity: 'server-error' },
    ]);
    expect(results.sum()).toEqual({ outcome: 'violates', findings: ['b', 'c'], severity: 'server-error' });
    expect(results.count('violates')).toBe(2);
    expect(results.outcomes()).toEqual(['warns', 'violates']);
  });
  test('has the first reason of the results with its outcome', () => {
    const results = resultsOf('worst', [
      { outcome: 'not-applicable', reason: 'The profile has no model.', add: 'models.chat.good' },
      { outcome: 'inconclusive', reason: 'No response.' },
      { outcome: 'inconclusive', reason: 'Another reason.' },
    ]);
    expect(results.sum()).toEqual({ outcome: 'inconclusive', findings: [], reason: 'No response.' });
  });
  test('prefers the reason that names a violation, and, if this is most decisive, its outcome', () => {
    const all: Partial<CheckResult<string>>[] = [
      { outcome: 'not-applicable', reason: 'No response matched.' },
      { outcome: 'not-applicable', reason: 'See a/b.', dependsOn: 'a/b' },
      { outcome: 'inconclusive', reason: 'No response.' },
    ];
    const blocked = { outcome: 'not-applicable', findings: [], reason: 'See a/b.', dependsOn: 'a/b' };
    expect(resultsOf('most-decisive', all).sum()).toEqual(blocked);
    expect(resultsOf('worst', all.slice(0, 2)).sum()).toEqual(blocked);
    expect(resultsOf('worst', all).sum().outcome).toBe('inconclusive');
  });
  test('has the highest severity if a failed result states none', () => {
    const severity: Severity = 'wrong-type';
    const all: Partial<CheckResult<string>>[] = [{ outcome: 'violates', severity }, { outcome: 'violates' }];
    expect(resultsOf('worst', all).sum().severity).toBe('unauthorized-access');
  });
});

describe('findings', () => {
  test('with the same key are stored once, and only as long as there is room', () => {
    const results = createResults<string>('worst', 2);
    const add = (...findings: string[]): readonly string[] =>
      results.add({ outcome: 'violates', findings }, (text) => `${text}!`, same);
    expect(add('a', 'a')).toEqual(['a!']);
    expect(add('a', 'b', 'c')).toEqual(['b!']);
    expect(results.sum().findings).toEqual(['a!', 'b!']);
  });
  test('added to a copy are not in the original', () => {
    const results = resultsOf('worst', [{ outcome: 'violates', findings: ['a'] }]);
    const copy = results.copy();
    copy.add({ outcome: 'violates', findings: ['a', 'b'] }, same, same);
    copy.add({ outcome: 'warns', findings: ['c'] }, same, same);
    expect(results.sum().findings).toEqual(['a']);
    expect(results.count('violates')).toBe(1);
    expect(results.outcomes()).toEqual(['violates']);
    expect(copy.sum().findings).toEqual(['a', 'b']);
  });
});
