import type { JsonSchema } from '../../contract/schemas.ts';
import { type Matcher, parseMatcher } from './condition.ts';
import { parseStatusSet, type StatusSet } from './status-set.ts';

/** A place in an exchange: `status`, `body`, `header NAME`, or a JSON pointer into the body. */
export type Place = string;

/** What a `then` can ask for. Several members of one `then` must all hold. */
export type Expectation =
  | { readonly kind: 'all'; readonly of: readonly Expectation[] }
  | { readonly kind: 'any'; readonly of: readonly Expectation[] }
  | { readonly kind: 'status'; readonly status: StatusSet }
  | { readonly kind: 'type'; readonly types: readonly string[]; readonly unlessNotJson: boolean }
  | { readonly kind: 'code'; readonly codes: readonly string[] }
  | { readonly kind: 'body'; readonly schema: string }
  | { readonly kind: 'is'; readonly at: Place; readonly schema: JsonSchema; readonly whenAbsent: WhenAbsent }
  | { readonly kind: 'equals'; readonly at: Place; readonly other: Place }
  | { readonly kind: 'media-type'; readonly name: string }
  | { readonly kind: 'names'; readonly what: 'place' | 'model' }
  | { readonly kind: 'lists'; readonly model: 'good' }
  | { readonly kind: 'omits'; readonly model: 'unlisted' }
  | { readonly kind: 'parts' }
  | { readonly kind: 'error-event' }
  | { readonly kind: 'path'; readonly pattern: string }
  | { readonly kind: 'fact'; readonly name: string; readonly matcher: Matcher }
  | { readonly kind: 'some'; readonly of: Expectation }
  /** With `after`, only exchanges that follow one with such a response count. */
  | { readonly kind: 'none'; readonly of: Expectation; readonly after: Expectation | undefined }
  | { readonly kind: 'same'; readonly at: readonly Place[]; readonly after: Expectation | undefined }
  | { readonly kind: 'distinct'; readonly at: Place };

/**
 * What it means if a value is absent: a violation in any case (`fault`); a violation unless its parent is absent too, which
 * another requirement reports (`fault-if-parent`); or nothing to judge (`nothing`).
 */
export type WhenAbsent = 'fault' | 'fault-if-parent' | 'nothing';

type Fail = (path: readonly (string | number)[], problem: string) => Error;
type Reader = (value: unknown, members: Readonly<Record<string, unknown>>, fail: Fail) => Expectation;

const readers: Readonly<Record<string, Reader>> = {
  status: (value, _, fail) => {
    const status = parseStatusSet(value);
    if (!status) throw fail(['status'], 'a status is 100 to 599, or a class such as 4xx');
    return { kind: 'status', status };
  },
  type: (value, _, fail) => ({ kind: 'type', types: parseValues(value, 'type', fail), unlessNotJson: false }),
  typeIfJson: (value, _, fail) => ({
    kind: 'type',
    types: parseValues(value, 'typeIfJson', fail),
    unlessNotJson: true,
  }),
  code: (value, _, fail) => ({ kind: 'code', codes: parseValues(value, 'code', fail) }),
  body: (value) => ({ kind: 'body', schema: String(value) }),
  is: (value, { at, optional, parent }, fail) => {
    if (typeof value !== 'object' || value === null) throw fail(['is'], '`is` is a JSON Schema');
    if (at === undefined) throw fail(['is'], '`is` needs the place `at` which it speaks of');
    const whenAbsent = optional === true ? 'nothing' : parent === 'required' ? 'fault' : 'fault-if-parent';
    return { kind: 'is', at: String(at), schema: { ...value }, whenAbsent };
  },
  equals: (value, { at }) => ({ kind: 'equals', at: String(at), other: String(value) }),
  mediaType: (value) => ({ kind: 'media-type', name: String(value) }),
  names: (value) => ({ kind: 'names', what: value === 'model' ? 'model' : 'place' }),
  lists: () => ({ kind: 'lists', model: 'good' }),
  omits: () => ({ kind: 'omits', model: 'unlisted' }),
  chunks: () => ({ kind: 'parts' }),
  event: () => ({ kind: 'error-event' }),
  path: (value) => ({ kind: 'path', pattern: String(value) }),
  fact: (value, _, fail) => {
    const [entry] = Object.entries(value ?? {});
    if (!entry) throw fail(['fact'], '`fact` is a mapping of one fact');
    return { kind: 'fact', name: entry[0], matcher: parseMatcher(entry[1]) };
  },
  anyOf: (value, _, fail) => ({ kind: 'any', of: parseList(value, 'anyOf', fail) }),
  allOf: (value, _, fail) => ({ kind: 'all', of: parseList(value, 'allOf', fail) }),
  some: (value, _, fail) => ({ kind: 'some', of: parseExpectation(value, within(fail, 'some')) }),
  none: (value, { after }, fail) => ({
    kind: 'none',
    of: parseExpectation(value, within(fail, 'none')),
    after: parseAfter(after, fail),
  }),
  same: (value, { after }, fail) => ({
    kind: 'same',
    at: parseMatcher(value).values,
    after: parseAfter(after, fail),
  }),
  distinct: (value) => ({ kind: 'distinct', at: String(value) }),
};
const modifiers = ['at', 'optional', 'parent', 'after'];

/** Reads a `then`; `fail` makes the error for a path inside it. */
export function parseExpectation(raw: unknown, fail: Fail): Expectation {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw fail([], 'an expectation is a mapping');
  const members: Readonly<Record<string, unknown>> = { ...raw };
  const of: Expectation[] = [];
  for (const [name, value] of Object.entries(members)) {
    const read = readers[name];
    if (read) of.push(read(value, members, fail));
    else if (!modifiers.includes(name)) throw fail([name], `an expectation has no member "${name}"`);
  }
  const [only] = of;
  if (!only) throw fail([], 'an expectation must ask for something');
  return of.length === 1 ? only : { kind: 'all', of };
}

/** Whether the expectation compares several exchanges and so says nothing about a single one. */
export function comparesExchanges(expectation: Expectation): boolean {
  return expectation.kind === 'same' || expectation.kind === 'distinct';
}

/** Whether the expectation depends on the models that other requests called. */
export function asksForCalledModels(expectation: Expectation): boolean {
  if (expectation.kind === 'all' || expectation.kind === 'any')
    return expectation.of.some(asksForCalledModels);
  return expectation.kind === 'lists';
}

/** Whether the expectation can be held against one exchange by itself. */
export function isAboutOneResponse(expectation: Expectation): boolean {
  return !comparesExchanges(expectation) && expectation.kind !== 'some' && expectation.kind !== 'none';
}

function parseValues(value: unknown, name: string, fail: Fail): readonly string[] {
  const { values, negated } = parseMatcher(value);
  if (negated) throw fail([name], `\`${name}\` is a value or a list of values`);
  return values;
}

function parseAfter(value: unknown, fail: Fail): Expectation | undefined {
  return value === undefined ? undefined : parseExpectation(value, within(fail, 'after'));
}

function parseList(value: unknown, name: string, fail: Fail): Expectation[] {
  if (!Array.isArray(value)) throw fail([name], `\`${name}\` is a list`);
  return value.map((item, index) => parseExpectation(item, within(fail, name, index)));
}

function within(fail: Fail, ...prefix: (string | number)[]): Fail {
  return (path, problem) => fail([...prefix, ...path], problem);
}

/** What a person calls the values of a schema that has a title, such as "a UUID". */
export function titleOf({ title }: JsonSchema): string | undefined {
  return typeof title === 'string' ? title : undefined;
}
