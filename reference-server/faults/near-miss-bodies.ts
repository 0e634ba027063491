import { withDecisions } from '../combine-setups.ts';
import { isObject, type Json } from '../json.ts';
import { acceptUnparseable } from './body-overrides.ts';
import { ignoreProblems, ignoreProblemsAndModel } from './chat-overrides.ts';
import { allOf, inFamily, isStreamed, not, onOperation } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere } from './overrides.ts';

const valueAt = (body: unknown, place: string): unknown =>
  [...place.matchAll(/[^.[\]]+/g)].reduce<unknown>(
    (value, [step]) => (isObject(value) || Array.isArray(value) ? Object(value)[step] : undefined),
    body,
  );
const isFalsy = (value: unknown): boolean => value === 0 || value === false;

/** Faults in which the gateway accepts bodies that are almost valid. */
export const nearMissBodyFaults: readonly Fault[] = [
  {
    id: 'near-miss/falsy-values',
    about: 'Accepts 0 and false for members of any type in non-streamed chat calls.',
    violates: [
      'chat/messages-array',
      'chat/message-object',
      'chat/role-string',
      'chat/content-string',
      'chat/model-string',
    ],
    setup: ignoreProblemsAndModel(({ place }, body) => isFalsy(valueAt(body, place))),
  },
  {
    id: 'near-miss/model-null-streamed',
    about: 'Does not validate the body of a streamed call if its `model` is null, and calls a default model.',
    violates: ['streams/invalid-model'],
    setup: withDecisions(
      applyWhere(
        ({ body }) => isObject(body) && body.model === null && body.stream === true,
        (base) => ({
          findBodyProblem: () => undefined,
          modelIdOf: (ctx) => base.modelIdOf(ctx) ?? 'gpt-reference',
        }),
      ),
    ),
  },
  {
    id: 'near-miss/values-converted',
    about: 'Accepts an array with one string instead of a string in non-streamed chat calls.',
    violates: ['chat/role-string', 'chat/model-string'],
    setup: ignoreProblemsAndModel(({ place }, body) => {
      const value = valueAt(body, place);
      return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string';
    }),
  },
  {
    id: 'near-miss/messages-in-a-text',
    about: 'Accepts an object, or a string that begins with `[`, as `messages` in non-streamed chat calls.',
    violates: ['chat/messages-array'],
    setup: withDecisions(
      ignoreProblems(({ place }, body) => /^\[/.test(String(valueAt(body, place))) && place === 'messages'),
    ),
  },
  {
    id: 'near-miss/content-as-a-part',
    about: 'Accepts an object with a member `text` instead of a string in non-streamed chat calls.',
    violates: ['chat/content-string'],
    setup: withDecisions(
      ignoreProblems(({ place }, body) => {
        const value = valueAt(body, place);
        return isObject(value) && 'text' in value;
      }),
    ),
  },
  {
    id: 'near-miss/empty-message-ignored',
    about: 'Ignores messages without members in non-streamed chat calls.',
    violates: ['chat/message-object'],
    setup: withDecisions(
      ignoreProblems(({ place }, body) => {
        const message = valueAt(body, place.replace(/\.\w+$/, ''));
        return place.startsWith('messages[') && isObject(message) && Object.keys(message).length === 0;
      }),
    ),
  },
  {
    id: 'near-miss/system-message-unchecked',
    about: 'Does not validate the content of system messages in non-streamed chat calls.',
    violates: ['chat/content-missing', 'chat/content-string'],
    setup: withDecisions(
      ignoreProblems(({ place }, body) => {
        const message = valueAt(body, place.replace(/\.content$/, ''));
        return place.endsWith('.content') && isObject(message) && message.role === 'system';
      }),
    ),
  },
  {
    id: 'near-miss/body-in-a-list',
    about: 'Accepts an array and reads its first item as the body on `chat`.',
    violates: ['chat/body-object'],
    setup: withDecisions(
      applyWhere(onOperation('chat'), (base) => ({
        parseBody: (bytes, ctx) => {
          const parsed = base.parseBody(bytes, ctx);
          const items: readonly Json[] = 'value' in parsed && Array.isArray(parsed.value) ? parsed.value : [];
          return items[0] === undefined ? parsed : { value: items[0] };
        },
      })),
    ),
  },
  {
    id: 'near-miss/json-anywhere',
    about: 'Accepts a word before the JSON in non-streamed calls of family C.',
    violates: ['requests/body-json'],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('C'), not(isStreamed)),
        acceptUnparseable((text) => /^\w+\{.*\}$/.test(text)),
      ),
    ),
  },
];
