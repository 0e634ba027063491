import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { HarValue } from './har-outline.ts';
import { createHarReader } from './parse-har.ts';
import { readHarEntry } from './read-har-entry.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

export type RecordingItem =
  | { readonly kind: 'exchange'; readonly recorded: RecordedExchange }
  /** The entry is not an exchange, such as a line of a log. */
  | { readonly kind: 'invalid-entry'; readonly place: string; readonly problem: string }
  /** A line or an entry that cannot be read. The rest of the recording can be read. */
  | { readonly kind: 'lost'; readonly place: string; readonly problem: string }
  /** A member of the HAR that applies to all entries. */
  | { readonly kind: 'metadata'; readonly name: string; readonly value: unknown }
  /** The rest of the recording cannot be read. */
  | { readonly kind: 'broken'; readonly place: string; readonly problem: string };

const detectionBytes = 64 * 1024;
const formats = 'Expected HAR 1.2, or NDJSON with one exchange per line.';

/** The formats of other tools: a pattern for the beginning of a file, and a description with a remedy. */
const otherFormats: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*\[\s*\{[^[]{0,2000}"(actualPort|durations|sessionOpened)"\s*:/,
    'a session of Charles. Use File > Export Session as HTTP Archive (.har)',
  ],
  [/^\s*\{\s*"_type"\s*:\s*"export"|"__export_format"\s*:/, 'an export of Insomnia. Use `conformance proxy`'],
  [/^\s*\{\s*"info"\s*:\s*\{[^{]*"_postman_id"\s*:/, 'a collection of Postman. Use `conformance proxy`'],
  [/^\s*\{\s*"collection"\s*:\s*\{/, 'a report of Newman. Use `conformance proxy`'],
];

/**
 * Reads HAR 1.2, or NDJSON with a HAR entry or an exchange of this suite's JSON report on each line. Both formats may
 * be gzipped once. Yields the items that each piece of the file completes. Iterate over these items before you
 * request the next items. `name` is the name of the recording in messages. An error with a `code` becomes a `broken`
 * item. Any other error is thrown. `isUnpacked`: whether the bytes were gzipped.
 */
export async function* readRecording(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  { isUnpacked = false }: { readonly isUnpacked?: boolean } = {},
): AsyncGenerator<Iterable<RecordingItem>> {
  const broken = (problem: string): RecordingItem[] => [{ kind: 'broken', place: name, problem }];
  const pieces = bytes[Symbol.asyncIterator]();
  try {
    const start = await readStart(pieces);
    const text = start.toString('utf8').replace(/^\uFEFF/, '');
    const isGzip = start[0] === 0x1f && start[1] === 0x8b;
    const [, other] = otherFormats.find(([beginning]) => beginning.test(text)) ?? [];
    if (text.trim() === '') yield broken(`the recording is empty. ${formats}`);
    // A gzip file can contain a copy of itself, so the decompression of all levels might never end.
    else if (isGzip && isUnpacked)
      yield broken('the recording is compressed twice. Decompress the file once.');
    else if (isGzip) {
      // The reader gets the errors from the stream.
      const unpacked = pipeline(Readable.from(prepend(start, pieces)), createGunzip(), () => {});
      yield* readRecording(unpacked, name, { isUnpacked: true });
    } else if (other !== undefined) yield broken(`the file is ${other} instead.`);
    else if (start[0] === 0xff || start[0] === 0xfe || text.startsWith('{\0'))
      yield broken(`the recording is encoded in UTF-16. Save the recording in UTF-8. ${formats}`);
    else if (/^\s*\[/.test(text))
      yield broken(
        `the recording is a JSON array. Write each exchange on its own line: \`jq -c '.[]' FILE | conformance check -\`.`,
      );
    else if (!/^\s*\{/.test(text)) yield broken(`the file does not begin with "{". ${formats}`);
    else if (isNdjson(text)) yield* readLines(prepend(start, pieces), name);
    else yield* readHar(prepend(start, pieces), name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    yield broken(describeReadError(String(error.code), error.message));
  } finally {
    await pieces.return?.();
  }
}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist. Check the path.',
  EISDIR: 'the path is a folder. Name the files in this folder.',
  EACCES: 'the current user has no permission to read the file. Change the permissions of the file.',
  Z_DATA_ERROR: 'the compressed data is damaged. Save the recording again.',
  Z_BUF_ERROR: 'the compressed data is incomplete. The file may have been cut off. Save the recording again.',
};

function describeReadError(code: string, message: string): string {
  return readErrors[code] ?? `the file cannot be read (${message}). Check the path and its permissions.`;
}

/** Reads enough of the beginning of a recording to detect the format. Removes a byte order mark. */
async function readStart(pieces: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < detectionBytes) {
    const { value, done } = await pieces.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  return start.subarray(start.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0);
}

async function* prepend(start: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

/** Whether a text is the beginning of NDJSON. One of the first two lines may be damaged. */
function isNdjson(text: string): boolean {
  if (/^\s*\{\s*"log"\s*:/.test(text)) return false;
  const lines = text.trimStart().split('\n', 2).map(parseLine);
  const values = lines.map((line) => ('value' in line ? line.value : undefined));
  if (values.some((value) => typeof value === 'object' && value !== null && !('log' in value))) return true;
  // If the text ends within the first line, this line contains a whole HAR or one exchange of NDJSON.
  return lines.length === 1 && text.length >= detectionBytes / 2 && !/"log"\s*:\s*\{/.test(text);
}

async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Iterable<RecordingItem>> {
  function* itemsOf(lines: Iterable<NumberedLine>): Generator<RecordingItem> {
    for (const { number, text } of lines) {
      const place = `${name}:${number}`;
      if (text === undefined) {
        yield { kind: 'lost', place, problem: 'the line is longer than 64 MiB' };
        continue;
      }
      const line = text.replace(/^\uFEFF/, '').trim();
      if (line !== '') yield createItem(parseLine(line), place, false);
    }
  }
  const lines = splitLines();
  for await (const piece of bytes) yield itemsOf(lines.read(piece));
  const rest = [...itemsOf(lines.end())];
  yield rest;
  // A recorder that was stopped may leave a line without a line feed.
  if (rest.some((item) => item.kind === 'lost' && item.problem === notJson)) {
    const problem =
      'the last line is incomplete. The recording may have been cut off. Save the recording again.';
    yield [{ kind: 'broken', place: name, problem }];
  }
}

const notJson = 'the line is not valid JSON';

function parseLine(line: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(line) };
  } catch {
    // The message of the parser quotes the line, which may contain a key.
    return { problem: notJson };
  }
}

function createItem(
  read: { readonly value: unknown } | { readonly problem: string },
  place: string,
  isExchange: boolean,
): RecordingItem {
  if ('problem' in read) return { kind: 'lost', place, problem: read.problem };
  const entry = readHarEntry(read.value, place, isExchange);
  return entry.kind === 'exchange' ? entry : { ...entry, place };
}

async function* readHar(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Iterable<RecordingItem>> {
  let number = 0;
  let isHar = false;
  let hasCreator = false;
  function* itemsOf(values: Iterable<HarValue>): Generator<RecordingItem> {
    for (const found of values) {
      if (found.kind === 'broken') {
        const after = number === 0 ? '' : `, after entry ${number}`;
        yield { kind: 'broken', place: `${name}${after}`, problem: found.problem };
        return;
      }
      isHar = true;
      if (found.kind === 'metadata') {
        hasCreator ||= found.name === 'creator';
        yield found;
      } else {
        // If `creator` follows the entries, the recorder is still unknown here, and may have removed the credentials.
        if (!hasCreator) yield { kind: 'metadata', name: 'creator', value: undefined };
        hasCreator = true;
        number += 1;
        yield createItem({ value: found.value }, `${name} entry ${number}`, true);
      }
    }
  }
  const har = createHarReader();
  for await (const piece of bytes) {
    yield itemsOf(har.read(piece));
    if (har.isOver()) break;
  }
  const rest = [...itemsOf(har.end())];
  yield isHar || rest.length > 0
    ? rest
    : [{ kind: 'broken', place: name, problem: `\`log.entries\` is missing or empty. ${formats}` }];
}

/** A line of a text, numbered from 1. `text` is undefined if the line is too long. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string | undefined;
}

const maxLineBytes = 64 * 1024 * 1024;
const lineEnd = 0x0a;

/** Splits a stream into lines. Stores at most one line. The text of a line longer than `maxBytes` is discarded. */
export function splitLines(maxBytes: number = maxLineBytes): {
  /** Returns the lines that end in this piece. */
  readonly read: (piece: Uint8Array) => Iterable<NumberedLine>;
  /** Returns the text after the last line end as a line; nothing if that text is empty. */
  readonly end: () => Iterable<NumberedLine>;
} {
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > maxBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const createLine = (): NumberedLine => ({
    number,
    text: length > maxBytes ? undefined : Buffer.concat(pieces).toString('utf8'),
  });
  return {
    *read(piece) {
      let start = 0;
      for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, start)) {
        add(piece.subarray(start, end));
        yield createLine();
        [pieces, length, start] = [[], 0, end + 1];
        number += 1;
      }
      add(piece.subarray(start));
    },
    *end() {
      if (length > 0) yield createLine();
    },
  };
}
