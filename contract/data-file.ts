import { closeSync, openSync, readSync } from 'node:fs';
import { prebuiltValue } from './prebuilt.ts';
import { isSeq, readYaml, stringify } from './read-yaml.ts';

/** An invalid YAML or JSON file, such as a profile. The message names the file, the line and what to do. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  /** The path of the file as the caller passed it. */
  readonly file: string;
  /** The line, counted from 1; undefined if the problem has no line, such as a missing file. */
  readonly line: number | undefined;

  constructor(file: string, line: number | undefined, problem: string) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${problem}`);
    this.file = file;
    this.line = line;
  }
}

/** The path of a value in a file: keys and indexes. */
export type DataPath = readonly (string | number)[];

/** The paths to remove from a file, and the values to append to its lists. */
export interface DataEdit {
  readonly remove: readonly DataPath[];
  readonly append: readonly { readonly list: string; readonly item: unknown }[];
}

/** A parsed YAML file with the line of each value. */
export interface DataFile {
  readonly file: string;
  readonly value: unknown;
  /** Whether the build parsed the file, and validated it if it is a part of the catalog. */
  readonly isPrebuilt: boolean;
  /** Creates an error with the line of a value. */
  readonly error: (path: DataPath, problem: string) => DataFileError;
  /** Returns the line of a value; if the value is absent, the line of the value that should contain it. */
  readonly lineOf: (path: DataPath) => number | undefined;
  /** Returns the text of the file after an edit. Comments and other values are kept, but spacing may change. */
  readonly edited: (edit: DataEdit) => string;
}

/** Parses YAML text. Throws DataFileError with the line if the text is not valid YAML. */
export function parseDataFile(file: string, text: string): DataFile {
  const value = prebuiltValue(text);
  return value === undefined
    ? parse(file, text)
    : { ...knownDataFile(file, value, () => text), isPrebuilt: true };
}

/**
 * Creates a data file from a value that is already parsed. `text` is called and parsed only when an error, a
 * line or an edit is needed.
 */
export function knownDataFile(file: string, value: unknown, text: () => string): DataFile {
  let parsed: DataFile | undefined;
  const whole = (): DataFile => {
    parsed ??= parse(file, text());
    return parsed;
  };
  return {
    file,
    value,
    isPrebuilt: false,
    error: (path, problem) => whole().error(path, problem),
    lineOf: (path) => whole().lineOf(path),
    edited: (edit) => whole().edited(edit),
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

/** The maximum size of a file, in bytes. Without a limit, a device or a wrong file could exhaust the memory. */
const largest = 1024 * 1024;
const pieceBytes = 64 * 1024;

/** Reads a YAML file. Throws DataFileError if the file cannot be read, is too large or is not valid YAML. */
export function readDataFile(path: string, shownAs: string = path): DataFile {
  let text: string | undefined;
  try {
    text = readUpTo(largest, path);
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new DataFileError(
      shownAs,
      undefined,
      missing
        ? 'the file does not exist. Check the path.'
        : `the file cannot be read (${cause instanceof Error && 'code' in cause ? cause.code : cause}). Check the path and its permissions.`,
    );
  }
  if (text === undefined)
    throw new DataFileError(
      shownAs,
      undefined,
      `the file is larger than ${largest / 1024 / 1024} MiB. Split it, or check that it is the right one.`,
    );
  return parseDataFile(shownAs, text);
}

/** Reads the text of a file, which may be a pipe. Returns undefined if the file has more than `most` bytes. */
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

/** Compares two paths for sorting. Items of a list are sorted by their indexes. */
function compare(a: DataPath, b: DataPath): number {
  const index = a.findIndex((part, at) => part !== b[at]);
  const [first, second] = [a[index] ?? '', b[index] ?? ''];
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return String(first) < String(second) ? -1 : 1;
}

/** Formats a value as YAML on one line, in printable ASCII. */
export function yamlLine(value: unknown): string {
  const style = {
    lineWidth: 0,
    blockQuote: false,
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
