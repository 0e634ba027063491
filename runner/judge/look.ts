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
  if (place === 'status') return { kind: 'value', value: answer.status };
  if (place.startsWith('header ')) {
    const value = answer.headers[place.slice('header '.length)];
    return value === undefined ? { kind: 'absent', parent: true } : { kind: 'value', value };
  }
  const { content } = answer;
  if (content.kind === 'unreadable') return content;
  if (content.kind === 'text') return { kind: 'not-json' };
  // `body` is a pointer without steps: the whole.
  const value = readMember(content.value, place);
  if (value !== undefined) return { kind: 'value', value };
  const parent = readMember(content.value, parentPointer(place) ?? '');
  return { kind: 'absent', parent: typeof parent === 'object' && parent !== null && !Array.isArray(parent) };
}

/** The value at a place; undefined where nothing can be seen there. */
export function valueAt(answer: Answer, place: Place): unknown {
  const sight = look(answer, place);
  return sight.kind === 'value' ? sight.value : undefined;
}

/** The text at a place; undefined where none stands there. */
export function textAt(answer: Answer, place: Place): string | undefined {
  const value = valueAt(answer, place);
  return typeof value === 'string' ? value : undefined;
}
