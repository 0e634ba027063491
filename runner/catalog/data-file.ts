import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';

/** A file of ours or of the user's that can't be used: names the file, the line and the remedy. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  readonly file: string;
  readonly line: number | undefined;

  constructor(file: string, line: number | undefined, problem: string) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${problem}`);
    this.file = file;
    this.line = line;
  }
}

/** A parsed YAML file that can say on which line a value stands. */
export interface DataFile {
  readonly file: string;
  readonly value: unknown;
  /** The error for a value of this file, found by its path of keys and indexes. */
  readonly error: (path: readonly (string | number)[], problem: string) => DataFileError;
}

/** Parses YAML text; throws DataFileError with the line where it isn't YAML. */
export function parseDataFile(file: string, text: string): DataFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = document.errors;
  if (problem) throw new DataFileError(file, lines.linePos(problem.pos[0]).line, problem.message);
  return {
    file,
    value: document.toJS(),
    error: (path, message) => new DataFileError(file, lineOf(path), message),
  };

  function lineOf(path: readonly (string | number)[]): number | undefined {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
        return lines.linePos(Number(node.range[0])).line;
      }
    }
    return undefined;
  }
}

/** Reads and parses a YAML file; throws DataFileError where it can't be read or isn't YAML. */
export function readDataFile(path: string, shownAs: string = path): DataFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new DataFileError(
      shownAs,
      undefined,
      missing ? 'there is no such file' : `can't be read: ${String(cause)}`,
    );
  }
  return parseDataFile(shownAs, text);
}
