import { hasValueInside, toList, toMapping } from '../../common/mapping.ts';
import type { Answer } from './exchange.ts';

/** One event of an event stream. `name` is undefined if the event has no field `event`. */
export interface StreamEvent {
  readonly name: string | undefined;
  readonly data: string;
}

/**
 * Returns the events of a complete event stream. Accepts any kind of line break. Ignores comments and all fields other
 * than `event` and `data`.
 */
export function readEvents(text: string): StreamEvent[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n\r\n|\n\n|\r\r/)
    .flatMap((block) => {
      let name: string | undefined;
      const data: string[] = [];
      for (const line of block.split(/\r\n|\n|\r/)) {
        // The flag `s` lets `.` match U+2028, which is not a line break in an event stream.
        const field = /^(event|data)(?:: ?(.*))?$/s.exec(line);
        if (field?.[1] === 'event') name = field[2];
        if (field?.[1] === 'data') data.push(field[2] ?? '');
      }
      return name === undefined && data.length === 0 ? [] : [{ name, data: data.join('\n') }];
    });
}

/** Matches every text that may report an error, even if the letters are escaped. Other texts need no parsing. */
const mayReportError = /error|fail|code|\\u/i;

/**
 * Whether the body of a streamed response reports an error: in an event, in the body as one JSON value, or in a line of
 * JSON.
 */
export function reportsError(text: string): boolean {
  return (
    mayReportError.test(text) &&
    (readEvents(text).some(({ name = '', data }) => namesFailure(name) || isError(data)) ||
      [...new Set([text, ...text.split(/\r\n|\n|\r/)])].some(isError))
  );
}

/**
 * Matches the beginning of a JSON object or array. Other texts are not parsed, because `JSON.parse` is slow to reject
 * such texts.
 */
const mayHaveMembers = /^\s*[{[]/;

/**
 * Whether the text is JSON that contains an error at any depth. The specification does not define the format of this
 * error (7.3 rule 4).
 */
function isError(text: string): boolean {
  if (!mayHaveMembers.test(text)) return false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return hasValueInside(value, (item) => hasError(toMapping(item)));
}

function hasError(entry: Readonly<Record<string, unknown>>): boolean {
  const { error, type, finish_reason: end, code, message } = entry;
  return (
    !isBlank(error) ||
    namesFailure(type) ||
    namesFailure(end) ||
    (isFailureCode(code) && typeof message === 'string')
  );
}

function namesFailure(text: unknown): boolean {
  return typeof text === 'string' && /(^|[._-])(error|failed|failure)$/i.test(text);
}

/** Whether a `code` next to a message shows an error: a non-empty string, or a number of 400 or more. */
function isFailureCode(code: unknown): boolean {
  return typeof code === 'number' ? code >= 400 : typeof code === 'string' && code !== '';
}

/**
 * Returns the number of parts of a streamed body: the number of events with data. For a body without events with
 * data, returns the number of items of a JSON array, 1 for any other JSON, or the number of lines that are not empty.
 */
export function countParts(text: string): number {
  const events = readEvents(text).filter((event) => event.data !== '').length;
  if (events > 0) return events;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length : 1;
  } catch {
    return text.split('\n').filter((line) => line.trim() !== '').length;
  }
}

/**
 * Matches the end of a stream in each protocol: the marker `[DONE]`, the type of the last event, or the reason why the
 * output ends.
 */
const streamEnd =
  /^data: ?\[DONE\]|"type"\s*:\s*"(message_stop|response\.(completed|incomplete|failed))"|"finish_?reason"\s*:\s*"/im;

/**
 * Whether the text of a recorded stream contains the end of the stream. If the result is false, the client may have
 * stopped reading, or the gateway may have ended the stream early.
 */
export function hasStreamEnd(text: string): boolean {
  return streamEnd.test(text);
}

/**
 * The content of a response to a streamed call: model output, even if an error follows; an error without model output;
 * or neither.
 */
export type StreamContent = 'output' | 'error' | 'neither';

/** A cache of the content of each response, because several requirements need the content of the same response. */
const contentCache = new WeakMap<Pick<Answer, 'text'>, StreamContent>();

/**
 * Returns the content of a response to a streamed call. An error in an undocumented format is recognized by the words
 * and phrases of `errorWords`, or by a member such as `success: false`. `errorWords` must not vary between calls of
 * this function, because the results are cached.
 */
export function classifyStream(answer: Pick<Answer, 'text'>, errorWords: readonly string[]): StreamContent {
  const content = contentCache.get(answer) ?? classifyText(answer.text, errorWords);
  contentCache.set(answer, content);
  return content;
}

function classifyText(text: string, errorWords: readonly string[]): StreamContent {
  if ((extractOutputText(text) ?? '') !== '') return 'output';
  if (reportsError(text)) return 'error';
  const documents = documentsOf(text);
  const hasWord = (name: string): boolean => {
    const words = ` ${wordsOf(name).join(' ')} `;
    return errorWords.some((word) => words.includes(` ${word} `));
  };
  const isError = (item: unknown): boolean =>
    typeof item === 'string'
      ? hasWord(item)
      : Object.entries(toMapping(item)).some(
          ([name, value]) => (hasWord(name) && !isBlank(value)) || isFailedStatus(name, value),
        );
  const others = readEvents(text).flatMap(({ name = '', data }) =>
    mayHaveMembers.test(data) ? [name] : [name, data],
  );
  const plain = others.length === 0 && documents.length === 0 ? [text] : others;
  return documents.some((document) => hasValueInside(document, isError)) || plain.some(hasWord)
    ? 'error'
    : 'neither';
}

/** Whether a member reports a failed request: `status_code: 1004`, `error_code: 17`, `success: false`. */
function isFailedStatus(name: string, value: unknown): boolean {
  if (/^(success|ok)$/i.test(name)) return value === false;
  const isStatus = wordsOf(name).some((word) => word === 'code' || word === 'status');
  return isStatus && typeof value === 'number' && value !== 0 && (value < 200 || value >= 400);
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === false || value === '' || value === 0;
}

/** Splits a name or a sentence into its words in lower case: `ErrorMsg` into `error` and `msg`. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]/);
}

/**
 * The paths of the members that contain model output in each protocol, in streams and in plain responses. `*` stands
 * for every item of a list.
 */
const outputPlaces = [
  'choices.*.delta.content',
  'choices.*.delta.content.*.text',
  'choices.*.delta.reasoning_content',
  'choices.*.message.content',
  'choices.*.text',
  'delta.text',
  'delta.thinking',
  'content_block.text',
  'content.*.text',
  'output.*.content.*.text',
  'response.output.*.content.*.text',
  'candidates.*.content.parts.*.text',
].map((place) => place.split('.'));

/**
 * Returns the model output in the body of a plain or streamed response of any family; undefined if no member for output
 * contains a string.
 */
export function extractOutputText(body: string): string | undefined {
  const pieces = documentsOf(body).flatMap(outputOf);
  return pieces.length === 0 ? undefined : pieces.join('');
}

/** Whether a text has at most one word and at most 12 characters. A text of this length may arrive in one piece. */
export function isOneWord(text: string): boolean {
  return text.length <= 12 && text.trim().split(/\s+/).length <= 1;
}

function outputOf(document: unknown): string[] {
  const members = toMapping(document);
  const { type, delta } = members;
  if (type === 'response.output_text.delta' && typeof delta === 'string') return [delta];
  return outputPlaces
    .filter(([first = '']) => Object.hasOwn(members, first))
    .flatMap((place) => readAll(document, place))
    .filter((text) => typeof text === 'string');
}

function readAll(document: unknown, place: readonly string[]): readonly unknown[] {
  let found: readonly unknown[] = [document];
  for (const name of place)
    found = found.flatMap((item) => (name === '*' ? toList(item) : [toMapping(item)[name]]));
  return found;
}

function documentsOf(body: string): readonly unknown[] {
  const events = readEvents(body).filter(({ data }) => data !== '');
  if (events.length > 0) return events.flatMap(({ data }) => parse(data));
  const [whole] = parse(body);
  if (whole !== undefined) return Array.isArray(whole) ? toList(whole) : [whole];
  return body.split('\n').flatMap(parse);
}

function parse(text: string): unknown[] {
  if (!mayHaveMembers.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
