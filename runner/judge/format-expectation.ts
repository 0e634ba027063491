import { formatList } from '../../common/lists.ts';
import type { JsonSchema } from '../../common/schemas.ts';
import { type Expectation, getSchemaTitle, type NamedThing } from '../catalog/expectation.ts';
import { formatStatusSet } from '../catalog/status-set.ts';
import { addArticle, formatPathRule, quotePlace } from './words.ts';

type Words = {
  readonly [K in Expectation['kind']]: (expectation: Extract<Expectation, { kind: K }>) => string;
};

const words: Words = {
  all: ({ of }) => formatAll(of),
  any: ({ of }) => of.map(formatExpectation).join(', or '),
  status: ({ status }) => formatStatusSet(status),
  type: ({ types, among }) =>
    among === 'known-types'
      ? `no error type of section 7.1 other than ${anyOf(types)}`
      : `${quotePlace('/error/type')} ${anyOf(types)}${among === 'json' ? ' if the body is JSON' : ''}`,
  code: ({ codes }) => `${quotePlace('/error/code')} ${anyOf(codes)}`,
  body: ({ schema }) => `a body that conforms to the schema \`${schema}\``,
  is: ({ at, schema, whenAbsent }) =>
    at === 'body' && Object.keys(schema).length === 0
      ? 'a JSON body'
      : `${quotePlace(at)} ${formatSchema(schema)}${whenAbsent === 'nothing' ? ', if present' : ''}`,
  absent: ({ at }) => `no ${quotePlace(at)}`,
  equals: ({ at, other }) => `${quotePlace(at)} equals ${quotePlace(other)}`,
  'media-type': ({ name }) => `a ${name.toUpperCase()} content type`,
  names: ({ what }) => `a message that ${namedThings[what]}`,
  lists: () => 'a list that contains every model that was called successfully',
  omits: () => 'a list that contains no generated model ID',
  parts: () => 'a response in several parts',
  'error-event': () => 'an error in the stream',
  output: ({ what }) => `${what === 'data' ? 'data' : 'model output'}, not only an error`,
  path: ({ pattern }) => `a path that ${formatPathRule(pattern)}`,
  attribute: ({ name, matcher }) => `\`${name}\` is ${anyOf(matcher.values)}`,
  some: ({ of }) => `at least one response with ${formatExpectation(of)}`,
  none: ({ of, after }) => `no response with ${formatExpectation(of)}${formatAfter(after)}`,
  same: ({ at, after }) => `${at.map(quotePlace).join(' and ')} are the same each time${formatAfter(after)}`,
  distinct: ({ at }) => `${quotePlace(at)} differs each time`,
  apart: () => 'messages that differ between the invalid members',
  'one-fault': () => 'the response to a request with only one of the invalid parts',
};

const namedThings: Readonly<Record<NamedThing, string>> = {
  model: 'names `model` or the model ID',
  place: 'names the invalid member or its type',
  cause: 'says more than that the request is invalid',
};

function formatAfter(after: Expectation | undefined): string {
  return after ? ` after ${formatExpectation(after)}` : '';
}

/** Formats an expectation as a phrase, with names in backticks, such as 401 `invalid_api_key`. */
export function formatExpectation(expectation: Expectation): string {
  return formatOne(expectation, expectation.kind);
}

function formatOne<K extends Expectation['kind']>(
  expectation: Extract<Expectation, { kind: K }>,
  kind: K,
): string {
  return words[kind](expectation);
}

/** Formats expectations that apply together. A status and an error type or code form one phrase. */
function formatAll([first, second, ...rest]: readonly Expectation[]): string {
  if (first?.kind !== 'status')
    return [first, second, ...rest].flatMap((one) => (one ? [formatExpectation(one)] : [])).join(', ');
  const status = formatStatusSet(first.status);
  const others = rest.map(formatExpectation);
  if (second?.kind === 'type' && second.among !== 'known-types') {
    const types = anyOf(second.types);
    const shown =
      second.among === 'json' ? `${status}, and ${types} if the body is JSON` : `${status} ${types}`;
    return [shown, ...others].join(', ');
  }
  if (second?.kind === 'code') return [`${status} ${anyOf(second.codes)}`, ...others].join(', ');
  return [`${status} with ${second ? formatExpectation(second) : 'any body'}`, ...others].join(', ');
}

function anyOf(values: readonly string[]): string {
  return formatList(
    values.map((value) => `\`${value}\``),
    'or',
  );
}

function formatSchema(schema: JsonSchema): string {
  const { type, ...others } = schema;
  const title = getSchemaTitle(schema);
  if (title !== undefined) return `is ${title}`;
  if (Object.keys(others).length > 0) return `is a value of ${JSON.stringify(schema)}`;
  return type === undefined ? 'is present' : `is ${[type].flat().map(addArticle).join(' or ')}`;
}
