import type { Decisions, Overrides } from './decisions/index.ts';
import type { GatewayOperationId } from './gateway/operations.ts';
import type { OperationTemplate, ProfileChanges } from './gateway/profile.ts';
import type { Seed } from './gateway/seed.ts';

/** Options of a server that change its behaviour, such as those of faults and variants. */
export type Setup = {
  /** The decisions to replace. Their type is internal: use `faults` and `variants`. */
  readonly decisions?: Overrides;
  /** Members that replace those of `profile`. The server applies operations, time format, stream parameter and rate limit. */
  readonly profile?: ProfileChanges;
  /** Request lines of operations that no profile states, such as `chat`; null removes one. */
  readonly extraOperations?: Partial<Record<GatewayOperationId, OperationTemplate | null>>;
  /** Accounts, keys, models and request records at the start. Default: those of `fixtures/reference-gateway.yaml`. */
  readonly seed?: Seed;
  /** The clock, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
};

/** Returns a function that creates a setup with these decisions. */
export const withDecisions = (decisions: Overrides) => (): Pick<Setup, 'decisions'> => ({ decisions });

/**
 * Combines setups, such as those of several faults, into the options of one server. If two setups change the
 * same decision, the later setup builds on the earlier one.
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
    decisions: (base: Decisions) => {
      const lower = below.decisions?.(base) ?? {};
      return { ...lower, ...above.decisions?.({ ...base, ...lower }) };
    },
  };
}
