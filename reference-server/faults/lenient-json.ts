import { isUtf8 } from 'node:buffer';
import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../decisions/index.ts';
import { acceptUnparseable, callClaudeModel, isMalformed } from './body-overrides.ts';
import { allOf, inFamily, isStreamed, not, onOperation, type RequestCondition } from './conditions.ts';
import type { FaultDefinition } from './fault.ts';
import { applyWhere, combineOverrides, setStatus } from './overrides.ts';

const isNotUtf8 = (bytes: Uint8Array): boolean => !isUtf8(bytes);
const acceptBytes =
  (isAccepted: (bytes: Uint8Array) => boolean): Overrides =>
  (base) => {
    const { parseBody = base.parseBody } = acceptUnparseable(() => true)(base);
    return { parseBody: (bytes, ctx) => (isAccepted(bytes) ? parseBody : base.parseBody)(bytes, ctx) };
  };
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
export const lenientJsonFaults: readonly FaultDefinition[] = [
  {
    id: 'lenient-json/not-a-number',
    about: 'Accepts NaN as a number on `generate`, as the Python parser does.',
    violates: ['requests/body-json'],
    setup: withDecisions(
      applyWhere(
        onOperation('generate'),
        acceptUnparseable((text) => text.includes(':NaN')),
      ),
    ),
  },
  {
    id: 'lenient-json/not-a-number-streamed',
    about: 'Responds to NaN in the body of a streamed chat call with 500.',
    violates: ['streams/body-json'],
    setup: withDecisions(crashOnChat((text) => text.includes(':NaN') && text.includes('"stream":true'))),
  },
  {
    id: 'lenient-json/control-characters',
    about: 'Accepts a tab in a string on `chat`.',
    violates: ['requests/body-json', 'streams/body-json'],
    setup: withDecisions(acceptOnChat((text) => /^\{.*\t.*\}$/.test(text))),
  },
  {
    id: 'lenient-json/not-utf-8',
    about: 'Accepts a body that is not valid UTF-8 on `responses`, as the Go parser does.',
    violates: ['requests/body-json', 'streams/body-json'],
    setup: withDecisions(applyWhere(onOperation('responses'), acceptBytes(isNotUtf8))),
  },
  {
    id: 'lenient-json/surrogate-bytes',
    about: 'Accepts a lone surrogate, encoded in UTF-8, on `chat`, as `json.loads` in Python does.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptOnChat((text) => text.includes('"\ufffd\ufffd\ufffd"'))),
  },
  {
    id: 'lenient-json/utf-16',
    about:
      'Accepts a body in UTF-16 (little-endian with a byte order mark) on `chat`, as the Python parser does.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptOnChat((text) => text.startsWith('\ufffd\ufffd{\0'))),
  },
  {
    id: 'lenient-json/blanks',
    about: 'Accepts a body that contains only whitespace in family B.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptInFamilyB((text) => text !== '' && text.trim() === '')),
  },
  {
    id: 'lenient-json/line-comment',
    about: 'Accepts `//` and a comment before the body on `chat`.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptOnChat((text) => text.startsWith('//'))),
  },
  {
    id: 'lenient-json/double-comma',
    about: 'Accepts two commas between members in family B.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptInFamilyB((text) => text.includes(',,'))),
  },
  {
    id: 'lenient-json/missing-comma',
    about: 'Accepts a missing comma after an array on `chat`.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptOnChat((text) => /\]"\w+":/.test(text))),
  },
  {
    id: 'lenient-json/leading-zero',
    about: 'Accepts a number with a leading zero in family B.',
    violates: ['requests/body-json'],
    setup: withDecisions(acceptInFamilyB((text) => /:0\d/.test(text))),
  },
  {
    id: 'lenient-json/line-feed',
    about: 'Responds with 500 on `chat` to a line feed after the first word of a string.',
    violates: ['requests/body-json'],
    setup: withDecisions(crashOnChat((text) => /"\w+\n/.test(text))),
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
