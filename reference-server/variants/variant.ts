import type { ReferenceServerOptions } from '../create-reference-server.ts';
import type { Overrides } from '../decisions.ts';

/** What a legal variant is started with. */
export type VariantSetup = Pick<ReferenceServerOptions, 'decisions' | 'profile' | 'extraOperations' | 'seed'>;

/** A gateway that keeps the contract and differs in what the contract leaves open. */
export type Variant = {
  /** Permanent and readable: topic/what-is-different. */
  readonly id: string;
  /** What such a gateway does, in one sentence. */
  readonly about: string;
  /** The requirements of level `should` that it may break, where it is about one. */
  readonly warns?: readonly string[];
  /** Made anew for each server, since some variants remember what they did. */
  readonly setup: () => VariantSetup;
};

/** The setup of a variant that only decides differently, and remembers nothing. */
export const deciding = (decisions: Overrides) => (): VariantSetup => ({ decisions });
