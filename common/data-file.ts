import { closeSync, openSync, readSync } from 'node:fs';
import { findPrebuiltValue } from './prebuilt.ts';
import { isSeq, readYaml, stringify } from './read-yaml.ts';

/**
 * Thrown if a YAML or JSON file, such as a profile, is invalid or cannot be read. The message names the file, the
 * line (if known) and the problem.
 */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  /** The path of the file in messages. */
  readonly file: string;
  /** The line, counted from 1; undefined if the problem has no line, such as a missing file. */
  readonly line: number | undefined;

  constructor(file: string, line: number | undefined, problem: string) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${problem}`);
    this.file = file;
    this.line = line;
  }
}

/** The path of a value in a file: property names, and indexes of list items, counted from 0. */
export type DataPath = readonly (string | number)[];

/** The paths to remove from a file, and the values to append to its lists. */
export interface DataEdit {
  readonly remove: readonly DataPath[];
  /**
   * The items to append. `list` is a property of the top level. If the property is missing or is not a list, the
   * property becomes a new list.
   */
  readonly append: readonly { readonly list: string; readonly item: unknown }[];
}

export interface DataFile {
  /** The path of the file in messages. */
  readonly file: string;
  readonly value: unknown;
  /** Whether `value` comes from the build, which has already validated the files of the catalog. */
  readonly isPrebuilt: boolean;
  /** Returns the error for a problem of the value at `path`. The line of the error is `lineOf(path)`. */
  readonly error: (path: DataPath, problem: string) => DataFileError;
  /**
   * Returns the line of a value, counted from 1. If the value is absent, returns the line of the innermost value
   * on its path that exists; undefined if the document is empty.
   */
  readonly lineOf: (path: DataPath) => number | undefined;
  /** Returns the edited text of the file. Keeps all other values and their comments. White space may change. */
  readonly edited: (edit: DataEdit) => string;
}

/** Parses YAML or JSON text. `file` is the path for messages. Throws a `DataFileError` if the text is invalid. */
export function parseDataFile(file: string, text: string): DataFile {
  const value = findPrebuiltValue(text);
  return value === undefined
    ? parse(file, text)
    : { ...knownDataFile(file, value, () => text), isPrebuilt: true };
}

/**
 * Returns a data file for a value that is already parsed. Calls `text`, and parses the result, only when an error,
 * a line or an edit is first requested.
 */
export function knownDataFile(file: string, value: unknown, text: () => string): DataFile {
  let parsed: DataFile | undefined;
  const parseOnce = (): DataFile => {
    parsed ??= parse(file, text());
    return parsed;
  };
  return {
    file,
    value,
    isPrebuilt: false,
    error: (path, problem) => parseOnce().error(path, problem),
    lineOf: (path) => parseOnce().lineOf(path),
    edited: (edit) => parseOnce().edited(edit),
  };
}

function parse(file: string, text: string): DataFile {
  const { document, value, lineAt } = readYaml(
    text,
    (line, problem) => new DataFileError(file, line, problem),
  );
  return {
    file,
    value,
    isPrebuilt: false,
    error: (path, message) => new DataFileError(file, lineOf(path), message),
    lineOf,
    edited: ({ remove, append }) => {
      const changed = document.clone();
      // Paths are removed from the last to the first, so that the indexes of the remaining items stay valid.
      for (const path of [...remove].sort((a, b) => compare(b, a))) changed.deleteIn(path);
      for (const { list, item } of append) {
        const found = changed.get(list);
        const items = isSeq(found) ? found : changed.createNode([]);
        if (found !== items) changed.set(list, items);
        if (items.items.length === 0) items.flow = false;
        items.add(changed.createNode(item));
      }
      return changed.toString({ lineWidth: 0 });
    },
  };

  function lineOf(path: DataPath): number | undefined {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
        return lineAt(Number(node.range[0]));
      }
    }
    return undefined;
  }
}

/** The maximum size of a file in bytes. Without this limit, a device or a very large file could exhaust the memory. */
const maxBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;

/**
 * Returns the reason why a file cannot be read, with a remedy. The reason does not quote the message of the error,
 * which contains the path: a user may have entered a key as the path.
 */
export function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : 'unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'the file does not exist. Check the path.';
  if (code === 'EISDIR') return 'it is a folder. Choose a file in it.';
  return `the file cannot be read (${code}). Check the path and its permissions.`;
}

/**
 * Reads a YAML or JSON file. `shownAs` is the path for messages. Throws a `DataFileError` if the file cannot be read
 * or is larger than 1 MiB, or if its text is invalid.
 */
export function readDataFile(path: string, shownAs: string = path): DataFile {
  let text: string | undefined;
  try {
    text = readUpTo(maxBytes, path);
  } catch (cause) {
    throw new DataFileError(shownAs, undefined, describeReadError(cause));
  }
  if (text === undefined)
    throw new DataFileError(
      shownAs,
      undefined,
      `the file is larger than ${maxBytes / 1024 / 1024} MiB. Split the file, or check the path.`,
    );
  return parseDataFile(shownAs, text);
}

/** Returns the text of a file or pipe; undefined if the text has more than `most` bytes. Throws if reading fails. */
function readUpTo(most: number, path: string): string | undefined {
  const fd = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; length <= most; ) {
      const piece = Buffer.alloc(pieceBytes);
      const read = readSync(fd, piece);
      if (read === 0) return Buffer.concat(pieces).toString('utf8');
      pieces.push(piece.subarray(0, read));
      length += read;
    }
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/**
 * Compares two paths by their first difference. A path comes before all longer paths that begin with the same parts.
 */
function compare(a: DataPath, b: DataPath): number {
  const index = a.findIndex((part, at) => part !== b[at]);
  if (index < 0 || index === b.length) return a.length - b.length;
  const [first, second] = [a[index], b[index]];
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return String(first) < String(second) ? -1 : 1;
}

/** Formats a value as YAML on one line. Characters outside printable ASCII are escaped. */
export function formatYamlLine(value: unknown): string {
  const style = {
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
    collectionStyle: typeof value === 'object' ? 'flow' : 'any',
  } as const;
  const text = stringify(value, style).trimEnd();
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const quoted = stringify(value, {
    ...style,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'QUOTE_DOUBLE',
  });
  return quoted
    .trimEnd()
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
