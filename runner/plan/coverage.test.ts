import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { classifyAttributes } from './attribute-classes.ts';
import { type Combination, listCombinations, measureCoverage } from './coverage.ts';
import { plan } from './plan.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const { cases } = plan(promise);
const good = cases.filter(({ id }) => id.startsWith('auth/good-key/operation=chat'));

/** Returns the state of the combination that has exactly these values. */
function stateOf(combinations: readonly Combination[], values: Readonly<Record<string, string>>) {
  const wanted = Object.entries(values);
  return combinations.find(
    ({ classes }) =>
      classes.length === wanted.length &&
      classes.every((own) => own.values.includes(values[own.attribute] ?? 'absent')),
  )?.state;
}

describe('values belong to one class', () => {
  const { classes } = classifyAttributes(promise);
  const areAlike = (attribute: string, one: string, other: string): boolean =>
    classes.some(
      (own) => own.attribute === attribute && own.values.includes(one) && own.values.includes(other),
    );
  test.each([
    ['if every condition treats them alike', 'key', 'truncated', 'extended', true],
    ['unless a condition names one', 'key', 'truncated', 'with-scheme', false],
    ['unless they differ in a derived attribute', 'key', 'truncated', 'other-prefix', false],
    ['unless an operation accepts one', 'header', 'x-api-key', 'api-key', false],
    ['unless one is usual', 'added', 'none', 'origin', false],
  ])('%s', (_, attribute, one, other, expected) => {
    expect(areAlike(attribute, one, other)).toBe(expected);
  });
  test('which has the name of its set', () => {
    const [own] = classes.filter(({ values }) => values.includes('query-token'));
    expect(own?.name).toBe('query-parameter');
  });
});

test.each<[string, Record<string, string>, string]>([
  ['a judged request has it', { operation: 'chat', key: 'good' }, 'judged'],
  ['a judged request has all three', { operation: 'chat', header: 'bearer', key: 'good' }, 'judged'],
  ['the operation lacks the part', { operation: 'chat', record: 'foreign' }, 'impossible'],
  ['the operation never streams', { operation: 'balance', streamed: 'true' }, 'impossible'],
  ['only different operations have the values', { model: 'unlisted', record: 'foreign' }, 'impossible'],
  ['one value needs another', { model: 'unlisted', fault: 'image' }, 'impossible'],
  ['two parts are invalid', { key: 'unknown', model: 'unlisted' }, 'ambiguous'],
  ['two parts are invalid, one by implication', { key: 'unknown', given: 'truncated' }, 'ambiguous'],
  ['no requirement applies', { operation: 'chat', header: 'two' }, 'unspecified'],
  ['a case could send it', { operation: 'models', key: 'unknown' }, 'not-chosen'],
  ['a case could send all three', { operation: 'chat', streamed: 'true', key: 'unknown' }, 'not-chosen'],
])('the state of a combination if %s', (_, values, expected) => {
  const { pairs, triples } = listCombinations(promise, good);
  expect(stateOf([...pairs, ...triples], values)).toBe(expected);
});

describe('the coverage', () => {
  test('of a default run has neither none nor all', () => {
    const { pairs, triples } = measureCoverage(promise, cases, () => 'judged');
    for (const { total, judged, notApplicable, notChosen } of [pairs, triples]) {
      expect(notApplicable).toBe(0);
      expect(judged).toBeGreaterThan(notChosen);
      expect(judged + notChosen).toBe(total);
    }
  });
  test('counts the cases that are not applicable, and what only they could send', () => {
    const states = { judged: 'judged', notApplicable: 'not-applicable' } as const;
    const measure = (state: keyof typeof states) =>
      measureCoverage(promise, cases, ({ attributes }) =>
        attributes.key === 'deleted' ? states[state] : 'judged',
      ).pairs;
    const [all, without] = [measure('judged'), measure('notApplicable')];
    expect(without.total).toBe(all.total);
    expect(without.judged).toBeLessThan(all.judged);
    expect(without.notChosen).toBeLessThan(all.notChosen);
    expect(without.judged + without.notApplicable + without.notChosen).toBe(all.total);
  });
  test('counts inconclusive cases as neither judged nor not applicable', () => {
    const { pairs } = measureCoverage(promise, good, () => 'not-judged');
    expect([pairs.judged, pairs.notApplicable]).toEqual([0, 0]);
    expect(pairs.total).toBeGreaterThan(pairs.notChosen);
  });
});
