import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { joinChunks } from '../wire/wire-changes.ts';
import {
  allOf,
  hasCredentialHeader,
  inFamily,
  isRefused,
  isStreamed,
  not,
  onOperation,
  withKey,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, checkFirst, combineOverrides } from './overrides.ts';

const useValidKey: Overrides = (base) => ({
  credentialOf: (_, ctx) => ({ header: 'bearer', value: ctx.profile.keys.valid }),
  findKey: base.findKey,
});
const isServedStream = allOf(isStreamed, not(isRefused));
const parseFirst = checkFirst('body');

/**
 * Faults in which a stream is missing or incomplete, arrives in one part, or is sent without a key in an accepted
 * header.
 */
export const streamFaults: readonly Fault[] = [
  {
    id: 'stream/refused-by-responses',
    about: 'Rejects streamed calls on `responses`.',
    violates: ['streams/succeeds'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('responses'), isStreamed), () => ({
        findBodyProblem: () => ({ place: 'stream', expected: 'false' }),
      })),
    ),
  },
  {
    id: 'stream/not-allowed-on-chat',
    about: 'Responds with 403 and the type `permission_denied` to streamed chat calls with the valid key.',
    violates: ['streams/succeeds'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isStreamed, withKey('valid')), (base) => ({
        canPay: () => false,
        errorTypeOf: () => 'permission_denied',
        errorStatusOf: () => 403,
        errorDetailsOf: base.errorDetailsOf,
      })),
    ),
  },
  {
    id: 'stream/crashes-family-b',
    about: 'Responds with 500 to every streamed call of family B with a valid key and a JSON body.',
    violates: ['streams/succeeds'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('B'), isStreamed), () => ({
        findBodyProblem: () => {
          throw new Error('no stream');
        },
      })),
    ),
  },
  {
    id: 'stream/absent-in-family-c',
    about: 'Responds with 404 to every streamed call of family C with a valid key and a JSON body.',
    violates: ['streams/succeeds'],
    setup: withDecisions(
      applyWhere(onOperation('streamGenerate'), (base) => ({
        findBodyProblem: () => ({ place: 'path', expected: 'another' }),
        errorStatusOf: (failure, ctx) =>
          failure.kind === 'invalid-body' ? 404 : base.errorStatusOf(failure, ctx),
      })),
    ),
  },
  {
    id: 'stream/one-json',
    about: 'Responds to a streamed chat call with a response that is not streamed.',
    violates: ['streams/in-parts'],
    setup: withDecisions(applyWhere(onOperation('chat'), () => ({ isStreamRequested: () => false }))),
  },
  {
    id: 'stream/held-back',
    about: 'Buffers a stream of family C and sends the whole stream in one part.',
    violates: ['streams/in-parts'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('C'), isServedStream), () => ({
        transmit: (wire) => ({
          ...wire,
          framing: 'length',
          chunks: [{ after: 0, data: joinChunks(wire) }],
        }),
      })),
    ),
  },
  {
    id: 'stream/one-event',
    about: 'Sends only the last event of a stream of family B.',
    violates: ['streams/in-parts'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('messages'), isServedStream), (base) => ({
        finish: (response, ctx) =>
          base.finish(
            response.content.kind === 'events'
              ? { ...response, content: { kind: 'events', events: response.content.events.slice(-1) } }
              : response,
            ctx,
          ),
      })),
    ),
  },
  {
    id: 'stream/public',
    about: 'Serves streamed chat calls without a credential header.',
    violates: ['streams/missing-credential', 'streams/key-in-body'],
    setup: withDecisions(
      combineOverrides(
        parseFirst,
        applyWhere(allOf(onOperation('chat'), isStreamed, not(hasCredentialHeader)), useValidKey),
      ),
    ),
  },
  {
    id: 'stream/x-goog-api-key-taken',
    about: 'Accepts a key in `x-goog-api-key` on streamed `responses` calls.',
    violates: ['streams/goog-header-outside-family-c'],
    setup: withDecisions(
      combineOverrides(
        parseFirst,
        applyWhere(allOf(onOperation('responses'), isStreamed), (base) => ({
          listAcceptedHeaders: (ctx) => [...base.listAcceptedHeaders(ctx), 'x-goog-api-key'],
        })),
      ),
    ),
  },
];
