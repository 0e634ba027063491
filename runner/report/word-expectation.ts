import { type Expectation, titleOf } from '../catalog/expectation.ts';
import type { JsonSchema } from '../catalog/schemas.ts';
import { showStatusSet } from '../catalog/status-set.ts';

type Words = {
  readonly [K in Expectation['kind']]: (expectation: Extract<Expectation, { kind: K }>) => string;
};

const words: Words = {
  all: ({ of }) => of.map(wordExpectation).join(', '),
  any: ({ of }) => of.map(wordExpectation).join('; or '),
  status: ({ status }) => `status ${showStatusSet(status)}`,
  type: ({ types, unlessNotJson }) =>
    `error.type ${types.join(' or ')}${unlessNotJson ? ' where the body is JSON' : ''}`,
  code: ({ codes }) => `error.code ${codes.join(' or ')}`,
  body: ({ schema }) => `a body of the schema ${schema}`,
  is: ({ at, schema, whenAbsent }) =>
    `at ${at} ${wordSchema(schema)}${whenAbsent === 'nothing' ? ', where there is one' : ''}`,
  equals: ({ at, other }) => `at ${at} the same as at ${other}`,
  'media-type': ({ name }) => `a content type of ${name}`,
  names: ({ what }) =>
    what === 'model'
      ? 'a message that names `model` or its ID'
      : 'a message that names the member or the type at fault',
  lists: () => 'the models that were called with success in the list',
  omits: () => 'no made-up model in the list',
  parts: () => 'an answer in several parts',
  'error-event': () => 'an error in the stream',
  path: ({ pattern }) => `a path like ${pattern}`,
  fact: ({ name, matcher }) => `${name} ${matcher.values.join(' or ')}`,
  some: ({ of }) => `at least once ${wordExpectation(of)}`,
  none: ({ of }) => `never ${wordExpectation(of)}`,
  same: ({ at }) => `the same at ${at.join(' and ')} each time`,
  distinct: ({ at }) => `another value at ${at} each time`,
};

/** What an expectation asks for, in a sentence. */
export function wordExpectation(expectation: Expectation): string {
  return wordOne(expectation, expectation.kind);
}

function wordOne<K extends Expectation['kind']>(
  expectation: Extract<Expectation, { kind: K }>,
  kind: K,
): string {
  return words[kind](expectation);
}

function wordSchema(schema: JsonSchema): string {
  const { type, ...others } = schema;
  const title = titleOf(schema);
  if (title !== undefined) return title;
  if (Object.keys(others).length > 0) return `a value of ${JSON.stringify(schema)}`;
  return type === undefined ? 'any value' : `a value of the type ${[type].flat().join(' or ')}`;
}
