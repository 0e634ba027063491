import type { Place } from '../catalog/expectation.ts';
import { parentPointer, readMember } from '../catalog/pointer.ts';
import type { Answer } from '../send/exchange.ts';

/** What stands at a place of an answer. */
export type Sight =
  | { readonly kind: 'value'; readonly value: unknown }
  /** Nothing; `parent` says whether that in which it should stand is there. */
  | { readonly kind: 'absent'; readonly parent: boolean }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Looks at `status`, `body`, `header NAME`, or a JSON pointer into the body. */
export function look(answer: Answer, place: Place): Sight {
  const value = valueAt(answer, place);
  if (value !== undefined) return { kind: 'value', value };
  if (headerOf(place) !== undefined) return { kind: 'absent', parent: true };
  const { content } = answer;
  if (content.kind === 'unreadable') return content;
  if (content.kind === 'text') return { kind: 'not-json' };
  const parent = readMember(content.value, parentPointer(place) ?? '');
  return { kind: 'absent', parent: typeof parent === 'object' && parent !== null && !Array.isArray(parent) };
}

/** The value at a place; undefined where nothing can be seen there. */
export function valueAt(answer: Answer, place: Place): unknown {
  if (place === 'status') return answer.status;
  const header = headerOf(place);
  if (header !== undefined) return answer.headers[header];
  const { content } = answer;
  // `body` is a pointer without steps: the whole.
  return content.kind === 'json' ? readMember(content.value, place) : undefined;
}

/** The headers that places name; only data files have such places. */
const headers = new Map<Place, string>();

function headerOf(place: Place): string | undefined {
  if (!place.startsWith('header ')) return undefined;
  const known = headers.get(place) ?? place.slice('header '.length);
  headers.set(place, known);
  return known;
}

/** The text at a place; undefined where none stands there. */
export function textAt(answer: Answer, place: Place): string | undefined {
  const value = valueAt(answer, place);
  return typeof value === 'string' ? value : undefined;
}
