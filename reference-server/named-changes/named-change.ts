import type { Overrides } from '../gateway/decisions.ts';

/** A change that needs code. The word `use` of a rule calls it by its name. */
export type NamedChange = {
  /** What the gateway does then: a phrase for the schema of rules, such as "accepts a key by its first half". */
  readonly about: string;
  readonly decisions: Overrides;
};

/** Named changes about one topic. */
export type NamedChanges = Readonly<Record<string, NamedChange>>;
