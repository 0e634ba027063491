import { expect, test } from 'vitest';
import { compileForeignSchema, type JsonSchema } from '../../common/compile-schema.ts';
import { sampleOf } from './sample.ts';

const object = (properties: Readonly<Record<string, unknown>>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const node = object({
  name: { type: 'string' },
  next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
});

test.each<[about: string, JsonSchema]>([
  ['plain types', object({ s: { type: 'string' }, i: { type: 'integer' }, b: { type: 'boolean' } })],
  ['bounds', object({ i: { type: 'integer', minimum: 5, maximum: 7 }, n: { exclusiveMinimum: 3 } })],
  ['patterns', object({ id: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' } })],
  ['lengths', object({ s: { type: 'string', minLength: 30, maxLength: 40 } })],
  ['lists', object({ l: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 } })],
  ['enumerations', object({ e: { enum: ['x', 'y'] }, c: { const: 3 } })],
  [
    'alternatives',
    object({ a: { anyOf: [{ type: 'null' }, { type: 'string' }] }, t: { type: ['string', 'null'] } }),
  ],
  ['combinations', { allOf: [object({ a: { type: 'string' } }, { additionalProperties: true })] }],
  ['a member named type', object({ type: { type: 'string' } })],
  ['recursion', { ...object({ root: { $ref: '#/$defs/node' } }), $defs: { node } }],
])('invents a value: %s', (_, schema) => {
  const value = sampleOf(schema, '');
  expect(compileForeignSchema(schema)(value), JSON.stringify(value)).toBe(true);
  expect(sampleOf(schema, '')).toEqual(value);
});

test('leaves out what is optional', () => {
  expect(sampleOf({ type: 'object', properties: { a: { type: 'string' } } }, '')).toEqual({});
});

test.each<[text: string, value: unknown]>([
  ['{"a":"x"}', { a: 'x' }],
  ['Say { "a": "}" }, please.', { a: '}' }],
  ['{"b":1} {"a":"x"}', { a: 'x' }],
  ['{ not JSON {"a":"x"}', { a: 'x' }],
  ['{"a":1}', { a: 'a' }],
  ['{'.repeat(1000), { a: 'a' }],
])('takes an object from the text: %s', (text, value) => {
  expect(sampleOf(object({ a: { type: 'string' } }), text)).toEqual(value);
});

test.each<[about: string, JsonSchema]>([
  ['unknown keywords and formats', { type: 'string', format: 'colour', hint: 1 }],
  ['an unknown reference', { $ref: '#/$defs/none' }],
  ['an invalid schema', { type: 'thing' }],
])('survives %s', (_, schema) => {
  expect(sampleOf(schema, '{"a":1}')).toBeDefined();
});
