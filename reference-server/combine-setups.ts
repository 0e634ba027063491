import type { Decisions, Overrides } from './gateway/decisions.ts';
import type { GatewayOperationId } from './gateway/operations.ts';
import type { OperationTemplate, ProfileChanges } from './gateway/profile.ts';
import type { Seed } from './gateway/seed.ts';
import type { Origin } from './origin.ts';

/** Options that change the behaviour of a server. Faults, variants, situations and scripts are applied as setups. */
export type Setup = {
  /** The faults and variants in `decisions`, which the console shows. Their type is internal, too. */
  readonly origins?: readonly Origin[];
  /** The decisions to replace. The type of this option is internal: use `faults` and `variants` instead. */
  readonly decisions?: Overrides;
  /**
   * Properties to replace in the profile of the server. The operations, time format, stream parameter and rate limit
   * also change the behaviour of the server.
   */
  readonly profile?: ProfileChanges;
  /** Request lines of operations that a profile cannot contain, such as `chat`. The value null removes an operation. */
  readonly extraOperations?: Partial<Record<GatewayOperationId, OperationTemplate | null>>;
  /**
   * The accounts, keys, models and request records at the start. Default: the content of
   * `fixtures/reference-gateway.yaml`.
   */
  readonly seed?: Seed;
  /** Returns the current time, in milliseconds since 1970-01-01 UTC. Default: `Date.now`. */
  readonly now?: () => number;
};

/** Returns a function that creates a setup with these decisions. */
export const withDecisions = (decisions: Overrides) => (): Pick<Setup, 'decisions'> => ({ decisions });

/**
 * Combines setups, such as the setups of several faults, into one setup. If two setups replace the same decision, the
 * later setup builds on the earlier setup. The properties of `profile`, `profile.operations` and `extraOperations`
 * are merged, and `origins` are joined. For `seed` and `now`, the last value applies.
 */
export function combineSetups(setups: readonly Setup[]): Setup {
  return setups.reduce(combineTwo, {});
}

function combineTwo(below: Setup, above: Setup): Setup {
  const operations = { ...below.profile?.operations, ...above.profile?.operations };
  return {
    ...below,
    ...above,
    profile: { ...below.profile, ...above.profile, operations },
    extraOperations: { ...below.extraOperations, ...above.extraOperations },
    origins: [...(below.origins ?? []), ...(above.origins ?? [])],
    decisions: (base: Decisions) => {
      const lower = below.decisions?.(base) ?? {};
      return { ...lower, ...above.decisions?.({ ...base, ...lower }) };
    },
  };
}
