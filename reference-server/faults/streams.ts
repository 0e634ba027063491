import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { allOf, hasCredentialHeader, inFamily, isStreamed, not, onOperation } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, checkFirst, combineOverrides } from './overrides.ts';

const useValidKey: Overrides = (base) => ({
  credentialOf: (_, ctx) => ({ header: 'bearer', value: ctx.profile.keys.valid }),
  findKey: base.findKey,
});
const parseFirst = checkFirst('body');

/** Faults in which a stream is missing, or is sent without a key in an accepted header. */
export const streamFaults: readonly Fault[] = [
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
