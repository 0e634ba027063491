import { createHash, randomUUID } from 'node:crypto';
import { withDecisions } from '../combine-setups.ts';
import { allOf, byHeader, inFamily, onOperation, onSurface, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, replaceModelBody, replaceTraceHeader } from './overrides.ts';

// The requirements on errors of streamed calls, errors of the model list, and errors with other statuses. A defect in
// all errors violates these requirements too.
const otherErrors = ['model-error/streamed', 'model-error/model-list', 'model-error/other-statuses'];
const isUnlisted = refusedFor('unknown-model');

const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
};

/** Faults in which trace IDs are missing, differ, repeat, or are not UUIDs. */
export const traceFaults: readonly Fault[] = [
  {
    id: 'trace/header-missing',
    about: 'Omits the header `x-trace-id` in errors.',
    violates: ['model-error/trace-header-present', ...otherErrors, 'accept/error-body'],
    setup: withDecisions(replaceTraceHeader(() => undefined)),
  },
  {
    id: 'trace/header-missing-on-402',
    about: 'Omits the header `x-trace-id` in 402 responses of `messages` and `generate`.',
    violates: ['model-error/trace-header-present', 'model-error/streamed'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('messages', 'generate'), refusedFor('low-balance')),
        replaceTraceHeader(() => undefined),
      ),
    ),
  },
  {
    id: 'trace/header-missing-on-crash',
    about: 'Responds to a malformed or empty body in family B with 500 and omits the header `x-trace-id`.',
    violates: [
      'model-error/trace-header-present',
      'requests/body-json',
      'requests/empty-body',
      'model-error/streamed',
      'streams/body-json',
      'requests/large-body-json',
      'streams/large-body-json',
      'requests/lenient-json',
      'requests/lenient-json-no-server-error',
      'streams/lenient-json',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('B'), refusedFor('unparseable-body')),
        combineOverrides(
          () => ({ errorStatusOf: () => 500 }),
          replaceTraceHeader(() => undefined),
        ),
      ),
    ),
  },
  {
    id: 'trace/header-empty',
    about: 'Sends an empty header `x-trace-id` with errors.',
    violates: [
      'model-error/trace-header-uuid',
      'model-error/trace-header-matches-body',

      ...otherErrors,
      'accept/error-body',
    ],
    setup: withDecisions(replaceTraceHeader(() => '')),
  },
  {
    id: 'trace/header-made-anew',
    about: 'Sends different trace IDs in the header `x-trace-id` and in the body.',
    violates: ['model-error/trace-header-matches-body', ...otherErrors, 'accept/error-body'],
    setup: withDecisions(replaceTraceHeader(() => randomUUID())),
  },
  {
    id: 'trace/header-made-anew-on-bad-tokens',
    about:
      'Sends different trace IDs in the header `x-trace-id` and in the body of errors about a bad bearer token on `generate`.',
    violates: ['model-error/trace-header-matches-body'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('generate'), byHeader('bearer'), refusedFor('bad-key')),
        replaceTraceHeader(() => randomUUID()),
      ),
    ),
  },
  {
    id: 'trace/header-of-another-form',
    about: 'Omits the dashes in the header `x-trace-id` of errors about a missing key on `chat`.',
    violates: [
      'model-error/trace-header-uuid',
      'model-error/trace-header-matches-body',
      'model-error/streamed',
      'accept/error-body',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('chat'), refusedFor('missing-credential')),
        replaceTraceHeader((ctx) => ctx.traceId.replaceAll('-', '')),
      ),
    ),
  },
  {
    id: 'trace/body-made-anew',
    about:
      'Sends different trace IDs in the header `x-trace-id` and in the body of errors about an unlisted model in family B.',
    violates: ['model-error/trace-header-matches-body', 'model-error/streamed'],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('B'), isUnlisted),
        replaceModelBody((error) => ({ error, trace_id: randomUUID() })),
      ),
    ),
  },
  {
    id: 'trace/id-no-uuid',
    about: 'Sends `req_` and a number as the trace ID.',
    violates: [
      'model-error/trace-id-uuid',
      'model-error/trace-header-uuid',
      ...otherErrors,
      'accept/error-body',
    ],
    setup: withDecisions(() => ({ createTraceId: (number) => `req_${number}` })),
  },
  {
    id: 'trace/id-of-opentelemetry',
    about: 'Sends 32 hexadecimal digits as the trace ID.',
    violates: [
      'model-error/trace-id-uuid',
      'model-error/trace-header-uuid',
      ...otherErrors,
      'accept/error-body',
    ],
    setup: withDecisions(() => ({ createTraceId: () => randomUUID().replaceAll('-', '') })),
  },
  {
    id: 'trace/id-null',
    about:
      'Sends null as the trace ID in the body of errors about a malformed or empty body on `chat` and in family B.',
    violates: ['model-error/trace-id-uuid', 'model-error/streamed'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('chat', 'messages'), refusedFor('unparseable-body')),
        replaceModelBody((error) => ({ error, trace_id: null })),
      ),
    ),
  },
  {
    id: 'trace/id-missing',
    about: 'Omits `trace_id` in error bodies.',
    violates: ['model-error/trace-id-present', ...otherErrors, 'accept/error-body'],
    setup: withDecisions(replaceModelBody((error) => ({ error }))),
  },
  {
    id: 'trace/id-inside-error',
    about: 'Sends the trace ID inside `error` in errors about an unsupported model.',
    violates: ['model-error/trace-id-present', 'model-error/streamed'],
    setup: withDecisions(
      applyWhere(
        allOf(onSurface('model'), refusedFor('unsupported-model')),
        replaceModelBody((error, trace) => ({ error: { ...error, ...trace } })),
      ),
    ),
  },
  {
    id: 'trace/id-in-the-message-only',
    about: 'Sends the trace ID only in the message of errors about a rejected image in family A.',
    violates: ['model-error/trace-id-present', 'model-error/streamed'],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('A'), refusedFor('image-refused')),
        replaceModelBody((error, trace) => ({
          error: { ...error, message: `${error.message} (request id: ${trace.trace_id})` },
        })),
      ),
    ),
  },
  {
    id: 'trace/one-for-all',
    about: 'Sends the same trace ID in every response.',
    violates: ['trace/distinct'],
    setup: withDecisions(() => ({ createTraceId: () => '3f0c2d1e-8a4b-4c6d-9e7f-5a1b2c3d4e5f' })),
  },
  {
    id: 'trace/one-for-two',
    about: 'Changes the trace ID only after every second response.',
    violates: ['trace/distinct'],
    setup: withDecisions(() => ({ createTraceId: (number) => uuidOf(String(Math.floor(number / 2))) })),
  },
];
