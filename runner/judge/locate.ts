import { parentPointer, readMember } from '../../common/pointer.ts';
import type { ResponseLocation } from '../catalog/expectation.ts';
import { hasOnlyError, isErrorBody } from '../exchange/decode.ts';
import type { Answer } from '../exchange/exchange.ts';
import { type CheckResult, type Finding, fail, passes } from './finding.ts';

export type LookupResult =
  | { readonly kind: 'value'; readonly value: unknown }
  /** The value is absent. `parent` is true if the object that should contain the value exists. */
  | { readonly kind: 'absent'; readonly parent: boolean }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Returns the content of a response at a location: `status`, `body`, `header NAME` or a JSON pointer into the body. */
export function locate(answer: Answer, place: ResponseLocation): LookupResult {
  const value = readValueAt(answer, place);
  if (value !== undefined) return { kind: 'value', value };
  if (headerNameIn(place) !== undefined) return { kind: 'absent', parent: true };
  const { content } = answer;
  if (content.kind === 'unreadable') return content;
  if (content.kind === 'text') return { kind: 'not-json' };
  const parent = readMember(content.value, parentPointer(place) ?? '');
  return { kind: 'absent', parent: typeof parent === 'object' && parent !== null && !Array.isArray(parent) };
}

/** Returns the value at a location; undefined if the value is absent, or the body is not JSON or cannot be read. */
export function readValueAt(answer: Answer, place: ResponseLocation): unknown {
  if (place === 'status') return answer.status;
  const header = headerNameIn(place);
  if (header !== undefined) return answer.headers[header];
  const { content } = answer;
  // The location `body` is a pointer without steps, which returns the whole body.
  return content.kind === 'json' ? readMember(content.value, place) : undefined;
}

/** Returns the value that must differ from those of other responses, in lower case; undefined without one. */
export function readDistinct(answer: Answer, at: ResponseLocation): string | undefined {
  const value = readValueAt(answer, at);
  return value === undefined || value === '' ? undefined : String(value).toLowerCase();
}

/** A cache of the header names in locations. All locations come from data files, so the cache stays small. */
const headers = new Map<ResponseLocation, string>();

function headerNameIn(place: ResponseLocation): string | undefined {
  if (!place.startsWith('header ')) return undefined;
  const known = headers.get(place) ?? place.slice('header '.length);
  headers.set(place, known);
  return known;
}

/** Returns the string at a location; undefined if the value is absent or is not a string. */
export function readTextAt(answer: Answer, place: ResponseLocation): string | undefined {
  const value = readValueAt(answer, place);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns a failed result if a required value is missing or the body is not JSON, and an undecided result if the body
 * cannot be read. Returns undefined if the value exists.
 */
export function failUnlessPresent(
  lookup: LookupResult,
  place: ResponseLocation,
  answer: Answer,
): CheckResult | undefined {
  switch (lookup.kind) {
    case 'value':
      return undefined;
    case 'absent':
      return fail({ kind: 'missing', place });
    case 'not-json':
      return fail(createNotJson(place, answer));
    case 'unreadable':
      return createUndecided(lookup.reason);
  }
}

/** Creates the result for a body that cannot be read. `reason` follows "The body cannot be judged: ". */
export function createUndecided(reason: string): CheckResult {
  return { kind: 'undecided', reason: `The body cannot be judged: ${reason}.` };
}

/** Creates the finding for a body that is not JSON, although a value at `place` is required. */
export function createNotJson(place: ResponseLocation, { content, text }: Answer): Finding {
  const reason = content.kind === 'text' ? content.reason : undefined;
  return { kind: 'not-json', place, actual: cutText(text), ...(reason !== undefined && { reason }) };
}

/** Returns each of the texts that a JSON value contains at any depth, with its JSON pointer. */
export function findTextsInside(
  value: unknown,
  texts: readonly string[],
): readonly { readonly place: ResponseLocation; readonly text: string }[] {
  const found: { readonly place: ResponseLocation; readonly text: string }[] = [];
  const open: { readonly place: string; readonly item: unknown }[] = [{ place: '', item: value }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { place, item } = next;
    if (typeof item === 'string' && texts.includes(item)) found.push({ place, text: item });
    if (typeof item !== 'object' || item === null) continue;
    for (const [name, member] of Object.entries(item))
      open.push({ place: `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, item: member });
  }
  return found.reverse();
}

/**
 * The maximum length, in characters, of a value that `truncate` returns unchanged: the length of the string or, if the
 * value is not a string, of its JSON.
 */
const longest = 500;

/** The length to which longer texts are cut, in characters. Reports redact keys, and then cut the texts further. */
const cutLength = 8 * longest;

/**
 * Returns a value of at most 500 characters unchanged. Of a longer value, returns the first 4,000 characters of the
 * string or, if the value is not a string, of its JSON. `JSON.stringify` accepts every result.
 */
export function truncate(value: unknown): unknown {
  const text = typeof value === 'string' ? value : toComparableText(value);
  return text.length > longest ? cutText(text) : value;
}

/** Returns the first 4,000 characters of a text, for a finding. */
export function cutText(text: string): string {
  return text.slice(0, cutLength);
}

/**
 * Returns the JSON of a value, for comparison; the text `undefined` for undefined. Returns the same text for all
 * values that are nested too deep for `JSON.stringify`.
 */
export function toComparableText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '(nested too deep to be shown)'.padEnd(longest + 1);
  }
}

/**
 * Returns a failed result with the finding that `makeFinding` creates for the value. If the value is absent or cannot
 * be read, returns the result of `failUnlessPresent`.
 */
export function failAt(
  place: ResponseLocation,
  answer: Answer,
  makeFinding: (actual: unknown) => Finding,
): CheckResult {
  return (
    failUnlessPresent(locate(answer, place), place, answer) ?? fail(makeFinding(truncatedAt(answer, place)))
  );
}

/** Returns the value at a location, truncated for a finding; undefined if the value is absent or cannot be read. */
export function truncatedAt(answer: Answer, place: ResponseLocation): unknown {
  return truncate(readValueAt(answer, place));
}

/**
 * Returns a failed result if a body contains only an error; otherwise a passed result. For `output`, the body
 * contains an error and no model output. For `data`, the body contains an error with a message, and no other member
 * except `trace_id`.
 */
export function checkOutput(what: 'output' | 'data', { content, text }: Answer): CheckResult {
  const body = content.kind === 'json' ? content.value : text;
  const isOnlyError = what === 'data' ? isErrorBody(body) : hasOnlyError(text);
  const expected = what === 'data' ? 'data' : 'model output';
  return isOnlyError ? fail({ kind: 'only-error', expected, actual: truncate(body) }) : passes;
}
