import type { Setup } from '../combine-setups.ts';
import type { Origin } from '../origin.ts';

/** The setup of a variant. */
export type VariantSetup = Omit<Setup, 'now'>;

/** A conforming gateway with unusual behaviour that the specification leaves open. */
export type Variant = {
  /** The ID in the form `topic/what-is-different`. The ID never changes. */
  readonly id: string;
  /** One sentence with a verb in the present tense, such as "Sends messages in upper case." */
  readonly about: string;
  /** The IDs of the requirements of level `should` that the gateway may violate. Default: none. */
  readonly warns?: readonly string[];
  /** The IDs, or the beginnings of IDs, of the requirements that cannot be judged in some cases. Default: none. */
  readonly undecided?: readonly string[];
  /**
   * Creates the options for `createReferenceServer`. Call `setup` once for each server, since some variants have state.
   * The console shows `origin`, by default the variant, as the cause of what the variant changes.
   */
  readonly setup: (origin?: Origin) => VariantSetup;
};
