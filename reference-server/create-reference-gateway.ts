import type { Setup } from './combine-setups.ts';
import { conforming } from './gateway/conforming.ts';
import { createGateway, type ReferenceGateway } from './gateway/create-gateway.ts';
import { requestLines } from './gateway/operations.ts';
import { createProfile, type PartialProfile } from './gateway/profile.ts';
import { compileRoutes } from './gateway/routes.ts';
import { readSeed, type Seed, toMilliseconds } from './gateway/seed.ts';
import { createSeedKeys, createState, type State } from './gateway/state.ts';

/**
 * The parts that all gateways of one server share. A server starts with one gateway, and creates another gateway for
 * each combination of active faults and variants.
 */
export type SharedParts = {
  readonly seed: Seed;
  readonly state: State;
  readonly counter: { requests: number };
};

/** A gateway without a server. */
export type BuiltGateway = {
  readonly gateway: ReferenceGateway;
  /** Sets the base URL of the profile, and returns the profile. */
  readonly profileAt: (url: string) => PartialProfile;
};

/**
 * Creates a gateway without a server. If the seed of the setup differs from the seed of the shared parts, the gateway
 * has the models and keys of the seed of the setup, and the request records of this seed and of the server. Keys that
 * were created while the server ran stay valid. Throws an error if a request line or the time of the rate limit is
 * invalid, or if the seed lacks a model for a role.
 */
export function createReferenceGateway(setup: Setup = {}, shared?: SharedParts): BuiltGateway {
  const { seed = readSeed(), now = Date.now } = setup;
  let profile = createProfile(seed, '', setup.profile);
  if (profile.rateLimit) toMilliseconds(profile.rateLimit.within, 'rateLimit.within');
  const { state, counter } = shared ?? { state: createState(seed, now()), counter: { requests: 0 } };
  const { other: _, ...operations } = profile.operations;
  const gateway = createGateway({
    decide: { ...conforming, ...setup.decisions?.(conforming) },
    lastResort: conforming,
    routes: compileRoutes({ ...requestLines, ...setup.extraOperations, ...operations }),
    state: shared && shared.seed !== seed ? withSeed(state, seed, now()) : state,
    profile: () => profile,
    now,
    counter,
  });
  const profileAt = (url: string): PartialProfile => {
    profile = createProfile(seed, url, setup.profile);
    return profile;
  };
  return { gateway, profileAt };
}

/**
 * Returns a copy of the state with the models and keys of this seed, and with the request records of the seed and of
 * the state. The copy also has the keys that were created while the server ran. If the state has a key with the ID and
 * the value of a key of the seed, the copy contains the key of the state, so that a deletion stays in effect.
 */
function withSeed(state: State, seed: Seed, now: number): State {
  const { models, records } = createState(seed, now);
  const created = state.keys.filter(({ id, role }) => id !== role);
  const seeded = createSeedKeys(seed, now).map(
    (key) => state.keys.find(({ id, value }) => id === key.id && value === key.value) ?? key,
  );
  const keys = [...seeded, ...created];
  return { ...state, models, keys, records: [...records, ...state.records] };
}
