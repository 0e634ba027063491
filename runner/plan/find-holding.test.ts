import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../catalog/catalog.ts';
import { type Condition, evaluate, type Facts, parseCondition } from '../catalog/condition.ts';
import { everythingProfile } from '../cli/io/target.ts';
import { makeFindHolding } from './find-holding.ts';
import { plan } from './plan.ts';

const catalog = await loadCatalog();
const { requirements } = catalog.ledger;
const evaluated = <T extends { when: Condition }>(items: readonly T[], facts: Facts): T[] =>
  items.filter(({ when }) => evaluate(when, facts) === true);

describe('what is found to hold is what each condition by itself says', () => {
  const find = makeFindHolding(requirements, ({ when }) => when);
  test('of every request that is planned, and in the order of the ledger', () => {
    const steps = plan(catalog, everythingProfile(catalog)).cases.flatMap((item) => item.steps);
    expect(steps.length).toBeGreaterThan(500);
    for (const { facts } of steps) {
      const found = find(facts);
      const expected = evaluated(requirements, facts);
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }
  });
  test('of facts of which some are unknown', () => {
    const [known] = plan(catalog, everythingProfile(catalog)).cases.flatMap((item) => item.steps);
    const names = Object.keys(known?.facts ?? {});
    for (const left of names) {
      const facts = Object.fromEntries(
        names.filter((name) => name !== left).map((name) => [name, known?.facts[name] ?? '']),
      );
      expect(find(facts)).toEqual(evaluated(requirements, facts));
    }
    expect(find({})).toEqual(evaluated(requirements, {}));
  });
  test.each([1, 31, 32, 33, 64, 65])('of %i conditions', (count) => {
    const items = Array.from({ length: count }, (_, index) => ({
      index,
      when: parseCondition(
        index % 2 === 0 ? { key: 'good' } : { anyOf: [{ key: 'bad' }, { key: 'good' }] },
        () => new Error('unused'),
      ),
    }));
    const found = makeFindHolding(items, ({ when }) => when);
    expect(found({ key: 'good' })).toEqual(items);
    expect(found({ key: 'bad' })).toEqual(items.filter(({ index }) => index % 2 === 1));
    expect(found({})).toEqual([]);
  });
});
