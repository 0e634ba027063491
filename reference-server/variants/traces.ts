import { randomBytes, randomUUID } from 'node:crypto';
import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { Variant } from './variant.ts';

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

const uuidOfVersion = (digit: string): string => randomUUID().replace(/^(.{14})./, `$1${digit}`);

const changeTraceHeader =
  (write: (id: string) => string): Overrides =>
  (base) => ({
    finish: (response, ctx) => {
      const finished = base.finish(response, ctx);
      return {
        ...finished,
        headers: finished.headers.map(([name, value]) => [
          name,
          name === 'x-trace-id' ? write(value) : value,
        ]),
      };
    },
  });

const createTraceIds =
  (create: () => string): Overrides =>
  () => ({ createTraceId: create });

function createTimeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const rest = randomHex(10);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}

/** Variants of trace IDs: section 2.2 leaves these choices open. */
export const traceVariants: readonly Variant[] = [
  {
    id: 'traces/upper-case',
    about: 'Sends trace IDs in upper case.',
    setup: withDecisions(createTraceIds(() => randomUUID().toUpperCase())),
  },
  {
    id: 'traces/upper-case-header',
    about: 'Sends the trace ID in upper case in the header and in lower case in the body.',
    setup: withDecisions(changeTraceHeader((id) => id.toUpperCase())),
  },
  {
    id: 'traces/version-1',
    about: 'Sends UUIDs of version 1 as trace IDs.',
    setup: withDecisions(createTraceIds(() => uuidOfVersion('1'))),
  },
  {
    id: 'traces/version-7',
    about: 'Sends UUIDs of version 7, ordered by time, as trace IDs.',
    setup: withDecisions(createTraceIds(createTimeOrderedUuid)),
  },
  {
    id: 'traces/version-8',
    about: 'Sends UUIDs of version 8 as trace IDs.',
    setup: withDecisions(createTraceIds(() => uuidOfVersion('8'))),
  },
  {
    id: 'traces/any-variant-bits',
    about: 'Sends trace IDs in the format of a UUID with random version and variant digits.',
    setup: withDecisions(
      createTraceIds(() => randomHex(16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')),
    ),
  },
  {
    id: 'traces/counted',
    about: 'Counts trace IDs up from one, in the format of a UUID.',
    setup: withDecisions(() => ({
      createTraceId: (number) => `00000000-0000-0000-0000-${number.toString(16).padStart(12, '0')}`,
    })),
  },
  {
    id: 'traces/one-for-all',
    about: 'Sends the same trace ID in every response.',
    warns: ['trace/distinct'],
    setup: withDecisions(createTraceIds(() => '6f1c1f0e-6a5e-4a58-9d0a-3f6d0c2b7a11')),
  },
  {
    id: 'traces/none-on-success',
    about: 'Sends successful responses without a trace ID and without a request ID.',
    setup: withDecisions(() => ({ listSuccessHeaders: () => [] })),
  },
  {
    id: 'traces/empty-on-success',
    about: 'Sends successful responses with an empty header `x-trace-id`.',
    setup: withDecisions(() => ({ listSuccessHeaders: () => [['x-trace-id', '']] })),
  },
  {
    id: 'traces/odd-on-success',
    about: 'Sends successful responses with a trace ID that is not a UUID.',
    setup: withDecisions(() => ({
      listSuccessHeaders: (_call, { number }) => [['x-trace-id', `ok-${number}`]],
    })),
  },
  {
    id: 'traces/one-on-success',
    about: 'Sends the same trace ID, consisting of zeros, in every successful response.',
    setup: withDecisions(() => ({
      listSuccessHeaders: () => [['x-trace-id', '00000000-0000-0000-0000-000000000000']],
    })),
  },
  {
    id: 'traces/none-on-billing',
    about: 'Sends errors of billing-type endpoints without the header `x-trace-id`.',
    setup: withDecisions((base) => ({
      listErrorHeaders: (refusal, ctx) =>
        base
          .listErrorHeaders(refusal, ctx)
          .filter(([name]) => ctx.surface !== 'billing' || name !== 'x-trace-id'),
    })),
  },
  {
    id: 'traces/header-in-capitals',
    about: 'Writes header names in upper case.',
    setup: withDecisions(() => ({
      transmit: (wire) => ({
        ...wire,
        headers: wire.headers.map(([name, value]) => [name.toUpperCase(), value]),
      }),
    })),
  },
  {
    id: 'traces/more-ids',
    about: 'Sends further IDs that are not UUIDs in other headers and members.',
    setup: withDecisions((base) => ({
      listErrorHeaders: (refusal, ctx) => [
        ...base.listErrorHeaders(refusal, ctx),
        ['x-request-id', `req-${ctx.number}`],
        ['traceparent', `00-${randomHex(16)}-${randomHex(8)}-01`],
        ['cf-ray', randomHex(8)],
      ],
      createModelErrorBody: (refusal, ctx) => {
        const body = base.createModelErrorBody(refusal, ctx);
        return {
          ...(typeof body === 'object' ? body : {}),
          request_id: `req-${ctx.number}`,
          traceId: ctx.number,
        };
      },
    })),
  },
];
