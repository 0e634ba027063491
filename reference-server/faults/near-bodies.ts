import { isObject, type Json } from '../json.ts';
import { replacing } from './body-changes.ts';
import { deciding, onlyWhere } from './changes.ts';
import { accepting, acceptingWithoutModel } from './chat-changes.ts';
import { all, inFamily, not, on, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const valueAt = (body: unknown, place: string): unknown =>
  [...place.matchAll(/[^.[\]]+/g)].reduce<unknown>(
    (value, [step]) => (isObject(value) || Array.isArray(value) ? Object(value)[step] : undefined),
    body,
  );
const isFalsy = (value: unknown): boolean => value === 0 || value === false;

/** Bodies that differ from a right one by little, and are taken for it. */
export const nearBodyFaults: readonly Fault[] = [
  {
    id: 'near-miss/falsy-values',
    about: 'Accepts 0 and false for members of any type on chat.',
    breaks: [
      'chat/messages-array',
      'chat/message-object',
      'chat/role-string',
      'chat/content-string',
      'chat/model-string',
    ],
    setup: acceptingWithoutModel(({ place }, body) => isFalsy(valueAt(body, place))),
  },
  {
    id: 'near-miss/values-converted',
    about: 'Accepts an array with one string instead of a string on chat.',
    breaks: ['chat/role-string', 'chat/model-string'],
    setup: acceptingWithoutModel(({ place }, body) => {
      const value = valueAt(body, place);
      return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string';
    }),
  },
  {
    id: 'near-miss/messages-in-a-text',
    about: 'Accepts a string with JSON as `messages` on chat.',
    breaks: ['chat/messages-array'],
    setup: deciding(
      accepting(({ place }, body) => /^\[/.test(String(valueAt(body, place))) && place === 'messages'),
    ),
  },
  {
    id: 'near-miss/content-as-a-part',
    about: 'Accepts an object with a member `text` instead of a string on chat.',
    breaks: ['chat/content-string'],
    setup: deciding(
      accepting(({ place }, body) => {
        const value = valueAt(body, place);
        return isObject(value) && 'text' in value;
      }),
    ),
  },
  {
    id: 'near-miss/system-message-unchecked',
    about: 'Does not validate the content of system messages on chat.',
    breaks: ['chat/content-missing', 'chat/content-string'],
    setup: deciding(
      accepting(({ place }, body) => {
        const message = valueAt(body, place.replace(/\.content$/, ''));
        return place.endsWith('.content') && isObject(message) && message.role === 'system';
      }),
    ),
  },
  {
    id: 'near-miss/body-in-a-list',
    about: 'Accepts an array and reads its first item as the body on chat.',
    breaks: ['chat/body-object'],
    setup: deciding(
      onlyWhere(on('chat'), (base) => ({
        parseBody: (bytes, ctx) => {
          const parsed = base.parseBody(bytes, ctx);
          const items: readonly Json[] = 'value' in parsed && Array.isArray(parsed.value) ? parsed.value : [];
          return items[0] === undefined ? parsed : { value: items[0] };
        },
      })),
    ),
  },
  {
    id: 'near-miss/json-with-comments',
    about: 'Accepts JSON that starts with a comment on chat.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        on('chat'),
        replacing((text) => text.startsWith('/*')),
      ),
    ),
  },
  {
    id: 'near-miss/json-with-bare-names',
    about: 'Accepts JSON with unquoted names on responses.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        on('responses'),
        replacing((text) => /^\{\w+:/.test(text)),
      ),
    ),
  },
  {
    id: 'near-miss/json-twice',
    about: 'Accepts several JSON texts in one body on chat.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        on('chat'),
        replacing((text) => text.endsWith('}') && text.slice(0, -1).includes('}{')),
      ),
    ),
  },
  {
    id: 'near-miss/json-anywhere',
    about: 'Accepts text before the JSON in family C.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        all(inFamily('C'), not(streamed)),
        replacing((text) => /^\w+\{.*\}$/.test(text)),
      ),
    ),
  },
];
