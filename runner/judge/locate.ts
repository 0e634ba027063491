import { parentPointer, readMember } from '../../contract/pointer.ts';
import type { ResponseLocation } from '../catalog/expectation.ts';
import type { Answer } from '../transport/exchange.ts';
import { type CheckResult, type Finding, failWith } from './finding.ts';

/** What stands at a place of an answer. */
export type LookupResult =
  | { readonly kind: 'value'; readonly value: unknown }
  /** Nothing; `parent` says whether that in which it should stand is there. */
  | { readonly kind: 'absent'; readonly parent: boolean }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Looks at `status`, `body`, `header NAME`, or a JSON pointer into the body. */
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

/** The value at a place; undefined where nothing can be seen there. */
export function readValueAt(answer: Answer, place: ResponseLocation): unknown {
  if (place === 'status') return answer.status;
  const header = headerNameIn(place);
  if (header !== undefined) return answer.headers[header];
  const { content } = answer;
  // `body` is a pointer without steps: the whole.
  return content.kind === 'json' ? readMember(content.value, place) : undefined;
}

/** The headers that places name; only data files have such places. */
const headers = new Map<ResponseLocation, string>();

function headerNameIn(place: ResponseLocation): string | undefined {
  if (!place.startsWith('header ')) return undefined;
  const known = headers.get(place) ?? place.slice('header '.length);
  headers.set(place, known);
  return known;
}

/** The text at a place; undefined where none stands there. */
export function readTextAt(answer: Answer, place: ResponseLocation): string | undefined {
  const value = readValueAt(answer, place);
  return typeof value === 'string' ? value : undefined;
}

/** What to say where nothing stands at a place at which something must. */
export function failUnlessPresent(
  sight: LookupResult,
  place: ResponseLocation,
  answer: Answer,
): CheckResult | undefined {
  switch (sight.kind) {
    case 'value':
      return undefined;
    case 'absent':
      return failWith({ kind: 'missing', place });
    case 'not-json':
      return failWith(makeNotJson(place, answer));
    case 'unreadable':
      return makeUndecided(sight.reason);
  }
}

/** A body that would have to be looked at and can't be. */
export function makeUndecided(reason: string): CheckResult {
  return { kind: 'undecided', reason: `The body can't be judged: ${reason}.` };
}

/** A body that should have been JSON. */
export function makeNotJson(place: ResponseLocation, answer: Answer): Finding {
  return { kind: 'not-json', place, actual: cutText(answer.text) };
}

/** Whether any value inside a value of JSON, itself included, passes the test; how deep and how long it is, is no matter. */
export function hasValueInside(value: unknown, test: (item: unknown) => boolean): boolean {
  // No recursion, and no call with all of a list: both end where the stack does.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (test(item)) return true;
    if (typeof item !== 'object' || item === null) continue;
    const members: readonly unknown[] = Array.isArray(item) ? item : Object.values(item);
    for (const member of members) open.push(member);
  }
  return false;
}

/** The longest text of a value that a finding carries as it is. */
const longest = 500;

/** How much a finding carries of a longer one; more than is shown, so that keys are taken out before it is cut. */
const carried = 8 * longest;

/** A value as findings carry it: itself where it is small, else the beginning of its JSON; never too deep to be written. */
export function truncate(value: unknown): unknown {
  const text = typeof value === 'string' ? value : toComparableText(value);
  return text.length > longest ? cutText(text) : value;
}

/** As much of a text as a finding carries. */
export function cutText(text: string): string {
  return text.slice(0, carried);
}

/** A text that is the same for the same value; values too deep to be written are told apart from others only. */
export function toComparableText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '(nested too deep to be shown)'.padEnd(longest + 1);
  }
}
