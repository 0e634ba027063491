import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toMapping } from '../../common/mapping.ts';
import { readMember } from '../../common/pointer.ts';
import type { SetupAction } from '../../common/profile-values.ts';
import { isSuccess } from '../exchange/exchange.ts';
import type { Profile } from '../profile/profile.ts';
import { type Environment, type SetupCall, type SetupValues, setupVariable } from '../profile/setup.ts';
import { fillPath, fillValues } from '../request/build-request.ts';
import type { Transport } from './http.ts';

/**
 * Changes keys and balances of the gateway. For `createKey`, resolves to the values of the created key, such as the key
 * and its ID. Pass these values to all other actions, which resolve to the same values. Rejects with a `SetupError` if
 * the change fails.
 */
export type ChangeGateway = (
  action: SetupAction,
  values: SetupValues | undefined,
) => Promise<SetupValues | undefined>;

/**
 * Thrown if a change of keys or balances failed. The message contains the reason. The reason can include a message of
 * the gateway, but not for `createKey`.
 */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  /** Whether the gateway rejected the first request of the action, so that nothing was changed. */
  readonly isRefused: boolean;
  /**
   * The values of the key that `createKey` created before a later call of the same action failed; undefined if no key
   * is known.
   */
  readonly created: SetupValues | undefined;
  constructor(
    message: string,
    { isRefused = false, created }: { readonly isRefused?: boolean; readonly created?: SetupValues } = {},
  ) {
    super(message);
    this.isRefused = isRefused;
    this.created = created;
  }
}

/**
 * Creates a function that makes changes as `setup` in the profile states: with requests to the gateway, or with
 * commands, which run without a shell.
 */
export function createChangeGateway({ setup }: Pick<Profile, 'setup'>, transport: Transport): ChangeGateway {
  return async (action, given) => {
    let values: Values = given ?? {};
    for (const [index, call] of (setup.calls[action] ?? []).entries()) {
      const about = { action, isFirst: index === 0 };
      try {
        const text =
          call.kind === 'command'
            ? await runCommand(action, call.command, { ...setup.environment, ...variablesOf(values) })
            : await sendSetupRequest(about, call, values, transport);
        if (action === 'createKey') values = { ...values, ...readValues(call, text) };
      } catch (error) {
        if (!(error instanceof SetupError) || action !== 'createKey' || !isKey(values.key)) throw error;
        throw new SetupError(error.message, { created: { ...values, key: values.key } });
      }
    }
    return action === 'createKey' ? withKey(values) : given;
  };
}

type Values = Readonly<Record<string, string>>;
type About = { readonly action: SetupAction; readonly isFirst: boolean };

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
    const { code, killed } = toMapping(error);
    const how = killed ? `took longer than ${longestCommand / 1000} s` : `failed (${String(code)})`;
    throw new SetupError(
      `The command of setup.${action} ${how}: ${program}. Check the command in the profile.`,
    );
  }
}

function readFrom(values: Values): (name: string) => string | undefined {
  return (name) => (Object.hasOwn(values, name) ? values[name] : undefined);
}

function variablesOf(values: Values): Environment {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [setupVariable(name), value]));
}

async function sendSetupRequest(
  { action, isFirst }: About,
  call: SetupCall & { readonly kind: 'request' },
  values: Values,
  transport: Transport,
): Promise<string> {
  const { method, path, headers, body } = call;
  const text = body === undefined ? undefined : JSON.stringify(fillValues(body, readFrom(values)));
  const request = {
    method,
    path: fillPath(path, readFrom(values)),
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: text,
  };
  // A message must not contain the key. During `createKey`, the key is not yet redacted, and any value can contain
  // the key.
  const { key: _, ...others } = values;
  const shown = action === 'createKey' ? {} : others;
  const line = `${method} ${fillPath(path, readFrom(shown))}`;
  if (!isSafePath(request.path))
    throw new SetupError(
      `The request of setup.${action} was not sent, because a value in the path is missing, or the path is not allowed: ${line}. Check the path, and \`values\` of setup.createKey.`,
      { isRefused: isFirst },
    );
  const result = await transport.send(request, { mustSucceed: true });
  if (result.kind === 'failure')
    throw new SetupError(
      `The request of setup.${action} got no response (${result.failure.detail}): ${line}. Check setup.${action} in the profile.`,
    );
  const { status, text: answer } = result.answer;
  // If a 2xx response contains a new key, the key exists and must be deleted, even if the response also reports a
  // problem.
  const hasKey = action === 'createKey' && isSuccess(status) && isKey(readValues(call, answer).key);
  const problem = isSuccess(status) ? explainFailure(action, answer) : '';
  if (problem !== undefined && !hasKey)
    throw new SetupError(
      `The request of setup.${action} got ${status}${problem}: ${line}. Check setup.${action} in the profile.`,
      {
        isRefused: isFirst && refusals.has(status),
      },
    );
  return answer;
}

/** The statuses that show that nothing was changed. Other errors, such as a 409, may follow a change. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 413, 415, 422]);

/** Whether a path has only printable ASCII characters except spaces, no placeholders, and no segment `.` or `..`. */
function isSafePath(path: string): boolean {
  return /^[\x21-\x7e]+$/.test(path) && !/\{\+?\w+\}/.test(path) && !/\/\.{1,2}(?:[/?]|$)/.test(path);
}

/**
 * Returns the failure that a gateway reports in a 2xx response, with `success: false` or a non-empty `error`, as the
 * end of a message; undefined for a success.
 */
function explainFailure(action: SetupAction, text: string): string | undefined {
  const { success, error, message } = toMapping(parseJson(text));
  const isEmpty = typeof error === 'object' ? Object.keys(error ?? {}).length === 0 : !error;
  if (success !== false && isEmpty) return undefined;
  if (action === 'createKey')
    return ' with an error, which may contain the new key and is therefore not shown';
  const reason = message ?? toMapping(error).message ?? error;
  return typeof reason === 'string' && reason !== ''
    ? ` with the message "${reason.slice(0, 200)}"`
    : ' with an error';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readValues({ kind, values }: SetupCall, text: string): Values {
  const json = parseJson(text);
  // A command may print only the key, without surrounding JSON.
  if (kind === 'command' && typeof json !== 'object')
    return { key: typeof json === 'string' ? json : text.trim() };
  const found = Object.entries(values).flatMap(([name, pointer]) => {
    const value = readMember(json, pointer);
    const known = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    return known !== undefined && isWellFormed(known) ? [[name, known] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Whether a text can be percent-encoded and can be the value of an environment variable. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text && !text.includes('\0');
}

function isKey(text: string | undefined): text is string {
  return text !== undefined && /^[\x21-\x7e]+$/.test(text);
}

function withKey(values: Values): SetupValues {
  const { key } = values;
  if (isKey(key)) return { ...values, key };
  throw new SetupError(
    'setup.createKey returned no valid key, so the suite cannot delete the key that the call may have created. Check `values.key`, the JSON pointer to the key, or let the command print only the key.',
  );
}
