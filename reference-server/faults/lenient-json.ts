import { isUtf8 } from 'node:buffer';
import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { acceptUnparseable, callClaudeModel, isMalformed } from './body-overrides.ts';
import { allOf, inFamily, isStreamed, not, onOperation, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, setStatus } from './overrides.ts';

const acceptOnChat = (isAccepted: (text: string) => boolean): Overrides =>
  applyWhere(onOperation('chat'), acceptUnparseable(isAccepted));
const acceptInFamilyB = (isAccepted: (text: string) => boolean): Overrides =>
  applyWhere(onOperation('messages'), combineOverrides(acceptUnparseable(isAccepted), callClaudeModel));
const crashOnChat = (isDefective: (text: string) => boolean): Overrides =>
  applyWhere(onOperation('chat'), (base) => ({
    parseBody: (bytes, ctx) => {
      if (isDefective(Buffer.from(bytes).toString())) throw new Error('a defect');
      return base.parseBody(bytes, ctx);
    },
  }));
const contentLength: (ctx: Parameters<RequestCondition>[0]) => number = ({ request }) =>
  Number(request.headers['content-length'] ?? 0);

/** Faults in which the JSON parser accepts more than RFC 8259 allows, or fails for some bodies. */
export const lenientJsonFaults: readonly Fault[] = [
  {
    id: 'lenient-json/not-a-number-streamed',
    about: 'Responds to NaN in the body of a streamed chat call with 500.',
    violates: ['requests/lenient-json-no-server-error', 'streams/lenient-json'],
    setup: withDecisions(crashOnChat((text) => text.includes(':NaN') && text.includes('"stream":true'))),
  },
  {
    id: 'lenient-json/blanks',
    about: 'Accepts a body that contains only whitespace in family B.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptInFamilyB((text) => text !== '' && text.trim() === '')),
  },
  {
    id: 'lenient-json/missing-comma',
    about: 'Accepts a missing comma after an array on `chat`.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptOnChat((text) => /\]"\w+":/.test(text))),
  },
  {
    id: 'lenient-json/line-feed',
    about: 'Responds with 500 on `chat` to a line feed after the first word of a string.',
    violates: ['requests/lenient-json-no-server-error', 'requests/lenient-json'],
    setup: withDecisions(crashOnChat((text) => /"\w+\n/.test(text))),
  },
  {
    id: 'lenient-json/byte-order-mark-500',
    about: 'Responds with 500 on `chat` to a body that begins with a byte order mark.',
    violates: ['requests/lenient-json-no-server-error', 'requests/lenient-json'],
    setup: withDecisions(crashOnChat((text) => text.startsWith('\uFEFF'))),
  },
  {
    id: 'lenient-json/not-utf-8-413',
    about: 'Responds with 413 to a body that is not UTF-8.',
    violates: ['requests/lenient-json', 'streams/lenient-json'],
    setup: withDecisions((base) => ({
      parseBody: (bytes, ctx) =>
        isUtf8(bytes) ? base.parseBody(bytes, ctx) : { failure: { kind: 'body-too-large', limit: 1000 } },
    })),
  },
  {
    id: 'lenient-json/comment-called-missing-model',
    about: 'Responds with the type `model_not_available` on `chat` to a body that begins with a comment.',
    violates: ['requests/lenient-json', 'streams/lenient-json'],
    setup: withDecisions(
      applyWhere(onOperation('chat'), (base) => ({
        parseBody: (bytes, ctx) =>
          Buffer.from(bytes).toString().startsWith('/')
            ? { failure: { kind: 'unknown-model', model: '' } }
            : base.parseBody(bytes, ctx),
      })),
    ),
  },
  {
    id: 'lenient-json/large-500',
    about:
      'Responds with 500 to a malformed body of more than 50,000 bytes in non-streamed calls of family C.',
    violates: ['requests/large-body-json'],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('C'), not(isStreamed), isMalformed, (ctx) => contentLength(ctx) > 50_000),
        setStatus(500),
      ),
    ),
  },
  {
    id: 'lenient-json/large-streamed-500',
    about: 'Responds with 500 to a body of more than 50,000 bytes that requests a stream.',
    violates: ['streams/large-body-json'],
    setup: withDecisions((base) => ({
      parseBody: (bytes, ctx) => {
        if (bytes.length > 50_000 && Buffer.from(bytes).includes('"stream":true'))
          throw new Error('a defect');
        return base.parseBody(bytes, ctx);
      },
    })),
  },
  {
    id: 'lenient-json/deep-500',
    about:
      'Responds with 500 to a body that begins with eight nested arrays, as a gateway with a recursive parser does.',
    violates: ['requests/large-body-json', 'streams/large-body-json'],
    setup: withDecisions((base) => ({
      parseBody: (bytes, ctx) => {
        if (Buffer.from(bytes).toString().startsWith('[[[[[[[[')) throw new RangeError('too much recursion');
        return base.parseBody(bytes, ctx);
      },
    })),
  },
  {
    id: 'lenient-json/large-streamed-ignored',
    about: 'Accepts a malformed body of more than 65,536 characters in streamed calls of family C.',
    violates: ['streams/large-body-json', 'streams/error-before-start'],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('C'), isStreamed),
        acceptUnparseable((text) => text.length > 65_536),
      ),
    ),
  },
];
