import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../../runner/catalog/scenarios.ts';
import { type PlannedCase, plan } from '../../../runner/plan/plan.ts';
import type { Profile } from '../../../runner/profile/profile.ts';
import { createFullPlan } from '../../support/full-plan.ts';

const { promise } = await createFullPlan();
const { profile } = promise;

/** Returns the names of the axes of a scenario, and `body` if the scenario derives bodies. */
function axesOf({ axes, derive }: Scenario): string[] {
  return [...axes.map(({ name }) => name), ...(derive ? ['body'] : [])];
}

/** Returns the value of a case on each axis: the value of the attribute, or the name in the case ID. */
function valuesOf({ id, attributes }: PlannedCase, axes: readonly string[]): Record<string, string> {
  const parts = id.split('/').slice(2);
  const body = parts.filter((part) => /^(place|fault|given)=/.test(part)).join('/');
  return Object.fromEntries(
    axes.map((axis) => {
      const named = parts.find((part) => part.startsWith(`${axis}=`));
      return [axis, axis === 'body' ? body : (attributes[axis] ?? named ?? '')];
    }),
  );
}

/**
 * Lists the pairs of values of two axes that occur in these cases, and the combinations of values of the axes that
 * the scenario combines.
 */
function combinationsOf(scenario: Scenario, cases: readonly PlannedCase[]): Set<string> {
  const axes = axesOf(scenario);
  const pairs = axes.flatMap((one, index) => axes.slice(index + 1).map((other) => [one, other]));
  const groups = [...pairs, ...(scenario.combine ?? [])];
  const combinations = new Set<string>();
  for (const item of cases) {
    const values = valuesOf(item, axes);
    for (const group of groups) combinations.add(group.map((axis) => `${axis}: ${values[axis]}`).join(', '));
  }
  return combinations;
}

/** Lists the combinations that a thorough run with this profile sends, but a default run does not. */
function listMissing(own: Profile): string[] {
  const [all, selected] = [true, false].map((thorough) =>
    plan({ ...promise, profile: own }, { thorough }).cases.filter(
      ({ notApplicable }) => notApplicable === undefined,
    ),
  );
  return promise.scenarios.flatMap((scenario) => {
    const ofScenario = (cases: readonly PlannedCase[] = []): readonly PlannedCase[] =>
      cases.filter(({ id }) => id.startsWith(`${scenario.suite}/${scenario.id}/`));
    const sent = combinationsOf(scenario, ofScenario(selected));
    return [...combinationsOf(scenario, ofScenario(all))]
      .filter((combination) => !sent.has(combination))
      .map((combination) => `${scenario.suite}/${scenario.id} ${combination}`);
  });
}

const { deleted: _deleted, ...withoutDeleted } = profile.keys;
const { depleted: _depleted, ...withoutDepleted } = profile.keys;
const withoutMessages = { ...profile.operations, messages: undefined };
const withoutFamilyC = { ...profile.operations, generate: undefined, streamGenerate: undefined };
const withoutRoles = Object.fromEntries(
  Object.entries(profile.models).map(([operation, { good }]) => [operation, { good }]),
);

describe('a default run sends every pair of values, and every combination that a scenario names', () => {
  test.each<[string, Partial<Profile>]>([
    ['with a full profile', {}],
    ['without a deleted key', { keys: withoutDeleted }],
    ['without the key of an account without a balance', { keys: withoutDepleted }],
    ['without family B', { operations: withoutMessages }],
    ['without family C', { operations: withoutFamilyC }],
    ['with good models only', { models: { ...profile.models, ...withoutRoles } }],
  ])('%s', (_, changes) => {
    expect(listMissing({ ...profile, ...changes })).toEqual([]);
  });
});

test('a default run has fewer than 80 % of the cases of a thorough run', () => {
  const count = (thorough: boolean): number => plan(promise, { thorough }).cases.length;
  expect(count(false)).toBeLessThan(count(true) * 0.8);
});
