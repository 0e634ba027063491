import type { Setup } from '../combine-setups.ts';
import type { BuiltGateway } from '../create-reference-gateway.ts';
import type { ReferenceGateway } from '../gateway/create-gateway.ts';
import type { PartialProfile } from '../gateway/profile.ts';
import type { SituationSwitches } from './create-situations.ts';

/** A gateway whose faults and variants can be switched on and off while the gateway runs. */
export type SwitchedGateway = ReferenceGateway & {
  /** Sets the base URL, and returns the profile of the gateway without situations. */
  readonly profileAt: (url: string) => PartialProfile;
  /** Returns the profile of the gateway with the situations that are switched on. */
  readonly profile: () => PartialProfile;
};

/** The maximum number of gateways that are stored for reuse. A gateway that is removed still finishes its requests. */
const mostBuilt = 20;

/**
 * Creates a gateway that handles each request with the active faults and variants. `build` creates a gateway for one
 * combination of setups. This gateway is reused until `version` returns a different text, or until 20 newer gateways
 * are stored.
 */
export function createSwitchedGateway(
  { takeSetups }: Pick<SituationSwitches, 'takeSetups'>,
  build: (setups: readonly Setup[]) => BuiltGateway,
  version: () => string,
): SwitchedGateway {
  const start = build([]);
  const built = new Map<string, BuiltGateway>();
  let url = '';

  function current(isUsed: boolean): BuiltGateway {
    const { key, setups } = takeSetups(isUsed);
    if (key === '') return start;
    const id = `${key}\n${version()}`;
    const known = built.get(id);
    if (known) return known;
    const made = build(setups.map((create) => create()));
    made.profileAt(url);
    built.set(id, made);
    const [oldest = ''] = built.keys();
    if (built.size > mostBuilt) built.delete(oldest);
    return made;
  }
  return {
    handle: (request) => current(true).gateway.handle(request),
    reject: (failure, request) => start.gateway.reject(failure, request),
    profileAt(own) {
      url = own;
      return start.profileAt(own);
    },
    profile: () => current(false).profileAt(url),
  };
}
