import type { ReferenceServerOptions } from './create-reference-server.ts';
import type { Decisions } from './decisions.ts';

/** What makes a server differ from the conforming one. */
export type Setup = Pick<
  ReferenceServerOptions,
  'decisions' | 'profile' | 'extraOperations' | 'seed' | 'now'
>;

/** One setup that differs in all that the given ones differ in; where two speak of the same, the later builds on the earlier. */
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
