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
    about: 'Chat asks for the type of what is neither 0 nor false.',
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
    about: 'Chat takes a list of one text for the text.',
    breaks: ['chat/role-string', 'chat/model-string'],
    setup: acceptingWithoutModel(({ place }, body) => {
      const value = valueAt(body, place);
      return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string';
    }),
  },
  {
    id: 'near-miss/messages-in-a-text',
    about: 'Chat takes a text with the JSON of messages for them.',
    breaks: ['chat/messages-array'],
    setup: deciding(
      accepting(({ place }, body) => /^\[/.test(String(valueAt(body, place))) && place === 'messages'),
    ),
  },
  {
    id: 'near-miss/content-as-a-part',
    about: 'Chat takes a part with a text for the text.',
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
    about: 'Chat does not look at what the system says.',
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
    about: 'Chat takes the first body of a list.',
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
    about: 'Chat takes JSON with a comment ahead of it.',
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
    about: 'Responses takes JSON whose names have no quotation marks.',
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
    about: 'Chat reads the last of several JSON texts.',
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
    about: 'Family C looks for the first brace, and reads JSON from there.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        all(inFamily('C'), not(streamed)),
        replacing((text) => /^\w+\{.*\}$/.test(text)),
      ),
    ),
  },
];
