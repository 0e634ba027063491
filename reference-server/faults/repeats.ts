import type { Overrides } from '../gateway/decisions.ts';
import { isObject } from '../json.ts';
import { acceptUnparseable, isMalformed } from './body-overrides.ts';
import {
  allOf,
  everyNth,
  fromNthTime,
  isStreamed,
  not,
  onOperation,
  type RequestCondition,
  refusedFor,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setStatusAndType, setType } from './overrides.ts';

const isInvalidBody = refusedFor('invalid-body');
const chat = allOf(onOperation('chat'), not(isStreamed));

const lacksMember =
  (member: string): RequestCondition =>
  ({ body, streamed: asStream }) =>
    isObject(body) && !(member in body) && !asStream;
const acceptBody: Overrides = () => ({ findBodyProblem: () => undefined });

const isShortAndPlain = (text: string): boolean =>
  text !== '' && text.length < 1000 && !text.includes('stream');

/** Faults in which a repeated invalid request gets a different response. */
export const repeatFaults: readonly Fault[] = [
  {
    id: 'request-body/repeat-succeeds',
    about: 'Accepts a non-streamed chat call without `messages` from the third attempt on.',
    violates: [
      'chat/messages-missing',
      'requests/repeat-refused',
      'requests/repeat-same-answer',
      'accept/invalid-request',
    ],
    setup: () => ({
      decisions: applyWhere(fromNthTime(3, allOf(onOperation('chat'), lacksMember('messages'))), acceptBody),
    }),
  },
  {
    id: 'request-body/repeat-succeeds-on-one-node',
    about:
      'Accepts one of five malformed bodies on `responses` that have fewer than 1,000 characters and do not contain `stream`.',
    violates: ['requests/body-json', 'requests/repeat-refused', 'requests/repeat-same-answer'],
    setup: () => {
      const strikes = everyNth(5, onOperation('responses'));
      return { decisions: acceptUnparseable((text, ctx) => isShortAndPlain(text) && strikes(ctx)) };
    },
  },
  {
    id: 'request-body/repeat-changes-its-type',
    about: 'Responds to a malformed chat body with the type `model_not_available` from the third attempt on.',
    violates: [
      'requests/body-json',
      'requests/repeat-same-answer',
      'requests/lenient-json',
      'streams/lenient-json',
    ],
    setup: () => ({
      decisions: applyWhere(
        fromNthTime(3, allOf(onOperation('chat'), isMalformed)),
        setType('model_not_available'),
      ),
    }),
  },
  {
    id: 'request-body/repeat-is-conflict',
    about: 'Responds with 409 to a non-streamed chat call without `messages` from the third attempt on.',
    violates: ['chat/messages-missing', 'requests/repeat-same-answer', 'accept/invalid-request'],
    setup: () => ({
      decisions: applyWhere(
        fromNthTime(3, allOf(chat, isInvalidBody, lacksMember('messages'))),
        setStatusAndType(409, 'invalid_request_error'),
      ),
    }),
  },
];
