import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { list, mapping } from '../../contract/mapping.ts';
import type { SetupAction } from '../../contract/profile-values.ts';
import type { Profile } from '../profile/profile.ts';
import type { Environment, SetupCall, SetupValues } from '../profile/setup.ts';
import type { Transport } from '../transport/http.ts';

/**
 * Changes keys and balances of the gateway. `createKey` resolves to the values of the created key, which the other actions
 * take. Rejects if the gateway does not make the change.
 */
export type ChangeGateway = (
  action: SetupAction,
  values: SetupValues | undefined,
) => Promise<SetupValues | undefined>;

/** Creates the changes that the profile states. Requests go to the gateway itself; commands run without a shell. */
export function createChangeGateway({ setup }: Pick<Profile, 'setup'>, transport: Transport): ChangeGateway {
  return async (action, values) => {
    const call = setup.calls[action];
    if (!call) throw new Error(`The profile has no setup.${action}.`);
    const text =
      call.kind === 'command'
        ? await runCommand(action, call.command, { ...setup.environment, ...variablesOf(values) })
        : await sendSetupRequest(action, call, values, transport);
    return action === 'createKey' ? readValues(call, text) : values;
  };
}

/** The time limit of a command, in milliseconds. */
const longestCommand = 60_000;

async function runCommand(
  action: SetupAction,
  [program = '', ...args]: readonly string[],
  env: Environment,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: longestCommand, env });
    return stdout;
  } catch (error) {
    const { code, killed } = mapping(error);
    const how = killed ? `took longer than ${longestCommand / 1000} s` : `failed (${String(code)})`;
    throw new Error(`The command of setup.${action} ${how}: ${program}`);
  }
}

/** Returns the environment variables of a key: `accountId` becomes `SETUP_ACCOUNT_ID`. */
function variablesOf(values: SetupValues | undefined): Environment {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [
      `SETUP_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
      value,
    ]),
  );
}

async function sendSetupRequest(
  action: SetupAction,
  { method, path, headers, body }: SetupCall & { readonly kind: 'request' },
  values: SetupValues | undefined,
  transport: Transport,
): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(fillIn(body, values, (value) => value));
  const request = {
    method,
    path: String(fillIn(path, values, encodeURIComponent)),
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: text,
  };
  const result = await transport.send(request, { mustSucceed: true });
  if (result.kind === 'failure')
    throw new Error(`The request of setup.${action} got no response (${result.failure.detail}).`);
  const { status, text: answer } = result.answer;
  if (status < 200 || status > 299)
    throw new Error(`The request of setup.${action} got ${status}: ${method} ${path}`);
  return answer;
}

function fillIn(
  value: unknown,
  values: Readonly<Record<string, string>> | undefined,
  encode: (text: string) => string,
): unknown {
  if (typeof value === 'string')
    return value.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const known = values?.[name];
      return known === undefined ? whole : encode(known);
    });
  if (Array.isArray(value)) return value.map((item) => fillIn(item, values, encode));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fillIn(item, values, encode)]),
  );
}

function readValues({ values }: SetupCall, text: string): SetupValues {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // A command may print the key alone.
    return { key: requireKey(text.trim()) };
  }
  const read = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (Array.isArray(at) ? list(at)[Number(name)] : mapping(at)[name]), json);
  const found = Object.entries(values).flatMap(([name, pointer]) => {
    const value = read(pointer);
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
  });
  const all = Object.fromEntries(found);
  return { ...all, key: requireKey(all.key ?? '') };
}

function requireKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Error(
    'setup.createKey returned no key. Check `values.key`, the JSON pointer to the key in the response.',
  );
}
