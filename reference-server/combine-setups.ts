import type { ReferenceServerOptions } from './create-reference-server.ts';
import type { Decisions } from './decisions.ts';

/** The options of a server in which faults and variants differ from the conforming gateway. */
export type Setup = Pick<
  ReferenceServerOptions,
  'decisions' | 'profile' | 'extraOperations' | 'seed' | 'now'
>;

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
