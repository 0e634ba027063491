import { describe, expect, test } from 'vitest';
import { toList, toMapping } from '../../common/mapping.ts';
import type { JsonSchema } from '../../common/schemas.ts';
import { catalogOfPackage } from './catalog.ts';
import { expectPart, type SchemaPart } from './schema-parts.ts';

const shape = (members: object = {}, required: readonly string[] = ['error']): JsonSchema => ({
  title: 'A body',
  type: 'object',
  required,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer' },
        message: { title: 'a text', type: 'string', pattern: 'x' },
      },
    },
    ...members,
  },
});
const body: SchemaPart = { at: 'body', enforces: 'rest' };
const error: SchemaPart = { at: '/error', enforces: 'rest' };
const code: SchemaPart = { at: '/error/code', enforces: ['required', 'type'] };
const text: SchemaPart = { at: '/error/message', enforces: ['required', 'type'] };
const pattern: SchemaPart = { at: '/error/message', enforces: ['pattern'] };
const parts = [body, error, code, text, pattern];

describe('a requirement on a part of a schema', () => {
  test.each<[string, SchemaPart, JsonSchema, object]>([
    [
      'a type and the presence',
      code,
      shape(),
      { schema: { type: 'integer' }, whenAbsent: 'fault-if-parent' },
    ],
    [
      'a keyword with the title of the value',
      pattern,
      shape(),
      { schema: { title: 'a text', pattern: 'x' }, whenAbsent: 'nothing' },
    ],
    ['a rest without anything else', error, shape(), { schema: { type: 'object' } }],
    ['a new required member', body, shape({}, ['error', 'hint']), { schema: { required: ['hint'] } }],
    [
      'a constraint that no requirement names',
      body,
      shape({ hint: { type: 'string' } }),
      { schema: { properties: { hint: { type: 'string' } } } },
    ],
  ])('enforces %s', (_, part, schema, expected) => {
    expect(expectPart(schema, part, parts)).toMatchObject({ kind: 'is', at: part.at, ...expected });
  });
  test('names the members of a closed object', () => {
    const closed = { ...shape(), additionalProperties: false };
    const part: SchemaPart = { at: 'body', enforces: ['additionalProperties'] };
    expect(expectPart(closed, part, [part])).toMatchObject({
      schema: {
        title: 'an object with only the member `error`',
        additionalProperties: false,
        properties: { error: true },
      },
    });
  });
  test.each<[SchemaPart, RegExp]>([
    [{ at: '/error/hint', enforces: 'rest' }, /no value at \/error\/hint/],
    [{ at: '/error/code', enforces: ['pattern'] }, /no `pattern` for \/error\/code/],
  ])('%j that the schema lacks is an error', (part, problem) => {
    expect(() => expectPart(shape(), part, [part])).toThrow(problem);
  });
});

describe.each([
  ['model-error-shape', 'model-error'],
  ['billing-error', 'billing-error'],
])('each constraint of %s', (name, topic) => {
  test('is enforced by exactly one requirement', async () => {
    const { schemas, ledger } = await catalogOfPackage();
    const enforced = ledger.requirements.flatMap(({ id, then, level }) =>
      id.startsWith(`${topic}/`) && level === 'must' && then.kind === 'is' && !then.at.startsWith('header')
        ? [[then.at === 'body' ? '' : then.at, then.schema, then.whenAbsent] as const]
        : [],
    );
    const found = enforced.flatMap(([at, schema, whenAbsent]) => [
      ...listConstraints(schema, at),
      ...(whenAbsent === 'nothing' || at === '' ? [] : [`${at} required`]),
    ]);
    expect(found.sort()).toEqual(listConstraints(schemas.resolved(name), '').sort());
  });
});

function listConstraints(schema: JsonSchema, at: string): string[] {
  const { properties = {}, required = [], $schema, $id, title, description, ...keywords } = schema;
  return [
    ...Object.keys(keywords).map((name) => `${at} ${name}`),
    ...toList(required).map((name) => `${at}/${name} required`),
    ...Object.entries(toMapping(properties)).flatMap(([name, child]) =>
      listConstraints(toMapping(child), `${at}/${name}`),
    ),
  ];
}
