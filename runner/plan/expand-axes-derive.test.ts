import { describe, expect, test } from 'vitest';
import { readMember } from '../../common/pointer.ts';
import { loadSchemas, type SchemaProblem } from '../../common/schemas.ts';
import { loadFixtures } from '../catalog/fixtures.ts';
import { changeAt, parsePlace } from '../request/body.ts';
import { type DerivedFault, deriveFaults } from './expand-axes.ts';

const schemas = await loadSchemas();
const fixtures = loadFixtures();
const pointer = (place: string): string =>
  parsePlace(place)
    .map((step) => `/${step}`)
    .join('');

function applyFault(value: unknown, { place, fault, given }: DerivedFault): unknown {
  const put = { missing: undefined, 'wrong-type': { value: fixtures.types[given] }, empty: { value: '' } }[
    fault
  ];
  return changeAt(value, parsePlace(place), put);
}
/** Returns the JSON pointer to the invalid value or to the missing member. */
const placeOf = ({ pointer: at, keyword, params }: SchemaProblem): string =>
  keyword === 'required' ? `${at}/${String(params.missingProperty)}` : at;
const keywords: Readonly<Record<DerivedFault['fault'], string>> = {
  missing: 'required',
  'wrong-type': 'type',
  empty: 'minLength',
};

describe.each([
  ['chat-request', 'chat', 28],
  ['chat-request', 'chat-conversation', 28],
  ['responses-request', 'responses', 11],
  ['messages-request', 'messages', 30],
  ['generate-request', 'generate', 28],
])('the faults that are derived from %s for the body %s', (schema, body, least) => {
  const value = fixtures.bodies[body];
  const faultsOf = () => deriveFaults(schemas.resolved(schema), value);

  test('are many, without duplicates, in a valid body', () => {
    const faults = faultsOf();
    expect(schemas.problems(schema, value)).toEqual([]);
    expect(faults.length).toBeGreaterThanOrEqual(least);
    expect(new Set(faults.map((fault) => JSON.stringify(fault))).size).toBe(faults.length);
  });
  test('violate the schema at exactly the named place', () => {
    for (const fault of faultsOf()) {
      const problems = schemas.problems(schema, applyFault(value, fault));
      expect(
        problems.map((problem) => [problem.keyword, placeOf(problem)]),
        JSON.stringify(fault),
      ).toEqual([[keywords[fault.fault], pointer(fault.place)]]);
    }
  });
  test('do not change the rest of the body', () => {
    for (const fault of faultsOf()) {
      const changed = applyFault(value, fault);
      const original = readMember(value, pointer(fault.place));
      const restored = changeAt(changed, parsePlace(fault.place), { value: original });
      expect(restored, JSON.stringify(fault)).toEqual(value);
      expect(changed, JSON.stringify(fault)).not.toEqual(value);
    }
  });
  test('name the member without indexes', () => {
    for (const { place, member } of faultsOf()) expect(member).toBe(place.replace(/\[\d+\]/g, '[]'));
  });
});

describe('deriveFaults', () => {
  const faultsOf = (schema: unknown, value: unknown): string[] =>
    deriveFaults(schema, value).map(({ place, fault, given }) => `${place} ${fault} ${given}`);
  test('replaces a member of several types by values of all other types', () => {
    expect(faultsOf({ properties: { a: { type: ['string', 'array'] } } }, { a: 'x' })).toEqual([
      'a wrong-type number',
      'a wrong-type boolean',
      'a wrong-type null',
      'a wrong-type object',
    ]);
  });
  test('does not replace an integer by another number', () => {
    expect(faultsOf({ properties: { a: { type: 'integer' } } }, { a: 1 })).toEqual([
      'a wrong-type string',
      'a wrong-type boolean',
      'a wrong-type null',
      'a wrong-type array',
      'a wrong-type object',
    ]);
  });
  test('empties a text that must not be empty', () => {
    expect(
      faultsOf({ properties: { a: { minLength: 1 }, b: { minLength: 0 } } }, { a: 'x', b: 'x' }),
    ).toEqual(['a empty empty-string']);
  });
  test('removes no optional member, and does not change an absent one', () => {
    const schema = { required: ['b'], properties: { a: { type: 'null' }, b: {} } };
    expect(faultsOf(schema, { a: null }).filter((fault) => !fault.startsWith('a wrong-type'))).toEqual([]);
  });
  test.each<[string, unknown, unknown]>([
    ['no schema', undefined, { a: 1 }],
    ['no properties', {}, { a: 1 }],
    ['a value that is not an object', { required: ['a'], properties: { a: {} } }, 'x'],
    ['an empty list', { properties: { a: { items: { type: 'string' } } } }, { a: [] }],
  ])('derives no faults from %s', (_, schema, value) => {
    expect(faultsOf(schema, value)).toEqual([]);
  });
  test('derives a fault for each item of a list', () => {
    const schema = { properties: { a: { items: { required: ['b'], properties: { b: {} } } } } };
    expect(faultsOf(schema, { a: [{ b: 1 }, { b: 2 }, { b: 3 }] })).toEqual([
      'a[0].b missing nothing',
      'a[1].b missing nothing',
      'a[2].b missing nothing',
    ]);
  });
});
