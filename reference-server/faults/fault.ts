import type { ReferenceServerOptions } from '../create-reference-server.ts';

/** What a gateway with a defect is started with. */
export type FaultSetup = Pick<
  ReferenceServerOptions,
  'decisions' | 'profile' | 'extraOperations' | 'seed' | 'now'
>;

/** One deliberate defect in a gateway that keeps the rest of the contract. */
export type Fault = {
  /** Permanent and readable: topic/what-is-wrong. */
  readonly id: string;
  /** What such a gateway does, in one sentence. */
  readonly about: string;
  /** The ids of all requirements that it breaks, and of no other. */
  readonly breaks: readonly string[];
  /** Made anew for each server, since some defects remember what they did. */
  readonly setup: () => FaultSetup;
};
