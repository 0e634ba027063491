import { billingBody, deciding, modelBody, onlyWhere, traceHeader, type } from './changes.ts';
import { all, at, everyNth, inFamily, not, on, refused, refusedFor, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

/** Defects of one node of several, which a single request need not meet. */
export const nodeFaults: readonly Fault[] = [
  {
    id: 'node/trace-header-missing',
    about: 'Omits the header `x-trace-id` for one of five refused bodies in family A.',
    breaks: ['model-error/trace-header-present'],
    setup: () => ({
      decisions: onlyWhere(
        everyNth(5, all(inFamily('A'), not(streamed), refusedFor('invalid-body', 'unparseable-body'))),
        traceHeader(() => undefined),
      ),
    }),
  },
  {
    id: 'node/trace-id-repeats',
    about: 'Sends the same trace ID in every fifth response.',
    breaks: ['trace/distinct'],
    setup: deciding((base) => ({
      newTraceId: (number) =>
        number % 5 === 0 ? '0d1c2b3a-4f5e-4a6b-8c7d-9e0f1a2b3c4d' : base.newTraceId(number),
    })),
  },
  {
    id: 'node/code-as-string',
    about: 'Sends the code as a string in one of five errors of family C.',
    breaks: ['model-error/code-integer'],
    setup: () => ({
      decisions: onlyWhere(
        everyNth(5, all(on('generate'), refused)),
        modelBody((error, trace) => ({ error: { ...error, code: String(error.code) }, ...trace })),
      ),
    }),
  },
  {
    id: 'node/type-in-billing-errors',
    about: 'Adds a type to one of five errors of billing-type endpoints.',
    breaks: ['billing-error/no-other-error-member'],
    setup: () => ({
      decisions: onlyWhere(
        everyNth(5, all(at('billing'), refusedFor('invalid-parameter', 'unknown-record'))),
        billingBody((error, refusal) => ({ error: { ...error, type: refusal.type } })),
      ),
    }),
  },
  {
    id: 'node/old-types',
    about: 'Answers one of five malformed bodies in family B with the type `bad_request`.',
    breaks: [
      'requests/body-json',
      'requests/repeat-same-answer',
      'model-error/type-fits-status-families-b-c',
      'requests/empty-body',
    ],
    setup: () => ({
      decisions: onlyWhere(
        everyNth(5, all(on('messages'), refusedFor('unparseable-body'))),
        type('bad_request'),
      ),
    }),
  },
];
