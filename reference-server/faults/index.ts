import type { Fault } from './fault.ts';
import { readFaults } from './read-faults.ts';

export type { Fault } from './fault.ts';

/** The files of faults, by topic. */
export const faultTopics = [
  'good-keys',
  'credentials',
  'wrong-keys',
  'deleted-keys',
  'missing-keys',
  'key-errors',
  'several-faults',
  'model-error-bodies',
  'other-error-bodies',
  'model-error-fields',
  'traces',
  'connections',
  'chat-bodies',
  'conforming-requests',
  'request-bodies',
  'json',
  'shared-state',
  'lifecycle',
  'models',
  'model-list',
  'low-balance',
  'streams',
  'stream-errors',
  'billing',
  'billing-errors',
  'endpoints',
  'accept-headers',
  'near-miss-values',
  'near-miss-bodies',
  'nodes',
];

/** All faults of `conformance serve --fault`. */
export const faults: readonly Fault[] = faultTopics.flatMap(readFaults);
