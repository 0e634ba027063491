import { randomBytes, randomUUID } from 'node:crypto';
import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { Variant } from './variant.ts';

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

const uuidOfVersion = (digit: string): string => randomUUID().replace(/^(.{14})./, `$1${digit}`);

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
