import { billingBody, deciding, modelBody, onlyWhere, traceHeader, type } from './changes.ts';
import { all, at, everyNth, inFamily, not, on, refused, refusedFor, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

/** Defects of one node of several, which a single request need not meet. */
export const nodeFaults: readonly Fault[] = [
  {
    id: 'node/trace-header-missing',
    about: 'One node of five leaves out the header x-trace-id where family A refuses a body.',
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
    about: 'One node of five has a trace id of its own for all requests.',
    breaks: ['trace/distinct'],
    setup: deciding((base) => ({
      newTraceId: (number) =>
        number % 5 === 0 ? '0d1c2b3a-4f5e-4a6b-8c7d-9e0f1a2b3c4d' : base.newTraceId(number),
    })),
  },
  {
    id: 'node/code-as-string',
    about: 'One node of five writes the code of family C errors as a string.',
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
    about: 'One node of five puts a type into errors of billing-type endpoints.',
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
    about: 'One node of five calls malformed bodies bad_request.',
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
