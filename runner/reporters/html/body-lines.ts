import { format, type JSONPath, visit } from 'jsonc-parser';
import { pluralize } from '../../../common/lists.ts';
import { isDeeperThan } from '../../exchange/decode.ts';

/** A line of a message, with notes if the line differs from the expected response. */
export interface ShownLine {
  readonly text: string;
  readonly notes: readonly string[];
}

/**
 * The notes on each place of a response: `status`, `header NAME`, `body` for the whole body, or a JSON pointer into the
 * body.
 */
export type PlaceNotes = ReadonlyMap<string, readonly string[]>;

/** The limits of the part of a body that is shown. */
export interface Extent {
  readonly lines: number;
  /** The maximum number of characters of a line. */
  readonly width: number;
  /** The number of characters after which no further line is shown, except lines around notes. */
  readonly letters: number;
}

/** The number of lines that are shown before and after a line with notes. */
const contextLines = 3;
/** The maximum depth of JSON that is indented. Deeper JSON would consist mostly of indentation. */
const maxIndentedDepth = 40;

/**
 * Returns the lines of a body that fit into the limits. The first line, and lines with notes and the lines around
 * them, are always shown. Each gap becomes a line with the number of omitted lines. Lines that are too long are cut.
 * A JSON object or array is indented unless it is nested too deeply. Other text is unchanged. The note of a missing
 * member is on the line of the innermost parent that exists.
 */
export function formatBodyLines(text: string, notes: PlaceNotes, extent: Extent): ShownLine[] {
  const json = parseShallowJson(text);
  const isJson = json !== undefined;
  const whole = isJson ? indentJson(text, json) : text;
  const lines = whole.split('\n');
  const starts = isJson && notes.size > 0 ? startsOf(whole) : noStarts;
  const notesByLine = new Map<number, string[]>();
  for (const [place, said] of notes) {
    const line = lineOf(place, starts);
    notesByLine.set(line, [...(notesByLine.get(line) ?? []), ...said]);
  }
  const shown = selectFirstLines(lines, extent);
  for (const line of notesByLine.keys()) {
    for (let near = line - contextLines; near <= line + contextLines; near++)
      if (near in lines) shown.add(near);
  }
  return [...shown]
    .sort((a, b) => a - b)
    .flatMap((index, at, order) => [
      ...gap(index - (order[at - 1] ?? -1) - 1),
      { text: shorten(lines[index] ?? '', extent.width), notes: notesByLine.get(index) ?? [] },
      ...(at === order.length - 1 ? gap(lines.length - index - 1) : []),
    ]);
}

/**
 * Indents JSON. All characters except white space are unchanged. Text that equals the output of `JSON.stringify` is
 * indented by `JSON.stringify`, which is faster.
 */
function indentJson(text: string, value: object): string {
  return JSON.stringify(value) === text ? JSON.stringify(value, undefined, 2) : indentByTokens(text);
}

function indentByTokens(json: string): string {
  const pieces: string[] = [];
  let done = 0;
  // The edits are in the order of the text. Applying each edit to the whole text would take quadratic time.
  for (const { offset, length, content } of format(json, undefined, {
    insertSpaces: true,
    tabSize: 2,
    eol: '\n',
  })) {
    pieces.push(json.slice(done, offset), content);
    done = offset + length;
  }
  return pieces.join('') + json.slice(done);
}

const noStarts: ReadonlyMap<string, number> = new Map();

/** Returns the index of the line on which each JSON value begins, by JSON pointer. */
function startsOf(pretty: string): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  const note = (line: number, path: JSONPath): void => {
    const pointer = path
      .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('');
    if (!starts.has(pointer)) starts.set(pointer, line);
  };
  visit(pretty, {
    onObjectBegin: (_offset, _length, line, _character, path) => note(line, path()),
    onArrayBegin: (_offset, _length, line, _character, path) => note(line, path()),
    onLiteralValue: (_value, _offset, _length, line, _character, path) => note(line, path()),
  });
  return starts;
}

function parseShallowJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  if (isDeeperThan(maxIndentedDepth, text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lineOf(place: string, starts: ReadonlyMap<string, number>): number {
  if (!place.startsWith('/')) return 0;
  for (let pointer = place; pointer !== ''; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    const line = starts.get(pointer);
    if (line !== undefined) return line;
  }
  return 0;
}

/** Returns the indexes of the first lines that fit into the limits. The first line is always included. */
function selectFirstLines(lines: readonly string[], { lines: most, width, letters }: Extent): Set<number> {
  const shown = new Set<number>();
  let left = letters;
  for (const [index, line] of lines.entries()) {
    if (index > 0 && (index >= most || left <= 0)) break;
    shown.add(index);
    left -= Math.min(line.length, width) + 1;
  }
  return shown;
}

function gap(count: number): ShownLine[] {
  return count <= 0 ? [] : [{ text: `⋯ ${pluralize(count, 'more line')}`, notes: [] }];
}

function shorten(line: string, width: number): string {
  return line.length <= width
    ? line
    : `${line.slice(0, width).toWellFormed()}… (${pluralize(line.length - width, 'more character')} of this line)`;
}
