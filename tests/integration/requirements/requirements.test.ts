import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { attributesOfPackage } from '../../../runner/catalog/attributes.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Attributes, Condition } from '../../../runner/catalog/condition.ts';
import type { Expectation } from '../../../runner/catalog/expectation.ts';
import { loadSdkSpec } from '../../../runner/clients/sdk-spec.ts';
import type { Plan } from '../../../runner/plan/plan.ts';
import type { GatewayPromise } from '../../../runner/profile/promise.ts';
import { countCases, listRequirementIds, specification } from '../../generated/pins.ts';
import { readSpecification } from '../../generated/read-specification.ts';
import { createFullPlan } from '../../support/full-plan.ts';
import { expectNoFewer, expectPinned, readPin } from '../../support/pin.ts';

let promise: GatewayPromise;
let plan: Plan;
let clauses: readonly string[];
let quotations: readonly string[];
beforeAll(async () => {
  ({ promise, plan } = await createFullPlan());
  const known = (await catalogOfPackage()).clauses;
  clauses = [...known.keys()];
  quotations = [...known.values()];
});
const entries = () => [...promise.requirements, ...promise.uncheckedClauses];
const missing = (from: Iterable<string>, wanted: Iterable<string>): string[] => {
  const known = new Set(from);
  return [...new Set(wanted)].filter((name) => !known.has(name));
};
const repeated = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

describe('clauses', () => {
  test('each has a requirement, or a reason why the clause is not checked', () => {
    expect(
      missing(
        entries().flatMap(({ clause }) => clause),
        clauses,
      ),
    ).toEqual([]);
  });
  test('each that a requirement names is in specs/clauses.yaml', () => {
    expect(
      missing(
        clauses,
        entries().flatMap(({ clause }) => clause),
      ),
    ).toEqual([]);
  });

  describe('and the specification', () => {
    const pieces = readPin('specification.txt');
    test.skipIf(!existsSync(specification))('the pinned parts are the parts of the specification', () => {
      expectPinned('specification.txt', readSpecification(readFileSync(specification, 'utf8')));
    });
    // Quotations of table rows join their cells, and "…" stands for omitted words.
    test.skipIf(!existsSync(specification))('each quoted sentence is in the specification', () => {
      const text = readFileSync(specification, 'utf8');
      const sentences = quotations.filter((quotation) => quotation.endsWith('.'));
      const fragments = sentences.flatMap((sentence) => sentence.split('…')).map((part) => part.trim());
      expect(fragments.length).toBeGreaterThan(30);
      expect(fragments.filter((fragment) => !text.includes(fragment))).toEqual([]);
    });
    test('each row, rule, item and sentence has its clauses', () => {
      expect(pieces.length).toBeGreaterThan(70);
      expect(repeated(pieces)).toEqual([]);
      expect(pieces.filter((piece) => missing(clauses, clausesOf(piece)).length > 0)).toEqual([]);
    });
    test('each clause belongs to a part of the specification', () => {
      expect(missing(pieces.flatMap(clausesOf), clauses)).toEqual([]);
    });
    test('this test names only existing parts', () => {
      expect(missing(pieces, Object.keys(clausesByPart))).toEqual([]);
    });
  });
});

/** The clauses of parts of the specification. A row or rule that is not listed has the clause with its own name. */
const clausesByPart: Readonly<Record<string, readonly string[]>> = {
  '1 sentence 1': ['1 family A', '1 family B', '1 family C'],
  '1 sentence 2': ['1 family A', '1 family B', '1 family C', '5 every endpoint'],
  '1 item 1': ['1 family A'],
  '1 item 2': ['1 family B'],
  '1 item 3': ['1 family C'],
  '1 sentence 3': ['1 model listing', '1 billing'],
  '1 sentence 4': ['1 streamed output'],
  '1 sentence 5': ['1 base address'],
  '1 sentence 6': ['1 base address'],
  '1 sentence 7': ['1 operations and models'],
  '2.2 sentence 1': ['2.2 body'],
  '2.2 sentence 2': ['2.2 x-trace-id'],
  '2.3 row error.code': ['2.3 body', '2.3 error.code', '7.2'],
  '2.3 sentence 1': ['2.3 no other fields'],
  '2.4 sentence 1': ['2.4'],
  '2.4 sentence 2': ['2.4'],
  '3 sentence 1': ['3'],
  '4 row POST /v1/chat/completions A': [
    '4 POST /v1/chat/completions',
    '4 methods',
    '4 auth headers',
    '4 rule 2',
  ],
  '4 row POST /v1/responses A': ['4 POST /v1/responses', '4 methods', '4 auth headers'],
  '4 row GET /v1/models -': ['4 GET /v1/models', '4 methods', '4 auth headers'],
  '4 row (method not shown) /v1beta/models/... C': ['4 /v1beta/models/...', '4 auth headers'],
  '4 row (not shown) (not shown) B': ['4 family B', '4 auth headers', '9 version header'],
  '4 row (not shown) (not shown) -': ['4 billing-type endpoints'],
  '4 sentence 1': [],
  '4 sentence 2': ['4 request bodies'],
  '4 sentence 3': ['4 family B', '4 billing-type endpoints'],
  '5 sentence 1': ['5 every endpoint'],
  '5 sentence 2': ['5 headers'],
  '5 row Authorization: Bearer <API_KEY>': ['5 Authorization'],
  '5 row x-api-key: <API_KEY>': ['5 x-api-key'],
  '5 row x-goog-api-key: <API_KEY>': ['5 x-goog-api-key'],
  '5 sentence 3': [],
  '6 sentence 1': ['6'],
  '7 sentence 1': ['7'],
  '8 sentence 1': ['8'],
  '8 sentence 2': ['8'],
  '9 item 1': ['9 paths'],
  '9 item 2': ['9 version header'],
  '9 item 3': ['9 live data'],
  '9 item 4': ['9 deprecation'],
};
function clausesOf(piece: string): readonly string[] {
  return clausesByPart[piece] ?? [piece.replace(' row ', ' ')];
}

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
