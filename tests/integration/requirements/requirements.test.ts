import { beforeAll, describe, expect, test } from 'vitest';
import { attributesOfPackage } from '../../../runner/catalog/attributes.ts';
import type { Attributes, Condition } from '../../../runner/catalog/condition.ts';
import type { Expectation } from '../../../runner/catalog/expectation.ts';
import { loadSdkSpec } from '../../../runner/clients/sdk-spec.ts';
import type { Plan } from '../../../runner/plan/plan.ts';
import type { GatewayPromise } from '../../../runner/profile/promise.ts';
import { countCases, listRequirementIds } from '../../generated/pins.ts';
import { createFullPlan } from '../../support/full-plan.ts';
import { expectNoFewer, expectPinned } from '../../support/pin.ts';

let promise: GatewayPromise;
let plan: Plan;
beforeAll(async () => {
  ({ promise, plan } = await createFullPlan());
});
const entries = () => [...promise.requirements, ...promise.uncheckedClauses];
const missing = (from: Iterable<string>, wanted: Iterable<string>): string[] => {
  const known = new Set(from);
  return [...new Set(wanted)].filter((name) => !known.has(name));
};
const repeated = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

/**
 * Whether a text is one sentence: the text begins with a capital letter or a backtick, ends with a full stop, and
 * contains no earlier end of a sentence.
 */
const isOneSentence = (text: string): boolean => /^[A-Z`].*\.$/s.test(text) && !/[.!?] [A-Z`]/.test(text);

describe('requirements', () => {
  test('are each described in one sentence', () => {
    const duties = promise.clientDuties.map(({ id, level, says }) => ({
      id,
      says,
      level: level === 'must' ? 'must' : 'should',
    }));
    const all = [...promise.requirements, ...loadSdkSpec(promise.schemas).requirements, ...duties];
    const wrong = all.filter(
      ({ level, says }) => !isOneSentence(says) || !new RegExp(`\\b${level}\\b`).test(says),
    );
    expect(wrong.map(({ id, says }) => `${id}: ${says}`)).toEqual([]);
  });
  test('that are not checked each give the reason in one sentence', () => {
    const wrong = promise.uncheckedClauses.filter(({ reason }) => !isOneSentence(reason));
    expect(wrong.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  });
  test('have unique, permanent ids', () => {
    expect(repeated(entries().map(({ id }) => id))).toEqual([]);
    expectPinned('requirement-ids.txt', listRequirementIds(promise));
  });
  test('each applies to a case of the full plan', () => {
    const attached = plan.cases.flatMap(({ checks }) => checks.map(({ requirement }) => requirement.id));
    expect(
      missing(
        attached,
        promise.requirements.map(({ id }) => id),
      ),
    ).toEqual([]);
  });
  test('that only observe a condition are observed in a case', () => {
    const observed = plan.cases.flatMap(({ observes }) => observes.map(({ id }) => id));
    const meant = promise.uncheckedClauses.filter(({ when }) => when).map(({ id }) => id);
    expect(missing(observed, meant)).toEqual([]);
  });
  test('name only schemas and attributes that exist', () => {
    const asked = promise.requirements.flatMap(({ then }) => parts(then));
    const schemas = asked.flatMap((part) => (part.kind === 'body' ? [part.schema] : []));
    expect(schemas.length).toBeGreaterThan(0);
    expect(missing(promise.schemas.names, schemas)).toEqual([]);
    const attributes = asked.flatMap((part) =>
      part.kind === 'attribute' ? part.matcher.values.map((value) => [part.name, value]) : [],
    );
    expect(
      attributes.map(([name = '', value = '']) => promise.attributes.complaint(name, value)).filter(Boolean),
    ).toEqual([]);
  });
  test('have conditions on known attributes, and on the response only outside of `anyOf`', () => {
    const conditions = entries().flatMap(({ when }) => (when ? [when] : []));
    expect(conditions.flatMap(complaints)).toEqual([]);
    expect(conditions.flatMap(({ anyOf }) => anyOf).filter(({ answer }) => answer)).toEqual([]);
  });
});

describe('scenarios', () => {
  test('describe the request in one sentence', () => {
    const wrong = promise.scenarios.filter(({ about }) => !isOneSentence(about));
    expect(wrong.map(({ suite, id, about }) => `${suite}/${id}: ${about}`)).toEqual([]);
  });
});

describe('cases', () => {
  test('have unique ids', () => {
    expect(plan.cases.length).toBeGreaterThan(500);
    expect(repeated(plan.cases.map(({ id }) => id))).toEqual([]);
  });
  test('each have a check or an observation', () => {
    const idle = plan.cases.filter(({ checks, observes }) => checks.length + observes.length === 0);
    expect(idle.map(({ id }) => id)).toEqual([]);
  });
  test('together send each kind of key, and a key in each place', () => {
    const sent = plan.cases.flatMap(({ steps }) => steps.map(({ attributes }) => attributes));
    const { keyKinds, places } = attributesOfPackage();
    const unsent = (name: string, values: Iterable<string>) =>
      missing(
        sent.map((attributes) => attributes[name] ?? ''),
        values,
      ).map((value) => `${name}: ${value}`);
    expect([...unsent('key', keyKinds.keys()), ...unsent('header', places.keys())]).toEqual([]);
  });
  test('are all sent to a gateway that offers everything', () => {
    expect(plan.cases.filter(({ notApplicable }) => notApplicable).map(({ id }) => id)).toEqual([]);
  });
  test('have known attributes, and all attributes that are not free text', () => {
    const steps = plan.cases.flatMap((item) =>
      item.steps.map(({ attributes }) => ({ id: item.id, attributes })),
    );
    const wrong = steps.flatMap(({ id, attributes }) =>
      attributeComplaints(attributes).map((complaint) => `${id}: ${complaint}`),
    );
    expect(wrong).toEqual([]);
    const incomplete = steps.filter(
      ({ attributes }) => missing(Object.keys(attributes), promise.attributes.names).length > 0,
    );
    expect(incomplete.map(({ id }) => id)).toEqual([]);
  });
  test('judge or observe each requirement at least as often as before', () => {
    expectNoFewer('cases-per-requirement.txt', countCases(plan));
  });
});

describe('scenarios', () => {
  test('have unique ids in each suite', () => {
    expect(repeated(promise.scenarios.map(({ suite, id }) => `${suite}/${id}`))).toEqual([]);
  });
  test('have conditions on known attributes', () => {
    const conditions = promise.scenarios.flatMap(({ where, derive }) => [
      ...(where ? [where] : []),
      ...(derive?.except ?? []),
    ]);
    expect(conditions.length).toBeGreaterThan(0);
    expect(conditions.flatMap(complaints)).toEqual([]);
  });
  test('derive from existing schemas and bodies', () => {
    const derived = promise.scenarios.flatMap(({ derive }) => (derive ? [derive] : []));
    expect(
      missing(
        promise.schemas.names,
        derived.map(({ schema }) => schema),
      ),
    ).toEqual([]);
    expect(
      missing(
        Object.keys(promise.fixtures.bodies),
        derived.flatMap(({ from }) => from),
      ),
    ).toEqual([]);
  });
  test('each produce a case', () => {
    const made = plan.cases.map(({ id }) => id.split('/').slice(0, 2).join('/'));
    expect(
      missing(
        made,
        promise.scenarios.map(({ suite, id }) => `${suite}/${id}`),
      ),
    ).toEqual([]);
  });
});

function attributeComplaints(attributes: Attributes): string[] {
  return Object.entries(attributes).flatMap(
    ([name, value]) => promise.attributes.complaint(name, value) ?? [],
  );
}
function complaints(condition: Condition): string[] {
  const own = condition.attributes.flatMap(({ name, matcher }) =>
    matcher.values.flatMap((value) => promise.attributes.complaint(name, value) ?? []),
  );
  return [...own, ...condition.anyOf.flatMap(complaints)];
}
/** Returns an expectation and all of its parts. */
function parts(then: Expectation): Expectation[] {
  switch (then.kind) {
    case 'all':
    case 'any':
      return [then, ...then.of.flatMap(parts)];
    case 'some':
    case 'none':
      return [then, ...parts(then.of)];
    default:
      return [then];
  }
}
