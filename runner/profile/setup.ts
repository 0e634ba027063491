import type { DataFile, DataPath } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import { type SetupAction, setupActions } from '../../common/profile-values.ts';
import { formatPath } from '../../common/validate-data.ts';
import { isHeaderName, isHeaderValue } from './header.ts';

/** The values of a created key that later calls of the setup use: `key`, and the values that the profile names. */
export type SetupValues = Readonly<Record<string, string>> & { readonly key: string };

/** A call of `setup`: a request to the administration API of the gateway, or a command on this machine. */
export type SetupCall = {
  /** The place of each value of a created key in the JSON of the response or output: name → JSON pointer. */
  readonly values: Readonly<Record<string, string>>;
} & (
  | {
      readonly kind: 'request';
      readonly method: string;
      /**
       * The path that is appended to the base URL. A placeholder such as `{id}` is replaced by the value with the same
       * name.
       */
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  /** A program with its arguments, which is run without a shell. */
  | { readonly kind: 'command'; readonly command: readonly string[] }
);

/** Returns the environment variable of a value of the created key: `accountId` becomes `SETUP_ACCOUNT_ID`. */
export function setupVariable(name: string): string {
  return `SETUP_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The changes that the suite may make at the gateway, and the calls that make these changes. */
export type ProfileSetup = {
  readonly calls: Readonly<Partial<Record<SetupAction, readonly SetupCall[]>>>;
  /**
   * The environment of the commands. Undefined if no command may run: a profile from another author must not run
   * code.
   */
  readonly environment: Environment | undefined;
};

const usualValues = { key: '/key', id: '/id' };

/** Reads the property `setup` of a profile. Throws a `DataFileError` if a header name or value is not valid. */
export function readSetup(
  value: unknown,
  file: DataFile,
  environment: Environment | undefined,
): ProfileSetup {
  const stated = toMapping(value);
  const calls = setupActions.flatMap((action) =>
    stated[action] === undefined
      ? []
      : [[action, readCalls(stated[action], ['setup', action], file)] as const],
  );
  return { calls: Object.fromEntries(calls), environment };
}

function readCalls(value: unknown, place: DataPath, file: DataFile): SetupCall[] {
  return Array.isArray(value)
    ? value.map((call, index) => readCall(toMapping(call), [...place, index], file))
    : [readCall(toMapping(value), place, file)];
}

function readCall(
  { request, headers, body, command, values }: Readonly<Record<string, unknown>>,
  place: DataPath,
  file: DataFile,
): SetupCall {
  const named = values === undefined ? usualValues : mapText(values);
  if (Array.isArray(command)) return { kind: 'command', command: command.map(String), values: named };
  const own = mapText(headers);
  for (const [name, text] of Object.entries(own))
    if (!isHeaderName(name) || !isHeaderValue(text))
      throw file.error(
        [...place, 'headers', name],
        `${formatPath([...place, 'headers', name])} is not a valid header. Check the name and the value of the header.`,
      );
  const [method = '', path = ''] = String(request).split(' ');
  return { kind: 'request', method, path, headers: own, body, values: named };
}

function mapText(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(toMapping(value)).map(([name, text]) => [name, String(text)]));
}
