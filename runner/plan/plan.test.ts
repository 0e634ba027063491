import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { type Catalog, catalogOfPackage } from '../catalog/catalog.ts';
import { readRequirements } from '../catalog/requirements.ts';
import { readScenarios } from '../catalog/scenarios.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { type PlannedCase, plan } from './plan.ts';

const real = await catalogOfPackage();

/** Creates a catalog with only these scenarios and requirements, which are written in the flow style of YAML. */
function catalogOf(scenarios: readonly string[], requirements: readonly string[] = []): Catalog {
  const suite = parseDataFile('s.yaml', `about: S\nscenarios: [${scenarios.join(', ')}]`);
  const requirementsFile = parseDataFile('l.yaml', `requirements: [${requirements.join(', ')}]`);
  return {
    ...real,
    scenarios: readScenarios('s', suite, real.schemas, real.attributes),
    ledger: readRequirements([requirementsFile], real.attributes, real.schemas),
  };
}
function planned(
  scenarios: readonly string[],
  requirements: readonly string[] = [],
  more: Readonly<Record<string, unknown>> = {},
): readonly PlannedCase[] {
  const catalog = catalogOf(scenarios, requirements);
  const bound = { baseUrl: 'http://x', keys: { valid: 'sk-abc' }, ...more };
  return plan(createPromise(catalog, parseProfile(bound, catalog))).cases;
}
function only(cases: readonly PlannedCase[]): PlannedCase {
  const [item] = cases;
  if (!item || cases.length !== 1) throw new Error(`${cases.length} cases`);
  return item;
}
const must = (id: string, rest: string): string =>
  `{ id: ${id}, clause: ['1'], level: must, says: It., ${rest} }`;
/** Returns the ID of each requirement of a case, with the indexes of the steps to which the requirement applies. */
const checksOf = ({ checks }: PlannedCase): [string, readonly number[]][] =>
  checks.map(({ requirement, steps }) => [requirement.id, steps]);

describe('the cases of a plan', () => {
  test('are named by suite, scenario and every axis, and sorted by phase', () => {
    const cases = planned([
      '{ id: pooled, about: A., phase: pooled, pool: run }',
      '{ id: late, about: A., phase: bad-keys, send: { operation: chat } }',
      '{ id: first, about: A., phase: controls, each: { operation: [chat], header: [bearer] } }',
    ]);
    expect(cases.map(({ id, suite, phase }) => [id, suite, phase])).toEqual([
      ['s/first/operation=chat/header=bearer', 's', 'controls'],
      ['s/late', 's', 'bad-keys'],
      ['s/pooled', 's', 'pooled'],
    ]);
  });
  test('are those that satisfy the condition of their scenario', () => {
    const scenario = '{ id: a, about: A., each: { operation: [chat, models] }, where: { surface: model } }';
    expect(planned([scenario]).map(({ id }) => id)).toEqual(['s/a/operation=chat']);
  });
  test('include the further operations of the profile', () => {
    const scenario =
      '{ id: a, about: A., each: { operation: [chat, other], header: [x-goog-api-key] }, where: { accepted: true } }';
    const other = [
      { request: 'POST /count', family: 'B' },
      { request: 'POST /v1beta/models/m:count', family: 'C' },
      { request: 'GET /tax', family: 'billing' },
    ];
    const cases = planned([scenario], [], { operations: { other } });
    expect(cases.map(({ id }) => id)).toEqual(['s/a/operation=other-2/header=x-goog-api-key']);
    expect(only(cases).attributes).toMatchObject({ family: 'C', surface: 'model' });
  });
  test('have the attributes of their last step, which override the attributes of the scenario', () => {
    const item = only(
      planned([
        '{ id: a, about: A., send: { operation: chat, key: good }, steps: [{ key: unknown }, {}, { key: none }] }',
      ]),
    );
    expect(item.steps.map(({ attributes }) => attributes.key)).toEqual(['unknown', 'good', 'none']);
    expect(item.attributes).toBe(item.steps[2]?.attributes);
    expect(item.attributes.repeated).toBe('false');
  });
  test('that are sent several times have the attribute `repeated` in every step', () => {
    const item = only(planned(['{ id: a, about: A., send: { operation: chat }, times: 3 }']));
    expect(item.steps.map(({ attributes }) => attributes.repeated)).toEqual(['true', 'true', 'true']);
    expect(item.attributes.repeated).toBe('true');
  });
  test.each([
    ['usage', {}],
    ['balance', { rateLimit: { operation: 'balance', requests: 9, within: '1s' } }],
  ])('use %s as the limited operation', (operation, more) => {
    const item = only(planned(['{ id: a, about: A., each: { operation: [limited] } }'], [], more));
    expect([item.id, item.attributes.operation]).toEqual([`s/a/operation=${operation}`, operation]);
  });
  test('are not applicable for the reason of the first step that is not applicable', () => {
    const steps = '[{ key: good }, { key: deleted }, { key: depleted }]';
    const item = only(planned([`{ id: a, about: A., send: { operation: chat }, steps: ${steps} }`]));
    expect(item.notApplicable?.add).toBe('keys.deleted');
    expect(only(planned(['{ id: a, about: A., send: { operation: chat } }'])).notApplicable).toBeUndefined();
  });
});

describe('a requirement of a case', () => {
  const steps = '[{ key: good, control: true }, { key: unknown }, { key: good }, { key: unknown }]';
  const scenario = `{ id: a, about: A., send: { operation: chat }, steps: ${steps} }`;
  test.each<[string, string, [string, readonly number[]][]]>([
    [
      'applies to the steps with its attributes',
      'when: { key: unknown }, then: { status: 400 }',
      [['a/b', [1, 3]]],
    ],
    ['does not apply to controls', 'when: { key: good }, then: { status: 400 }', [['a/b', [2]]]],
    ['compares several steps', 'when: { key: unknown }, then: { same: [status] }', [['a/b', [1, 3]]]],
    ['does not compare a single step', 'when: { key: good }, then: { same: [status] }', []],
    ['is left out if it applies to other attributes', 'when: { key: deleted }, then: { status: 400 }', []],
    ['is left out if it is pooled', 'over: run, then: { status: 400 }', []],
  ])('%s', (_, rest, expected) => {
    expect(checksOf(only(planned([scenario], [must('a/b', rest)])))).toEqual(expected);
  });
  test('with `silent` is observed only if the requirement has a condition that applies', () => {
    const silent = (id: string, rest: string): string =>
      `{ id: ${id}, clause: ['1'], silent: It is open.${rest} }`;
    const item = only(
      planned(
        [scenario],
        [
          silent('a/seen', ', when: { key: unknown }'),
          silent('a/elsewhere', ', when: { key: deleted }'),
          silent('a/unseen', ''),
        ],
      ),
    );
    expect(item.observes.map(({ id }) => id)).toEqual(['a/seen']);
  });
});

describe('a pooled case', () => {
  const requirements = [
    must('a/operation', 'over: operation, when: { surface: model }, then: { status: 400 }'),
    must('a/perhaps', 'over: operation, when: { key: good }, then: { status: 400 }'),
    must('a/other', 'over: operation, when: { surface: list }, then: { status: 400 }'),
    must('a/run', 'over: run, when: { surface: model }, then: { status: 400 }'),
    must('a/case', 'when: { surface: model }, then: { status: 400 }'),
  ];
  test('of an operation has the requirements that can apply to its exchanges, and sends nothing', () => {
    const scenario = '{ id: a, about: A., phase: pooled, pool: operation, each: { operation: [chat] } }';
    const item = only(planned([scenario], requirements));
    expect(checksOf(item)).toEqual([
      ['a/operation', []],
      ['a/perhaps', []],
    ]);
    expect(item).toMatchObject({
      attributes: { operation: 'chat', surface: 'model', family: 'A' },
      steps: [],
      observes: [],
      pool: { over: 'operation', operation: 'chat' },
      notApplicable: undefined,
    });
  });
  test('of an operation that is not offered is not applicable', () => {
    const scenario = '{ id: a, about: A., phase: pooled, pool: operation, each: { operation: [balance] } }';
    expect(only(planned([scenario], requirements)).notApplicable?.add).toBe('operations.balance');
  });
  test('of the run has the requirements that can apply to any exchange', () => {
    const item = only(planned(['{ id: a, about: A., phase: pooled, pool: run }'], requirements));
    expect(checksOf(item)).toEqual([['a/run', []]]);
    expect(item).toMatchObject({
      attributes: {},
      pool: { over: 'run', operation: undefined },
      notApplicable: undefined,
    });
  });
});
