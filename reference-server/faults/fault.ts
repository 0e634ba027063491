import type { ReferenceServerOptions } from '../create-reference-server.ts';

/** What a gateway with a defect is started with. */
export type FaultSetup = Pick<
  ReferenceServerOptions,
  'decisions' | 'profile' | 'extraOperations' | 'seed' | 'now'
>;

/** One deliberate defect in a gateway that otherwise conforms. */
export type Fault = {
  /** Permanent and readable: topic/what-is-wrong. */
  readonly id: string;
  /** What such a gateway does, in one sentence. */
  readonly about: string;
  /** The ids of exactly the requirements that such a gateway violates. */
  readonly breaks: readonly string[];
  /** The options for `createReferenceServer`. Call it for each server, since some faults have state. */
  readonly setup: () => FaultSetup;
};
