import { createHash, randomUUID } from 'node:crypto';
import { deciding, modelBody, onlyWhere, together, traceHeader } from './changes.ts';
import { all, at, by, inFamily, on, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';

// What is wrong with the errors of every endpoint shows in these summaries too.
const everywhere = ['model-error/streamed', 'model-error/model-list', 'model-error/other-statuses'];
const unlisted = refusedFor('unknown-model');

const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
};

/** Trace ids that are missing, differ, repeat, or are no UUID. */
export const traceFaults: readonly Fault[] = [
  {
    id: 'trace/header-missing',
    about: 'Omits the header `x-trace-id` in errors.',
    breaks: ['model-error/trace-header-present', ...everywhere],
    setup: deciding(traceHeader(() => undefined)),
  },
  {
    id: 'trace/header-missing-on-402',
    about: 'Omits the header `x-trace-id` in 402 responses.',
    breaks: ['model-error/trace-header-present', 'model-error/streamed'],
    setup: deciding(
      onlyWhere(
        all(on('messages', 'generate'), refusedFor('low-balance')),
        traceHeader(() => undefined),
      ),
    ),
  },
  {
    id: 'trace/header-missing-on-crash',
    about: 'Answers a malformed body in family B with 500 and without the header `x-trace-id`.',
    breaks: ['model-error/trace-header-present', 'requests/body-json', 'requests/empty-body'],
    setup: deciding(
      onlyWhere(
        all(inFamily('B'), refusedFor('unparseable-body')),
        together(
          () => ({ statusOf: () => 500 }),
          traceHeader(() => undefined),
        ),
      ),
    ),
  },
  {
    id: 'trace/header-empty',
    about: 'Sends an empty header `x-trace-id` with errors.',
    breaks: [
      'model-error/trace-header-uuid',
      'model-error/trace-header-matches-body',

      ...everywhere,
    ],
    setup: deciding(traceHeader(() => '')),
  },
  {
    id: 'trace/header-made-anew',
    about: 'Sends different trace IDs in the header `x-trace-id` and in the body.',
    breaks: ['model-error/trace-header-matches-body', ...everywhere],
    setup: deciding(traceHeader(() => randomUUID())),
  },
  {
    id: 'trace/header-made-anew-on-bad-tokens',
    about:
      'Sends different trace IDs in the header `x-trace-id` and in the body for a bad bearer token in family C.',
    breaks: ['model-error/trace-header-matches-body'],
    setup: deciding(
      onlyWhere(
        all(on('generate'), by('bearer'), refusedFor('bad-key')),
        traceHeader(() => randomUUID()),
      ),
    ),
  },
  {
    id: 'trace/header-of-another-form',
    about: 'Sends the trace ID in the header `x-trace-id` without dashes for a missing key on chat.',
    breaks: [
      'model-error/trace-header-uuid',
      'model-error/trace-header-matches-body',
      'model-error/streamed',
    ],
    setup: deciding(
      onlyWhere(
        all(on('chat'), refusedFor('missing-credential')),
        traceHeader((ctx) => ctx.traceId.replaceAll('-', '')),
      ),
    ),
  },
  {
    id: 'trace/body-made-anew',
    about:
      'Sends different trace IDs in the header `x-trace-id` and in the body for an unlisted model in family B.',
    breaks: ['model-error/trace-header-matches-body', 'model-error/streamed'],
    setup: deciding(
      onlyWhere(
        all(inFamily('B'), unlisted),
        modelBody((error) => ({ error, trace_id: randomUUID() })),
      ),
    ),
  },
  {
    id: 'trace/id-no-uuid',
    about: 'Sends `req_` and a number as the trace ID.',
    breaks: ['model-error/trace-id-uuid', 'model-error/trace-header-uuid', ...everywhere],
    setup: deciding(() => ({ newTraceId: (number) => `req_${number}` })),
  },
  {
    id: 'trace/id-of-opentelemetry',
    about: 'Sends 32 hexadecimal digits as the trace ID.',
    breaks: ['model-error/trace-id-uuid', 'model-error/trace-header-uuid', ...everywhere],
    setup: deciding(() => ({ newTraceId: () => randomUUID().replaceAll('-', '') })),
  },
  {
    id: 'trace/id-null',
    about: 'Sends null as the trace ID in the body for malformed bodies on chat and in family B.',
    breaks: ['model-error/trace-id-uuid'],
    setup: deciding(
      onlyWhere(
        all(on('chat', 'messages'), refusedFor('unparseable-body')),
        modelBody((error) => ({ error, trace_id: null })),
      ),
    ),
  },
  {
    id: 'trace/id-missing',
    about: 'Omits the trace ID in error bodies.',
    breaks: ['model-error/trace-id-present', ...everywhere],
    setup: deciding(modelBody((error) => ({ error }))),
  },
  {
    id: 'trace/id-inside-error',
    about: 'Sends the trace ID of an unsupported model inside `error`.',
    breaks: ['model-error/trace-id-present', 'model-error/streamed'],
    setup: deciding(
      onlyWhere(
        all(at('model'), refusedFor('unsupported-model')),
        modelBody((error, trace) => ({ error: { ...error, ...trace } })),
      ),
    ),
  },
  {
    id: 'trace/id-in-the-message-only',
    about: 'Sends the trace ID of a refused image only in the message in family A.',
    breaks: ['model-error/trace-id-present', 'model-error/streamed'],
    setup: deciding(
      onlyWhere(
        all(inFamily('A'), refusedFor('image-refused')),
        modelBody((error, trace) => ({
          error: { ...error, message: `${error.message} (request id: ${trace.trace_id})` },
        })),
      ),
    ),
  },
  {
    id: 'trace/one-for-all',
    about: 'Sends the same trace ID in every response.',
    breaks: ['trace/distinct'],
    setup: deciding(() => ({ newTraceId: () => '3f0c2d1e-8a4b-4c6d-9e7f-5a1b2c3d4e5f' })),
  },
  {
    id: 'trace/one-for-two',
    about: 'Sends the same trace ID in two consecutive responses.',
    breaks: ['trace/distinct'],
    setup: deciding(() => ({ newTraceId: (number) => uuidOf(String(Math.floor(number / 2))) })),
  },
];
