import type { HarValue } from './har-outline.ts';
import { openHar } from './parse-har.ts';
import { readEntry } from './read-har-entry.ts';
import type { Recorded } from './recorded-exchange.ts';

/** What comes out of a recording, one after the other. */
export type RecordingItem =
  | { readonly kind: 'exchange'; readonly recorded: Recorded }
  /** An entry that can't be read; those after it can. */
  | { readonly kind: 'no-exchange'; readonly place: string; readonly problem: string }
  /** What the log says of all of its entries. */
  | { readonly kind: 'about'; readonly name: string; readonly value: unknown }
  /** Nothing that comes after it can be read. */
  | { readonly kind: 'broken'; readonly place: string; readonly problem: string };

/** How much is looked at to tell what a file is, in bytes. */
const lookBytes = 64 * 1024;
const formats = 'A recording is a HAR 1.2, or NDJSON with an exchange on each line.';

/**
 * The exchanges of a HAR 1.2, or of NDJSON with an entry of HAR or an exchange of our JSON report on each line, as they
 * are read: for each piece of the file what is complete with it, made when it is asked for and before the next piece is.
 * `name` stands in the place of what is told.
 */
export async function* readRecording(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Iterable<RecordingItem>> {
  const broken = (problem: string): RecordingItem[] => [{ kind: 'broken', place: name, problem }];
  const pieces = bytes[Symbol.asyncIterator]();
  try {
    const start = await firstOf(pieces);
    const text = start.toString('utf8').replace(/^\uFEFF/, '');
    if (text.trim() === '') yield broken(`It is empty. ${formats}`);
    else if (start[0] === 0x1f && start[1] === 0x8b)
      yield broken('It is packed with gzip. Unpack it first: `gunzip -c FILE | conformance check -`.');
    else if (start[0] === 0xff || start[0] === 0xfe || text.startsWith('{\0'))
      yield broken(`It is in UTF-16. Save it as UTF-8. ${formats}`);
    else if (/^\s*\[/.test(text))
      yield broken(
        `It is a list. Write each of its exchanges on a line of its own: \`jq -c '.[]' FILE | conformance check -\`.`,
      );
    else if (!/^\s*\{/.test(text)) yield broken(`It does not begin with "{". ${formats}`);
    else if (isNdjson(text)) yield* readLines(following(start, pieces), name);
    else yield* readHar(following(start, pieces), name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    yield broken(unreadable(String(error.code), error.message));
  } finally {
    await pieces.return?.();
  }
}

const unreadableFor: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'It is a directory. Name the files in it.',
  EACCES: 'It may not be read. Ask for the right to.',
};

function unreadable(code: string, message: string): string {
  return unreadableFor[code] ?? `It can't be read: ${message}`;
}

/** Enough of the beginning to tell what it is. */
async function firstOf(pieces: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < lookBytes) {
    const { value, done } = await pieces.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  return start.subarray(start.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0);
}

async function* following(start: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

/** Whether the first line is a whole value that is no HAR; the one line of a small HAR is such a value, too. */
function isNdjson(text: string): boolean {
  if (/^\s*\{\s*"log"\s*:/.test(text)) return false;
  try {
    const first: unknown = JSON.parse(text.trimStart().split('\n', 1)[0] ?? '');
    return typeof first === 'object' && first !== null && !('log' in first);
  } catch {
    // A first line that is longer than what was looked at has all of a HAR in it, or one exchange.
    return !text.includes('\n') && text.length >= lookBytes / 2 && !/"log"\s*:\s*\{/.test(text);
  }
}

async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Iterable<RecordingItem>> {
  let last = '';
  function* itemsOf(lines: Iterable<Line>): Generator<RecordingItem> {
    for (const { number, text } of lines) {
      const place = `${name}:${number}`;
      if (text === undefined) {
        yield { kind: 'no-exchange', place, problem: 'The line is longer than 64 MiB' };
        continue;
      }
      last = text.replace(/^\uFEFF/, '').trim();
      if (last !== '') yield itemOf(parsed(last), place);
    }
  }
  const lines = splitLines();
  for await (const piece of bytes) yield itemsOf(lines.read(piece));
  yield itemsOf(lines.end());
  // A recorder that is stopped leaves half of a line.
  if (last !== '' && 'problem' in parsed(last))
    yield [
      {
        kind: 'broken',
        place: name,
        problem: 'Its last line is no whole exchange; it may have been cut off.',
      },
    ];
}

function parsed(line: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(line) };
  } catch {
    // What the parser says quotes the line, which may have a key in it.
    return { problem: 'The line is no JSON' };
  }
}

function itemOf(
  read: { readonly value: unknown } | { readonly problem: string },
  place: string,
): RecordingItem {
  if ('problem' in read) return { kind: 'no-exchange', place, problem: read.problem };
  const entry = readEntry(read.value, place);
  return entry.kind === 'exchange' ? entry : { ...entry, place };
}

async function* readHar(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Iterable<RecordingItem>> {
  let number = 0;
  let isHar = false;
  function* itemsOf(values: Iterable<HarValue>): Generator<RecordingItem> {
    for (const found of values) {
      if (found.kind === 'broken') {
        const after = number === 0 ? '' : `, behind entry ${number}`;
        yield { kind: 'broken', place: `${name}${after}`, problem: found.problem };
        return;
      }
      isHar = true;
      if (found.kind === 'about') yield found;
      else {
        number += 1;
        yield itemOf({ value: found.value }, `${name} entry ${number}`);
      }
    }
  }
  const har = openHar();
  for await (const piece of bytes) {
    yield itemsOf(har.read(piece));
    if (har.isOver()) break;
  }
  const rest = [...itemsOf(har.end())];
  yield isHar || rest.length > 0
    ? rest
    : [{ kind: 'broken', place: name, problem: `It has no \`log.entries\`. ${formats}` }];
}

/** A line of a text, from 1; without its text where that is longer than can be kept. */
export interface Line {
  readonly number: number;
  readonly text: string | undefined;
}

/** The longest line that is kept, in bytes. */
const longestLine = 64 * 1024 * 1024;
const lineEnd = 0x0a;

/** The lines of a text while it comes; never more than one of them is kept, and of one that is too long nothing. */
export function splitLines(longest: number = longestLine): {
  /** The lines that end in that piece. */
  readonly read: (piece: Uint8Array) => Iterable<Line>;
  /** What stands behind the last line end. */
  readonly end: () => Iterable<Line>;
} {
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > longest) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const line = (): Line => ({
    number,
    text: length > longest ? undefined : Buffer.concat(pieces).toString('utf8'),
  });
  return {
    *read(piece) {
      let start = 0;
      for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, start)) {
        add(piece.subarray(start, end));
        yield line();
        [pieces, length, start] = [[], 0, end + 1];
        number += 1;
      }
      add(piece.subarray(start));
    },
    *end() {
      if (length > 0) yield line();
    },
  };
}
