import type { ReferenceServerOptions } from '../create-reference-server.ts';
import type { Overrides } from '../decisions.ts';

/** What a legal variant is started with. */
export type VariantSetup = Pick<ReferenceServerOptions, 'decisions' | 'profile' | 'extraOperations' | 'seed'>;

/** A conforming gateway that behaves unusually in a point that the specification leaves open. */
export type Variant = {
  /** Permanent and readable: topic/what-is-different. */
  readonly id: string;
  /** What such a gateway does, in one sentence. */
  readonly about: string;
  /** The ids of the requirements of level `should` that such a gateway may violate. Default: none. */
  readonly warns?: readonly string[];
  /** The options for `createReferenceServer`. Call it for each server, since some variants have state. */
  readonly setup: () => VariantSetup;
};

/** The setup of a variant that only decides differently, and remembers nothing. */
export const deciding = (decisions: Overrides) => (): VariantSetup => ({ decisions });
