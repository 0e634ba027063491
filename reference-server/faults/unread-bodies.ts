import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { allOf, isRefused, not, type RequestCondition, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';

/**
 * Leaves the bodies of these refused requests unread, and keeps the connection. The next request on the connection then
 * begins in the old body, and gets this response of an HTTP server to an unknown request line.
 */
const leaveUnread =
  (where: RequestCondition, status: number, page: string): Overrides =>
  (base) => {
    const unread = new Set<string>();
    return {
      shortCircuit: (ctx) => {
        if (!unread.delete(ctx.request.connection)) return base.shortCircuit(ctx);
        const content = { kind: 'text', mediaType: 'text/html', text: page } as const;
        return {
          ctx,
          result: {
            kind: 'response',
            response: { status, headers: [['connection', 'close']], content },
            call: undefined,
          },
        };
      },
      finish: (response, ctx) => {
        if (hasBody(ctx) && isRefused(ctx) && where(ctx)) unread.add(ctx.request.connection);
        return base.finish(response, ctx);
      },
    };
  };

const hasBody: RequestCondition = ({ request: { headers } }) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Matches requests with a body that a gateway may not read in one piece. */
const isLarge: RequestCondition = ({ request: { headers } }) =>
  Number(headers['content-length'] ?? 0) > 16_384;

const badSyntax = '<!DOCTYPE HTML><title>Error response</title><p>Message: Bad request syntax.</p>';
const unknownMethod = '<!DOCTYPE HTML><title>Error response</title><p>Message: Unsupported method.</p>';

/** Faults in which the gateway takes the body of a refused request for the next request on the connection. */
export const unreadBodyFaults: readonly Fault[] = [
  {
    id: 'unread-body/refused-credential',
    about: 'Checks the credential before reading the body, and leaves the body of a refused request unread.',
    violates: ['connections/unread-body'],
    setup: withDecisions(leaveUnread(refusedFor('missing-credential', 'bad-key'), 501, unknownMethod)),
  },
  {
    id: 'unread-body/unknown-model',
    about: 'Reads a body only as far as the model, and leaves the rest unread if the model does not exist.',
    violates: ['connections/unread-body'],
    setup: withDecisions(leaveUnread(refusedFor('unknown-model'), 400, badSyntax)),
  },
  {
    id: 'unread-body/large',
    about: 'Leaves the body of a refused request unread if it is larger than 16 KiB and its key is valid.',
    violates: ['connections/unread-body'],
    setup: withDecisions(
      leaveUnread(allOf(isLarge, not(refusedFor('missing-credential', 'bad-key'))), 400, badSyntax),
    ),
  },
];
