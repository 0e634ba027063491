import type { Decisions, Overrides } from './decisions/index.ts';
import type { OperationId } from './gateway/operations.ts';
import type { OperationTemplate, ProfileChanges } from './gateway/profile.ts';
import type { Seed } from './gateway/seed.ts';

/** The options of a server in which faults and variants differ from the conforming gateway. */
export type Setup = {
  /** The decisions that differ from those of a conforming gateway. Its type is internal: use `faults` and `variants`. */
  readonly decisions?: Overrides;
  /** Members that replace those of `profile`. The server follows operations, time format, stream parameter and rate limit. */
  readonly profile?: ProfileChanges;
  /** Request lines of operations that no profile states, such as `chat`; null removes one. */
  readonly extraOperations?: Partial<Record<OperationId, OperationTemplate | null>>;
  /** Accounts, keys, models and request records at the start. Default: those of `fixtures/reference-gateway.yaml`. */
  readonly seed?: Seed;
  /** The clock, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
};

/**
 * Combines setups, such as those of several faults, into the options of one server. If two change the same, the later one
 * builds on the earlier one.
 */
export function combineSetups(setups: readonly Setup[]): Setup {
  return setups.reduce(layer, {});
}

function layer(below: Setup, above: Setup): Setup {
  const operations = { ...below.profile?.operations, ...above.profile?.operations };
  return {
    ...below,
    ...above,
    profile: { ...below.profile, ...above.profile, operations },
    extraOperations: { ...below.extraOperations, ...above.extraOperations },
    decisions: (base: Decisions) => {
      const made = below.decisions?.(base) ?? {};
      return { ...made, ...above.decisions?.({ ...base, ...made }) };
    },
  };
}
