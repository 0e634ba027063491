import { isUtf8 } from 'node:buffer';
import { withDecisions } from '../combine-setups.ts';
import { isMalformed } from './body-overrides.ts';
import { allOf, inFamily, isStreamed, not, onOperation, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setStatus } from './overrides.ts';

const contentLength: (ctx: Parameters<RequestCondition>[0]) => number = ({ request }) =>
  Number(request.headers['content-length'] ?? 0);

/** Faults in which the JSON parser accepts more than RFC 8259 allows, or fails for some bodies. */
export const lenientJsonFaults: readonly Fault[] = [
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
];
