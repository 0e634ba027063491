import type { Overrides } from '../decisions/index.ts';
import { isObject } from '../json.ts';
import { malformed, replacing } from './body-changes.ts';
import { answered, onlyWhere, type } from './changes.ts';
import { all, everyNth, fromNthTime, not, on, refusedFor, streamed, type Where } from './conditions.ts';
import type { Fault } from './fault.ts';

const invalid = refusedFor('invalid-body');
const chat = all(on('chat'), not(streamed));

const lacking =
  (member: string): Where =>
  ({ body, streamed: asStream }) =>
    isObject(body) && !(member in body) && !asStream;
const taking: Overrides = () => ({ bodyFault: () => undefined });

/** An invalid request that is sent again meets another answer. */
export const repeatFaults: readonly Fault[] = [
  {
    id: 'request-body/repeat-succeeds',
    about: 'Accepts a chat body without `messages` from the third time on.',
    breaks: ['chat/messages-missing', 'requests/repeat-refused', 'requests/repeat-same-answer'],
    setup: () => ({ decisions: onlyWhere(fromNthTime(3, all(on('chat'), lacking('messages'))), taking) }),
  },
  {
    id: 'request-body/repeat-succeeds-on-one-node',
    about: 'Accepts one of five malformed bodies on responses.',
    breaks: ['requests/body-json', 'requests/repeat-refused', 'requests/repeat-same-answer'],
    setup: () => {
      const strikes = everyNth(5, on('responses'));
      return { decisions: replacing((text, ctx) => text !== '' && strikes(ctx)) };
    },
  },
  {
    id: 'request-body/repeat-changes-its-type',
    about: 'Answers a malformed chat body with the type `model_not_available` from the third time on.',
    breaks: ['requests/body-json', 'requests/repeat-same-answer'],
    setup: () => ({
      decisions: onlyWhere(fromNthTime(3, all(on('chat'), malformed)), type('model_not_available')),
    }),
  },
  {
    id: 'request-body/repeat-is-conflict',
    about: 'Answers a chat body without `messages` with 409 from the third time on.',
    breaks: ['chat/messages-missing', 'requests/repeat-same-answer'],
    setup: () => ({
      decisions: onlyWhere(
        fromNthTime(3, all(chat, invalid, lacking('messages'))),
        answered(409, 'invalid_request_error'),
      ),
    }),
  },
];
