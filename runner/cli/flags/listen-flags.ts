import { normalizeHost } from '../../../common/host.ts';
import { UsageError } from '../../profile/profile.ts';
import {
  integer,
  list,
  type Option,
  type Options,
  text,
  time,
  toggle,
  value,
} from '../../run/define-option.ts';

/** A TCP port. The value 0 stands for a free port. */
const port = { ...integer({ least: 0, most: 65_535 }), expected: 'a port from 0 to 65535' };

export const serveFlags = {
  fault: list({
    flag: '--fault <ID|RULE>',
    group: 'Responses',
    description:
      'Start with this seeded fault, or with a rule such as { change: { status: 500 } }. Repeatable.',
    docs: 'A rule is written as in a file of `--rules`, in braces.',
    completes: { ids: ['faults'] },
    isMain: true,
  }),
  variant: list({
    flag: '--variant <ID>',
    group: 'Responses',
    description: 'Start with this unusual but conforming behaviour. Repeatable.',
    completes: { ids: ['variants'] },
    isMain: true,
  }),
  rules: text({
    flag: '--rules <FILE>',
    group: 'Responses',
    description: 'Behave otherwise, as the rules in this file say.',
    docs: 'See [Rules](reference-gateway.md#rules).',
    isMain: true,
  }),
  throttle: value(integer({ least: 1 }), {
    flag: '--throttle <N>',
    group: 'Responses',
    description: 'Respond to the first N requests of every operation with 429 and Retry-After: 1.',
    isMain: true,
  }),
  latency: value(time, {
    flag: '--latency <TIME>',
    group: 'Responses',
    description: 'Wait this long before the first byte of each response of the gateway.',
    docs: 'The word `after` in a rule replaces this pause.',
    isMain: true,
  }),
  breakStream: value(integer({ least: 0 }), {
    flag: '--break-stream <N>',
    group: 'Responses',
    description: 'Break the connection of every streamed response after N chunks.',
    isMain: true,
  }),
  port: value(port, {
    flag: '--port <N>',
    group: 'Listening',
    description: 'Port to listen on; 0 chooses a free port.',
    initial: 8787,
    isMain: true,
  }),
  host: text({
    flag: '--host <ADDRESS>',
    group: 'Listening',
    description: 'Address to listen on.',
    initial: '127.0.0.1',
  }),
  allowHost: allowHostFlag(
    'A name such as the service name of [a container](reference-gateway.md#in-a-container) needs this flag. Loopback names, such as `localhost`, and the address of `--host` are always allowed. With `--host 0.0.0.0` or `--host ::`, every IP address is allowed.',
  ),
  state: text({
    flag: '--state <FILE>',
    group: 'Listening',
    description: 'Keep keys, accounts and request records in this file between starts.',
    docs: 'A missing file is created. Because the file contains keys, only your user can read the file. See [Keep the state](console.md#keep-the-state).',
  }),
  console: toggle({
    flag: '--no-console',
    group: 'Listening',
    description: 'Do not serve the console at /console.',
    docs: 'At an address other than loopback, [the console](console.md) is served only if `CONSOLE_PASSWORD` contains a password.',
  }),
} satisfies Options;

/** The flags of `proxy` for listening: ports and allowed hosts. */
export const proxyFlags = {
  port: value(port, {
    flag: '--port <N>',
    group: 'Listening',
    description: 'Port for clients; 0 chooses a free port.',
    initial: 8788,
    isMain: true,
  }),
  controlPort: value(port, {
    flag: '--control-port <N>',
    group: 'Listening',
    description: 'Port of the live page and of the report so far, at /__conformance; 0 chooses a free port.',
    initial: 0,
    isMain: true,
  }),
  allowHost: allowHostFlag(
    'The proxy also accepts requests of [web pages](traffic.md#how-the-proxy-treats-requests-and-responses) at this host; `*` accepts requests of every web page. Loopback names, such as `localhost`, and the host of the gateway are always allowed.',
  ),
} satisfies Options;

/**
 * Returns the flag for the hosts that `serve` and `proxy` accept in `Host` headers. `docs` names the hosts that are
 * always allowed.
 */
function allowHostFlag(docs: string): Option<readonly string[]> {
  return list({
    flag: '--allow-host <NAME>',
    group: 'Listening',
    description: "Also accept requests for this host; '*' accepts every host. Repeatable.",
    docs,
  });
}

/** Returns the hosts of `--allow-host`. Throws a `UsageError` for an invalid host. */
export function readAllowedHosts(allowHost: readonly string[]): readonly string[] {
  if (allowHost.some((name) => name !== '*' && normalizeHost(name) === undefined))
    throw new UsageError(
      "Invalid value for --allow-host. Expected a host such as gateway.local or 192.0.2.7, or '*' for every host.",
    );
  return allowHost;
}

/**
 * Calls `listen` with the port and returns the result. Rejects with a `UsageError` that names `flag` if the port is
 * in use or the user has no permission to open the port. Rejects with a `UsageError` that names `--host` if this
 * machine does not have the address. Rethrows other errors.
 */
export async function listenOn<T>(
  port: number,
  flag: string,
  listen: (port: number) => Promise<T>,
): Promise<T> {
  try {
    return await listen(port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new UsageError(
        `Port ${port} is in use. Choose another port with ${flag} N, or a free port with ${flag} 0.`,
      );
    if (code === 'EACCES')
      throw new UsageError(
        `The current user has no permission to open port ${port}. Choose another port with ${flag} N.`,
      );
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EADDRNOTAVAIL')
      throw new UsageError(
        `The value of --host is not a known address of this machine (${code}). Use an address of this machine, such as 127.0.0.1.`,
      );
    throw error;
  }
}
