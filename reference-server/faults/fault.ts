import type { Setup } from '../combine-setups.ts';
import type { Origin } from '../origin.ts';

/** The definition of a fault: one deliberate defect in a gateway that otherwise conforms. */
export type Fault = {
  /** The ID in the form `topic/what-is-wrong`. The ID never changes. */
  readonly id: string;
  /** One sentence with a verb in the present tense, such as "Accepts a deleted key." */
  readonly about: string;
  /** The IDs of all requirements that the gateway violates. `requests/several-faults` can be omitted. */
  readonly violates: readonly string[];
  /**
   * Creates the options for `createReferenceServer`. Call `setup` once for each server, since some faults have state.
   * The console shows `origin`, by default the fault, as the cause of what the fault changes.
   */
  readonly setup: (origin?: Origin) => Setup;
};
