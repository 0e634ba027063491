import { toList, toMapping } from '../../common/mapping.ts';
import type { JsonSchema } from '../../common/schemas.ts';
import type { RequestPart } from './attributes.ts';
import { type Matcher, parseMatcher } from './condition.ts';
import { type ErrorRows, statusesOf } from './errors.ts';
import { parseStatusSet, type StatusSet } from './status-set.ts';

/** A location in a response: `status`, `body`, `header NAME`, or a JSON pointer into the body. */
export type ResponseLocation = string;

/** The parsed `then` of a requirement: a condition on one exchange, or on several exchanges together. */
export type Expectation =
  | { readonly kind: 'all'; readonly of: readonly Expectation[] }
  /** `isAnyRow`: one of the errors of section 7, whichever. */
  | { readonly kind: 'any'; readonly of: readonly Expectation[]; readonly isAnyRow?: true }
  | { readonly kind: 'status'; readonly status: StatusSet }
  | { readonly kind: 'type'; readonly types: readonly string[]; readonly among: TypeScope }
  | { readonly kind: 'code'; readonly codes: readonly string[] }
  | { readonly kind: 'body'; readonly schema: string }
  | {
      readonly kind: 'is';
      readonly at: ResponseLocation;
      readonly schema: JsonSchema;
      readonly whenAbsent: WhenAbsent;
    }
  | { readonly kind: 'absent'; readonly at: ResponseLocation }
  | { readonly kind: 'equals'; readonly at: ResponseLocation; readonly other: ResponseLocation }
  | { readonly kind: 'media-type'; readonly name: string }
  | { readonly kind: 'names'; readonly what: NamedThing }
  | { readonly kind: 'lists'; readonly model: 'good' }
  | { readonly kind: 'omits'; readonly model: 'unlisted' }
  | { readonly kind: 'parts' }
  | { readonly kind: 'error-event' }
  | { readonly kind: 'output'; readonly what: 'output' | 'data' }
  | { readonly kind: 'path'; readonly pattern: string }
  | { readonly kind: 'attribute'; readonly name: string; readonly matcher: Matcher }
  | { readonly kind: 'some'; readonly of: Expectation }
  /**
   * No exchange may satisfy `of`. If `after` is set, only exchanges after the first response that satisfies `after`
   * count.
   */
  | { readonly kind: 'none'; readonly of: Expectation; readonly after: Expectation | undefined }
  | {
      readonly kind: 'same';
      readonly at: readonly ResponseLocation[];
      readonly after: Expectation | undefined;
    }
  | { readonly kind: 'distinct'; readonly at: ResponseLocation }
  /** The messages about different invalid members are not all the same text. */
  | { readonly kind: 'apart' }
  /**
   * The response must be the required response to one of the invalid parts of the request. `findRequirements`
   * replaces this expectation with the result of `expectOneFault`.
   */
  | { readonly kind: 'one-fault'; readonly parts: readonly RequestPart[] };

/** What a message must name. `cause`: anything more than that the request is invalid. */
const namedThings = ['place', 'model', 'cause'] as const;
export type NamedThing = (typeof namedThings)[number];

/**
 * The responses that must have one of the types. `all`: every response, in `error.type`. `json`: every response whose
 * body is JSON, in `error.type`. `known-types`: every response whose body is JSON and contains a type of section 7.1,
 * in `error.type` or, if this member contains no text, anywhere.
 */
export type TypeScope = 'all' | 'json' | 'known-types';

/**
 * The result if the value is absent. `fault`: a violation. `fault-if-parent`: a violation only if the object that
 * should contain the value exists. Otherwise, another requirement reports the absent object. `nothing`: the
 * expectation does not apply.
 */
export type WhenAbsent = 'fault' | 'fault-if-parent' | 'nothing';

/** Returns the schema in `specs/schemas` with this name. Throws if no such schema exists. */
export type FindSchema = (name: string) => JsonSchema;
type Members = Readonly<Record<string, unknown>>;

/**
 * What an expectation can refer to: schemas, the parts of a request that can be invalid, and the errors of section 7.
 */
export interface ExpectationContext {
  readonly findSchema: FindSchema;
  readonly parts: readonly RequestPart[];
  readonly errors: ErrorRows;
}

type Reader = (value: unknown, members: Members, context: ExpectationContext) => Expectation;

const readers: Readonly<Record<string, Reader>> = {
  status: (value) => ({ kind: 'status', status: readStatusSet(value) }),
  type: (value) => ({ kind: 'type', types: textsOf(value), among: 'all' }),
  typeIfJson: (value) => ({ kind: 'type', types: textsOf(value), among: 'json' }),
  noOtherType: (value) => ({ kind: 'type', types: textsOf(value), among: 'known-types' }),
  code: (value) => ({ kind: 'code', codes: textsOf(value) }),
  row: (value, _, { errors }) => expectRow(textsOf(value), errors),
  body: (value, _, { findSchema }) => {
    const schema = String(value);
    findSchema(schema);
    return { kind: 'body', schema };
  },
  is: (value, { at, optional, parent }, { findSchema }) => {
    const schema = typeof value === 'string' ? findSchema(value) : toMapping(value);
    const whenAbsent = optional === true ? 'nothing' : parent === 'required' ? 'fault' : 'fault-if-parent';
    return { kind: 'is', at: String(at), schema: removeIds(schema), whenAbsent };
  },
  absent: (_, { at }) => ({ kind: 'absent', at: String(at) }),
  equals: (value, { at }) => ({ kind: 'equals', at: String(at), other: String(value) }),
  mediaType: (value) => ({ kind: 'media-type', name: String(value) }),
  names: (value) => ({ kind: 'names', what: namedThings.find((thing) => thing === value) ?? 'place' }),
  lists: () => ({ kind: 'lists', model: 'good' }),
  omits: () => ({ kind: 'omits', model: 'unlisted' }),
  chunks: () => ({ kind: 'parts' }),
  event: () => ({ kind: 'error-event' }),
  delivers: (value) => ({ kind: 'output', what: value === 'data' ? 'data' : 'output' }),
  path: (value) => ({ kind: 'path', pattern: String(value) }),
  attribute: (value) => {
    const [[name, matcher] = ['', undefined]] = Object.entries(toMapping(value));
    return { kind: 'attribute', name, matcher: parseMatcher(matcher) };
  },
  anyOf: (value, _, context) => ({
    kind: 'any',
    of: toList(value).map((item) => parseExpectation(item, context)),
  }),
  allOf: (value, _, context) => ({
    kind: 'all',
    of: toList(value).map((item) => parseExpectation(item, context)),
  }),
  some: (value, _, context) => ({ kind: 'some', of: parseExpectation(value, context) }),
  none: (value, { after }, context) => ({
    kind: 'none',
    of: parseExpectation(value, context),
    after: parseAfter(after, context),
  }),
  same: (value, { after }, context) => ({
    kind: 'same',
    at: textsOf(value),
    after: parseAfter(after, context),
  }),
  distinct: (value) => ({ kind: 'distinct', at: String(value) }),
  tellsApart: () => ({ kind: 'apart' }),
  response: (_value, _members, { parts }) => ({ kind: 'one-fault', parts }),
};

/**
 * Parses a `then` that conforms to `requirements.schema.json`. Several expectations become one expectation of the
 * kind `all`. Throws the error of `findSchema` for an unknown schema, and an `Error` for an invalid status.
 */
export function parseExpectation(raw: unknown, context: ExpectationContext): Expectation {
  const members = toMapping(raw);
  const of = Object.entries(members).flatMap(
    ([name, value]) => readers[name]?.(value, members, context) ?? [],
  );
  const [only] = of;
  return only && of.length === 1 ? only : { kind: 'all', of };
}

/** Whether the expectation compares several exchanges. A single exchange cannot violate such an expectation. */
export function comparesExchanges({ kind }: Expectation): boolean {
  return kind === 'same' || kind === 'distinct' || kind === 'apart';
}

/**
 * Whether checking the expectation requires the models of all successful calls, which are known only for a pooled
 * requirement.
 */
export function dependsOnCalledModels(expectation: Expectation): boolean {
  if (expectation.kind === 'all' || expectation.kind === 'any')
    return expectation.of.some(dependsOnCalledModels);
  return expectation.kind === 'lists';
}

/** Whether the expectation is the status class `2xx`. */
export function requiresSuccess(then: Expectation): boolean {
  return then.kind === 'status' && !then.status.negated && then.status.members.every((one) => one === '2xx');
}

/** Whether the expectation differs from those that apply to several exchanges, such as `same` and `none`. */
export function isAboutOneResponse(expectation: Expectation): boolean {
  return !comparesExchanges(expectation) && expectation.kind !== 'some' && expectation.kind !== 'none';
}

/** Whether the expectation is a condition on the request: on its path or on one of its attributes. */
export function isAboutRequest({ kind }: Expectation): boolean {
  return kind === 'path' || kind === 'attribute';
}

function parseAfter(value: unknown, context: ExpectationContext): Expectation | undefined {
  return value === undefined ? undefined : parseExpectation(value, context);
}

/** Returns the expectation of a row of one of these families, or of a row of billing-type endpoints (`billing`). */
function expectRow(families: readonly string[], { types, codes }: ErrorRows): Expectation {
  const isBilling = families.includes('billing');
  const byStatus = new Map<number, string[]>();
  for (const [name, row] of isBilling ? codes : types)
    for (const status of new Set(families.flatMap((family) => statusesOf(row, family))))
      byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  return {
    kind: 'any',
    isAnyRow: true,
    of: [...byStatus].map(([status, names]) => ({
      kind: 'all',
      of: [
        { kind: 'status', status: readStatusSet(status) },
        isBilling ? { kind: 'code', codes: names } : { kind: 'type', types: names, among: 'all' },
      ],
    })),
  };
}

function readStatusSet(value: unknown): StatusSet {
  const status = parseStatusSet(value);
  if (!status)
    throw new Error(
      `Invalid status ${JSON.stringify(value)}. Expected a status such as 401, a class such as 4xx, a list of statuses and classes, or \`{ not: … }\`.`,
    );
  return status;
}

function textsOf(value: unknown): readonly string[] {
  return parseMatcher(value).values;
}

/** Returns a copy of a schema without its `$schema` and `$id`. A schema compiler accepts each `$id` only once. */
function removeIds({ $id: _id, $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Returns the title of a schema, such as `a UUID`; undefined if the schema has no title. */
export function getSchemaTitle({ title }: JsonSchema): string | undefined {
  return typeof title === 'string' ? title : undefined;
}
