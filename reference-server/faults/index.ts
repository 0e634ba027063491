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

let faults: readonly Fault[] | undefined;

/** Returns all faults of `conformance serve --fault`, which the first call reads. */
export function listFaults(): readonly Fault[] {
  faults ??= faultTopics.flatMap(readFaults);
  return faults;
}
