import { UsageError } from '../profile/profile.ts';
import { nameOf } from '../proxy/allowed-hosts.ts';

/** The flag of every command that listens for requests. */
export interface AllowHostFlags {
  readonly allowHost: readonly string[];
}

/** The names of `--allow-host`; throws UsageError for one that is not a host name. */
export function readAllowedHosts({ allowHost }: AllowHostFlags): readonly string[] {
  if (allowHost.some((name) => name !== '*' && nameOf(name) === undefined))
    throw new UsageError(
      "--allow-host takes the name of a host, such as gateway.local or 192.0.2.7, or '*' for every host.",
    );
  return allowHost;
}
