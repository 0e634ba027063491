import { formatOneLine } from '../../common/printable.ts';

/** Formats a problem that a validator reports about the value at a place, for example: `error.type is missing`. */
export function formatSchemaProblem(place: string, problem: string): string {
  const extra = /^must NOT have additional properties: (.+)$/.exec(problem)?.[1];
  if (extra !== undefined) return `${placeName(place)} has a member that is not allowed: ${extra}`;
  const member = findMissingMember(problem);
  if (member === undefined) return `${placeName(place)} ${formatProblem(problem)}`;
  return `${placeName(`${place === 'body' ? '' : place}/${member}`)} is missing`;
}

/** Returns the name of the missing member that a validator reports, or undefined for any other problem. */
export function findMissingMember(problem: string): string | undefined {
  return /^must have required property '(.+)'$/.exec(problem)?.[1];
}

/** Formats a problem of a validator as a predicate: `must be object,null` becomes `must be an object or null`. */
export function formatProblem(problem: string): string {
  const extra = /^must NOT have additional properties: (.+)$/.exec(problem)?.[1];
  if (extra !== undefined) return `must not have the member ${extra}`;
  const missing = findMissingMember(problem);
  if (missing !== undefined) return `must have the member ${missing}`;
  return problem.replace(
    /^must be ((?:(?:string|number|integer|object|array|boolean|null),?)+)$/,
    (_, types: string) => `must be ${types.split(',').map(addArticle).join(' or ')}`,
  );
}

/** Returns the name of a JSON type with its article, such as `an object`. `null` has no article. */
export function addArticle(type: unknown): string {
  const name = String(type);
  if (name === 'null') return name;
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Formats the pattern of a path as a predicate: `starts with /v1/` or, negated, `does not start with /v1/`. */
export function formatPathRule(pattern: string, form?: 'negated'): string {
  const start = /^\^([\w/-]+)$/.exec(pattern)?.[1];
  const verb = start === undefined ? 'match' : 'start';
  const predicate = form === 'negated' ? `does not ${verb}` : verb === 'start' ? 'starts' : 'matches';
  return start === undefined
    ? `${predicate} the regular expression ${pattern}`
    : `${predicate} with ${start}`;
}

/**
 * Returns the name of a place in a response, such as `error.type` or `the header x-trace-id`. A place is a JSON
 * pointer, `status`, `body` or `header NAME`.
 */
export function placeName(place: string): string {
  if (place === 'body') return 'the body';
  if (place === 'status') return 'the status';
  if (place.startsWith('header ')) return `the header ${place.slice('header '.length)}`;
  return place.slice(1).replaceAll('/', '.');
}

/** Formats the name of a place in a response, with the names of members and headers in backticks. */
export function quotePlace(place: string): string {
  if (place === 'status' || place === 'body') return placeName(place);
  return place.startsWith('header ')
    ? `the header \`${place.slice('header '.length)}\``
    : `\`${placeName(place)}\``;
}

/** Formats a place in a response for use in a sentence, such as `the response status`. */
export function placeInResponse(place: string): string {
  if (place === 'status' || place === 'body') return `the response ${place}`;
  return place.startsWith('header ')
    ? `the response header \`${place.slice('header '.length)}\``
    : `${quotePlace(place)} in the response body`;
}

/**
 * Formats a value from the gateway as JSON of at most 160 characters, with invisible characters escaped. Returns
 * `nothing` for undefined.
 */
export function showValue(value: unknown): string {
  return value === undefined ? 'nothing' : formatOneLine(JSON.stringify(value), 160);
}

/**
 * Returns the first of several accepted statuses that are joined with `or`. The first status is the usual status. For
 * a streamed call, 2xx is also accepted, because the stream may contain the error.
 */
export function getFirstStatus(expected: string): string {
  return expected.split(' or ')[0] ?? expected;
}
