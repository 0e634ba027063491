import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataFileError, describeReadError } from '../common/data-file.ts';
import { replaceFile } from '../common/write-file.ts';
import type { Account, ApiKey, RequestRecord, State } from './gateway/state.ts';
import { lockFile } from './lock-file.ts';
import { validateWithSchema } from './schemas.ts';

/**
 * The content of the file. Models and the rate limit are not stored, because the options of each start determine
 * both. Situations are not stored either.
 */
type KeptState = {
  readonly version: 1;
  readonly accounts: readonly Account[];
  readonly keys: readonly ApiKey[];
  readonly records: readonly RequestRecord[];
};

/** A file that keeps the keys, accounts and request records of a gateway between starts. */
export type StateFile = {
  /** Writes the state immediately. A failure is logged, and the gateway continues. */
  readonly save: () => void;
  /** Writes the state for the last time, stops the regular writes, and lets another gateway use the file. */
  readonly close: () => void;
};

/**
 * The maximum number of request records in the file. Up to 101,000 records are in memory, but writing the file must
 * take only milliseconds.
 */
const mostRecords = 10_000;
/**
 * The time between two writes after requests, in milliseconds. Changes through the functions of `Keys` and `Accounts`
 * are written immediately.
 */
const interval = 1_000;

/**
 * Restores the state from a file, if the file exists, and from then on writes the state to the file. Keys of the seed
 * keep their values and accounts, so that a profile stays valid. Throws a `DataFileError` if another gateway uses the
 * file, if the path is not a regular file, if the file does not contain a state, or if the file cannot be read or
 * written. `requests` returns the number of requests so far.
 */
export function openStateFile(
  given: string,
  state: State,
  { requests, log }: { readonly requests: () => number; readonly log: (line: string) => void },
): StateFile {
  const path = resolveFile(given);
  const unlock = lockFile(path, (error) => unwritable(path, error));
  let written: Version | undefined;
  try {
    restore(state, path);
    written = write(path, state);
  } catch (error) {
    unlock();
    throw error;
  }
  let saved = requests();
  const save = (): void => {
    saved = requests();
    try {
      // In another container, a gateway may not see the process of the lock.
      const found = readVersion(path);
      if (found && !isSame(found, written))
        log(
          `${path}: another program changed the file, and its changes are lost: the state is written again.`,
        );
      written = write(path, state);
    } catch (error) {
      log(messageOf(error));
    }
  };
  const timer = setInterval(() => {
    if (requests() !== saved) save();
  }, interval);
  timer.unref();
  return {
    save,
    close() {
      clearInterval(timer);
      save();
      unlock();
    },
  };
}

/**
 * Returns the path after following symbolic links to an existing file, so that writing replaces the target and keeps
 * the link. Throws a `DataFileError` if the path exists but is not a regular file, or if the path cannot be resolved.
 */
function resolveFile(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return path;
    if (found.isFile()) return realpathSync(path);
  } catch (error) {
    throw new DataFileError(path, undefined, describeReadError(error));
  }
  throw new DataFileError(path, undefined, 'the path is not a regular file. Choose the path of a file.');
}

function restore(state: State, path: string): void {
  const kept = read(path);
  if (!kept) return;
  for (const account of kept.accounts) state.accounts.set(account.id, account);
  for (const key of kept.keys) {
    const index = state.keys.findIndex(({ id }) => id === key.id);
    const { value, account } = state.keys[index] ?? key;
    state.keys[index === -1 ? state.keys.length : index] = {
      ...key,
      value,
      account,
      lastUsedAt: key.lastUsedAt,
    };
  }
  const known = new Set(state.records.map(({ id }) => id));
  for (const record of kept.records) if (!known.has(record.id)) state.records.push(record);
}

function read(path: string): KeptState | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new DataFileError(path, undefined, describeReadError(error));
  }
  try {
    return validateWithSchema<KeptState>('state', 'gateway-state', JSON.parse(text));
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'the file is not JSON.' : messageOf(error);
    throw new DataFileError(
      path,
      undefined,
      `not a state file of the reference gateway: ${problem} Move the file to another path to start with a new state.`,
    );
  }
}

/** What distinguishes one written file from the next. */
type Version = { readonly ino: bigint; readonly mtimeNs: bigint; readonly size: bigint };

/** Returns undefined if the file does not exist. */
function readVersion(path: string): Version | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

function isSame(one: Version | undefined, other: Version | undefined): boolean {
  return one?.ino === other?.ino && one?.mtimeNs === other?.mtimeNs && one?.size === other?.size;
}

/**
 * Writes the file atomically: after a crash, the file contains the complete old or the complete new state. Only the
 * user of this process can read the file, since the file contains keys. Returns the version of the written file. Throws
 * a `DataFileError` if writing fails.
 */
function write(path: string, state: State): Version | undefined {
  const kept: KeptState = {
    version: 1,
    accounts: [...state.accounts.values()],
    keys: state.keys,
    records: state.records.slice(-mostRecords),
  };
  try {
    replaceFile(dirname(path), 0o600, (fd) => {
      writeFileSync(fd, JSON.stringify(kept));
      return path;
    });
    return readVersion(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): DataFileError {
  return new DataFileError(
    path,
    undefined,
    `the state cannot be written (${codeOf(error)}). Check the path and its permissions.`,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
