import { expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import { catalogOfPackage } from './catalog.ts';
import { noErrors } from './errors.ts';
import { comparesExchanges, parseExpectation } from './expectation.ts';
import { readRequirements } from './requirements.ts';

const { attributes, schemas } = await catalogOfPackage();
const parse = (raw: unknown) =>
  parseExpectation(raw, { findSchema: schemas.resolved, parts: [], errors: noErrors });
const uuid = { title: 'a UUID', type: 'string' };
const status = (member: string) => ({ kind: 'status', status: { members: [member], negated: false } });

test.each<[string, unknown, unknown]>([
  ['a status', { status: 401 }, status('401')],
  [
    'a status and a type, which must both match',
    { status: 401, type: 'a' },
    { kind: 'all', of: [status('401'), { kind: 'type', types: ['a'], among: 'all' }] },
  ],
  [
    'a type that is checked only if the body is JSON',
    { typeIfJson: ['a', 'b'] },
    { kind: 'type', types: ['a', 'b'], among: 'json' },
  ],
  [
    'a type that no other known type may replace',
    { noOtherType: 'a' },
    { kind: 'type', types: ['a'], among: 'known-types' },
  ],
  ['a code', { code: 'a' }, { kind: 'code', codes: ['a'] }],
  ['a schema of the body', { body: 'model-error' }, { kind: 'body', schema: 'model-error' }],
  [
    'a value that must exist if its parent exists',
    { at: '/a', is: {} },
    { kind: 'is', at: '/a', schema: {}, whenAbsent: 'fault-if-parent' },
  ],
  [
    'a value that may be absent',
    { at: '/a', is: {}, optional: true },
    { kind: 'is', at: '/a', schema: {}, whenAbsent: 'nothing' },
  ],
  [
    'a value that must exist together with its parent',
    { at: '/a', is: {}, parent: 'required' },
    { kind: 'is', at: '/a', schema: {}, whenAbsent: 'fault' },
  ],
  [
    'a value of a schema of specs/schemas',
    { at: '/a', is: 'uuid' },
    { kind: 'is', at: '/a', schema: expect.objectContaining(uuid), whenAbsent: 'fault-if-parent' },
  ],
  [
    'places that must be equal',
    { at: '/a', equals: 'status' },
    { kind: 'equals', at: '/a', other: 'status' },
  ],
  [
    'alternatives',
    { anyOf: [{ status: 401 }, { code: 'a' }] },
    { kind: 'any', of: [status('401'), { kind: 'code', codes: ['a'] }] },
  ],
  [
    'an expectation that at least one response must satisfy',
    { some: { status: 429 } },
    { kind: 'some', of: status('429') },
  ],
  [
    'an expectation that no response may satisfy',
    { none: { status: '2xx' } },
    { kind: 'none', of: status('2xx') },
  ],
  [
    'places that must be equal in all responses',
    { same: ['status', '/a'] },
    { kind: 'same', at: ['status', '/a'] },
  ],
  [
    'an attribute',
    { attribute: { keyPrefix: 'sk-' } },
    { kind: 'attribute', name: 'keyPrefix', matcher: { values: ['sk-'], negated: false } },
  ],
])('reads %s', (_, raw, expected) => {
  expect(parse(raw)).toEqual(expected);
});

test('reads every property of the schema that is not a detail of another property', () => {
  const { $defs } = schemas.resolved('requirements');
  const properties = Object.keys(toMapping(toMapping(toMapping($defs).expectation).properties));
  const details = ['at', 'enforces', 'optional', 'parent', 'after'];
  const unread = properties.filter((property) => {
    const found = parse({ [property]: property === 'status' ? 401 : 'uuid' });
    return found.kind === 'all' && found.of.length === 0 && property !== 'allOf';
  });
  expect(properties.length).toBeGreaterThan(20);
  expect(unread).toEqual(details);
});

test.each<[string, unknown, string]>([
  [
    'a value that is not a mapping',
    401,
    'requirements[0].then must be a mapping of names to values (`name: value`).',
  ],
  ['an empty mapping', {}, 'requirements[0].then must not be empty.'],
  ['a place alone', { at: '/a' }, 'requirements[0].then has no property "is".'],
  ['a value without its place', { is: {} }, 'requirements[0].then has the property "is" but not "at".'],
  [
    'an unknown member',
    { state: 401 },
    'unknown property "state" in requirements[0].then. Did you mean "status"?',
  ],
  [
    'a status that is not a number',
    { status: 'ok' },
    'requirements[0].then.status must be a status such as 401, or a class such as 2xx.',
  ],
  ['`chunks` that is a number', { chunks: 17 }, 'requirements[0].then.chunks must be equal to constant'],
  ['an unknown event', { event: 'end' }, 'requirements[0].then.event must be equal to constant'],
  ['an unknown value of `lists`', { lists: 'bad' }, 'requirements[0].then.lists must be equal to constant'],
  ['a type that is a number', { type: 4 }, 'requirements[0].then.type must be a string or a list.'],
  [
    'alternatives that are not a list',
    { anyOf: { status: 401 } },
    'requirements[0].then.anyOf must be a list.',
  ],
  [
    'a mistake in a nested expectation',
    { anyOf: [{ status: 401 }, { some: { allOf: [{}] } }] },
    'requirements[0].then.anyOf[1].some.allOf[0] must not be empty.',
  ],
  [
    'a schema that is a number',
    { at: '/a', is: 4 },
    'requirements[0].then.is must be a mapping of names to values (`name: value`) or a string.',
  ],
  ['a schema that does not exist', { at: '/a', is: 'uid' }, 'the schema "uid" does not exist'],
  ['a body of a schema that does not exist', { body: 'uid' }, 'the schema "uid" does not exist'],
  ['an attribute without a name', { attribute: {} }, 'requirements[0].then.attribute must not be empty.'],
])('rejects %s', (_, then, message) => {
  const requirement = { id: 'a/b', clause: ['1'], level: 'must', says: 'It.', then };
  const file = parseDataFile('l.yaml', JSON.stringify({ requirements: [requirement] }));
  expect(() => readRequirements([file], attributes, schemas)).toThrow(`l.yaml:1: ${message}`);
});

test.each([
  [{ same: ['status'] }, true],
  [{ distinct: '/a' }, true],
  [{ none: { status: '2xx' } }, false],
  [{ status: 200 }, false],
])('%j compares several exchanges: %j', (raw, expected) => {
  expect(comparesExchanges(parse(raw))).toBe(expected);
});
