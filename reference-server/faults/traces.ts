import { createHash } from 'node:crypto';
import { withDecisions } from '../combine-setups.ts';
import type { Fault } from './fault.ts';

// The requirements on errors of streamed calls, errors of the model list, and errors with other statuses. A defect in
// all errors violates these requirements too.
const otherErrors = ['model-error/streamed', 'model-error/model-list', 'model-error/other-statuses'];

const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
};

/** Faults of all trace IDs of a gateway. */
export const traceFaults: readonly Fault[] = [
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
    id: 'trace/one-for-two',
    about: 'Changes the trace ID only after every second response.',
    violates: ['trace/distinct'],
    setup: withDecisions(() => ({ createTraceId: (number) => uuidOf(String(Math.floor(number / 2))) })),
  },
];
