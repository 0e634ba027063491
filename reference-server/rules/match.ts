import { compileNamePattern } from '../../common/glob.ts';
import { isObject, type Json } from '../json.ts';
import type { Facts, Problem } from './facts.ts';
import type { Invalid, Match, OneOf, Size, Texts } from './rule.ts';

/** True or false; undefined while a fact that decides it is not known yet. */
export type Truth = boolean | undefined;

/** The conditions on the request itself, without those that need a memory of other requests. */
type Conditions = Required<
  Omit<Match, 'not' | 'anyOf' | 'every' | 'nth' | 'from' | 'times' | 'by' | 'distinct' | 'noted' | 'during'>
>;

const conditions: {
  readonly [Name in keyof Conditions]: (wanted: Conditions[Name], facts: Facts) => Truth;
} = {
  operation: (wanted, { operation }) => fits(wanted, operation),
  family: (wanted, { family }) => fits(wanted, family),
  surface: (wanted, { surface }) => fits(wanted, surface),
  method: (wanted, { request }) => fits(wanted, request.method),
  path: (wanted, { request }) => fits(wanted, request.path),
  query: (wanted, { request }) => fitAll(wanted, (name) => request.query.get(name) ?? undefined),
  headers: (wanted, { request }) => fitAll(wanted, (name) => request.headers[name.toLowerCase()]),
  place: (wanted, { caller }) => caller && fits(wanted, caller.place),
  credential: (wanted, { caller }) => caller && fits(wanted, caller.credential),
  key: (wanted, { caller }) => caller && fits(wanted, caller.key),
  model: (wanted, { sent }) => sent && fits(wanted, sent.model),
  streamed: (wanted, { sent }) => sent && sent.streamed === wanted,
  body: (wanted, { sent }) => sent && containsValue(sent.body, wanted),
  invalid: (wanted, { sent }) => sent && isInvalid(wanted, sent.findProblem?.()),
  text: (wanted, { sent }) => sent && fits(wanted, sent.text()),
  size: (wanted, { request }) => isWithin(wanted, Number(request.headers['content-length'] ?? 0)),
  marker: (wanted, { request, sent }) => {
    const markers = [wanted].flat();
    if (markers.some((marker) => isIn(marker, request))) return true;
    const text = sent?.text();
    return text === undefined ? undefined : markers.some((marker) => text.includes(marker));
  },
  refused: (wanted, { refused }) => (refused === undefined ? undefined : isRefusedFor(wanted, refused)),
  problem: (wanted, { refused, problem = {} }) =>
    refused === undefined ? undefined : fitAll(wanted, (name) => problem[name]),
};

const names = [
  'operation',
  'family',
  'surface',
  'method',
  'path',
  'query',
  'headers',
  'place',
  'credential',
  'key',
  'model',
  'streamed',
  'body',
  'invalid',
  'text',
  'size',
  'marker',
  'refused',
  'problem',
] as const satisfies readonly (keyof Conditions)[];

/**
 * Whether a request satisfies the conditions that need no memory of other requests; undefined if that depends on a
 * fact that is not known yet.
 */
export function matches(match: Match, facts: Facts): Truth {
  const truths = names.flatMap((name) => satisfies(name, match, facts));
  if (match.not) truths.push(negate(matches(match.not, facts)));
  if (match.anyOf) truths.push(negate(all(match.anyOf.map((one) => negate(matches(one, facts))))));
  return all(truths);
}

/** A condition that is not stated has no truth. */
function satisfies<Name extends keyof Conditions>(name: Name, match: Match, facts: Facts): Truth[] {
  const wanted: Partial<Conditions>[Name] = match[name];
  return wanted === undefined ? [] : [conditions[name](wanted, facts)];
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

const negate = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

/** Whether a text matches one of the patterns. */
function fits(wanted: OneOf<string>, text: string | undefined): boolean {
  return text !== undefined && [wanted].flat().some((pattern) => compileNamePattern(pattern)(text));
}

const fitAll = (wanted: Texts, read: (name: string) => string | undefined): boolean =>
  Object.entries(wanted).every(([name, patterns]) =>
    patterns === null ? read(name) === undefined : fits(patterns, read(name)),
  );

function isRefusedFor(wanted: boolean | OneOf<string>, refused: string | boolean): boolean {
  if (typeof wanted === 'boolean') return (refused !== false) === wanted;
  return typeof refused === 'string' && fits(wanted, refused);
}

function isInvalid({ at, type, value }: Invalid, problem: Problem | undefined): boolean {
  return (
    problem !== undefined &&
    (at === undefined || fits(at, problem.place)) &&
    (type === undefined || fits(type, typeOf(problem.value))) &&
    (value === undefined || containsValue(problem.value, value))
  );
}

function typeOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const isWithin = ({ over = -1, under = Number.POSITIVE_INFINITY }: Size, bytes: number): boolean =>
  bytes > over && bytes < under;

const isIn = (marker: string, { path, query, headers }: Facts['request']): boolean =>
  [path, query.toString(), ...query.values(), ...Object.values(headers)].some((text) =>
    text?.includes(marker),
  );

/**
 * Whether a value contains the expected one. Objects can have more members, and arrays more items in any order.
 * Wanted strings are patterns.
 */
function containsValue(value: unknown, wanted: Json): boolean {
  if (typeof wanted === 'string') return typeof value === 'string' && fits(wanted, value);
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every((item) => value.some((one) => containsValue(one, item)));
  if (isObject(wanted))
    return (
      isObject(value) && Object.entries(wanted).every(([name, item]) => containsValue(value[name], item))
    );
  return value === wanted;
}
