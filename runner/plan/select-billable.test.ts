import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { indexCombinations } from './choose-covering.ts';
import { estimate } from './estimate.ts';
import { hasChecks, type PlannedCase, plan } from './plan.ts';
import { limitBillable, type SelectedPlan } from './select.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const whole = plan(promise);
const combinationsOf = indexCombinations(promise);
const size = { burst: 20, rounds: 1 };
const all = estimate(whole.cases, size).billable;
const selected: SelectedPlan = { plan: whole, sent: whole.cases, shard: undefined };
const limited = (most: number): readonly PlannedCase[] =>
  limitBillable(selected, { most, size, combinationsOf }).sent;

const isBilled = (item: PlannedCase): boolean => estimate([item], size).billable > 0;

/** Counts the requirements, and the pairs and combinations of values, that the applicable cases cover. */
function judgedBy(cases: readonly PlannedCase[]): { requirements: number; combinations: number } {
  const sent = cases.filter((item) => !item.notApplicable && hasChecks(item));

  return {
    requirements: new Set(sent.flatMap(({ checks }) => checks.map(({ requirement }) => requirement.id))).size,
    combinations: new Set(sent.flatMap(({ id }) => combinationsOf(id))).size,
  };
}

/** Returns the cases of the plan. After `most` billable calls, further billable cases are not applicable. */
function firstCome(most: number): readonly PlannedCase[] {
  let left =
    most -
    estimate(
      limited(most).filter((item) => item.phase === 'controls' || !isBilled(item)),
      size,
    ).billable;
  return whole.cases.map((item) => {
    if (item.phase === 'controls' || !isBilled(item)) return item;
    left -= estimate([item], size).billable;
    return left >= 0 ? item : { ...item, notApplicable: { reason: 'No call is left.', add: undefined } };
  });
}

describe('a plan with a limit of calls that may be billed', () => {
  test('does not change within the limit', () => {
    expect(limited(all)).toBe(whole.cases);
  });
  test.each([25, 30, 40, 60, 80])(
    'of %i does not exceed the limit, and covers more than the first calls of the plan',
    (most) => {
      const { billable } = estimate(limited(most), size);
      expect(billable).toBeLessThanOrEqual(most);
      expect(billable).toBeGreaterThan(most - 3);
      const [chosen, first] = [judgedBy(limited(most)), judgedBy(firstCome(most))];
      expect(chosen.requirements).toBeGreaterThanOrEqual(first.requirements);
      expect(chosen.combinations).toBeGreaterThan(first.combinations);
    },
  );
  test('judges every requirement with a limit of 30 calls', () => {
    expect(judgedBy(limited(30)).requirements).toBe(judgedBy(whole.cases).requirements);
  });
  test('keeps all controls and all cases that are not billed', () => {
    const kept = new Set(
      limited(30)
        .filter(({ notApplicable }) => !notApplicable)
        .map(({ id }) => id),
    );
    const needed = whole.cases.filter((item) => item.phase === 'controls' || !isBilled(item));
    expect(needed.filter(({ id }) => !kept.has(id))).toEqual([]);
  });
  test('counts the other cases as not applicable, and states the limit that allows these cases', () => {
    const cases = limited(30);
    expect(cases.map(({ id }) => id)).toEqual(whole.cases.map(({ id }) => id));
    const reasons = new Set(cases.flatMap(({ notApplicable }) => notApplicable?.reason ?? []));
    expect([...reasons]).toEqual([
      `Other cases use up the limit of 30 billable calls. To send all cases, raise --max-billable to ${all}.`,
    ]);
  });
  test('is refused if the limit does not allow the controls', () => {
    const least = estimate(
      whole.cases.filter((item) => item.phase === 'controls' || !isBilled(item)),
      size,
    ).billable;
    expect(() => limited(3)).toThrow(
      `The controls of this run make ${least} calls that may be billed, more than the limit of 3. Raise --max-billable to ${least} or more, or to ${all} for all cases.`,
    );
    expect(() => limited(least - 1)).toThrow('The controls');
    expect(estimate(limited(least), size).billable).toBe(least);
  });
  test('counts each round', () => {
    const twice = { burst: 20, rounds: 2 };
    const { sent } = limitBillable(selected, { most: 80, size: twice, combinationsOf });
    expect(estimate(sent, twice).billable).toBeGreaterThan(76);
    expect(estimate(sent, twice).billable).toBeLessThanOrEqual(80);
  });
  test('judges at least as many cases of a selection as without the selection', () => {
    const own = whole.cases.filter(({ id }) => id.startsWith('requests/unicode'));
    const { plan: chosen } = limitBillable(
      { ...selected, plan: { cases: own } },
      { most: 30, size, combinationsOf },
    );
    const before = limited(30).filter(
      ({ id, notApplicable }) => id.startsWith('requests/unicode') && !notApplicable,
    );
    expect(chosen.cases.filter(({ notApplicable }) => !notApplicable).length).toBeGreaterThanOrEqual(
      before.length,
    );
  });
});

describe('of cases that cost the same', () => {
  const find = (level: string, index = 0): Requirement => {
    const found = promise.requirements.filter((requirement) => requirement.level === level)[index];
    if (!found) throw new Error(`no requirement ${level}`);
    return found;
  };
  const [must, other, should] = [find('must'), find('must', 1), find('should')];
  // A case with one call that may be billed.
  const billed = whole.cases.find(
    (item) => item.phase === 'requests' && estimate([item], size).billable === 1,
  );
  const caseOf = (id: string, ...requirements: Requirement[]): PlannedCase => {
    if (!billed) throw new Error('no billed case');
    return { ...billed, id, checks: requirements.map((requirement) => ({ requirement, steps: [0] })) };
  };
  const choose = (
    most: number,
    cases: readonly PlannedCase[],
    own: Record<string, string[]> = {},
  ): string[] =>
    limitBillable(
      { plan: { cases }, sent: cases, shard: undefined },
      { most, size, combinationsOf: (id) => own[id] ?? [] },
    )
      .sent.filter(({ notApplicable }) => !notApplicable)
      .map(({ id }) => id);
  test('the case with a `must` is chosen before cases with a `should` and new pairs', () => {
    const cases = [caseOf('a', should), caseOf('b', must), caseOf('c', should)];
    expect(choose(1, cases, { a: ['1', '2', '3'], c: ['4'] })).toEqual(['b']);
  });
  test('the case with an additional `should` is chosen before a case with new pairs', () => {
    const cases = [caseOf('a', must), caseOf('b', must, should), caseOf('c', must)];
    expect(choose(2, cases, { a: ['1', '2'], c: ['3', '4', '5'] })).toEqual(['b', 'c']);
  });
  test('a case with a new requirement is chosen before a case whose requirement another case judges', () => {
    const cases = [caseOf('a', must), caseOf('b', must), caseOf('c', other)];
    expect(choose(2, cases)).toEqual(['a', 'c']);
  });
  test('the case with more new pairs is chosen first', () => {
    const cases = [caseOf('a', must), caseOf('b', must), caseOf('c', must)];
    expect(choose(2, cases, { a: ['1', '2', '3'], b: ['1', '2'], c: ['4'] })).toEqual(['a', 'c']);
  });
});
