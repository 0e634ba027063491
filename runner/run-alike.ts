import { randomUUID } from 'node:crypto';
import type { Profile } from './profile/profile.ts';
import type { RunOptions } from './run.ts';

/**
 * Options for runs over several gateways that are to be compared: what they make up, such as a model that nobody has, is
 * the same for all, and no report tells of a key of another gateway.
 */
export function runAlike(
  profiles: readonly Profile[],
): (profile: Profile) => Pick<RunOptions, 'seed' | 'otherKeys'> {
  const seed = randomUUID();
  return (profile) => ({
    seed,
    otherKeys: profiles.filter((other) => other !== profile).flatMap(({ keys }) => Object.values(keys)),
  });
}
