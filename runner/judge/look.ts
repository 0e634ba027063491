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
  const pointer = place === 'body' ? '' : place;
  const value = readMember(content.value, pointer);
  if (value !== undefined) return { kind: 'value', value };
  const parent = readMember(content.value, parentPointer(pointer) ?? '');
  return { kind: 'absent', parent: typeof parent === 'object' && parent !== null && !Array.isArray(parent) };
}

/** The text of a sight that has one, else undefined. */
export function textOf(sight: Sight): string | undefined {
  return sight.kind === 'value' && typeof sight.value === 'string' ? sight.value : undefined;
}
