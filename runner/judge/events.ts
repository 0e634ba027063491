import { list, mapping } from '../../contract/mapping.ts';
import type { Answer } from '../transport/exchange.ts';
import { hasValueInside } from './locate.ts';

/** One event of an event stream. */
export interface StreamEvent {
  readonly name: string | undefined;
  readonly data: string;
}

/** Reads the events of a complete event stream. Accepts any kind of line break, and ignores comments. */
export function readEvents(text: string): StreamEvent[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n\r\n|\n\n|\r\r/)
    .flatMap((block) => {
      let name: string | undefined;
      const data: string[] = [];
      for (const line of block.split(/\r\n|\n|\r/)) {
        // `s`: a text can contain U+2028, which is not a line break in a stream.
        const field = /^(event|data)(?:: ?(.*))?$/s.exec(line);
        if (field?.[1] === 'event') name = field[2];
        if (field?.[1] === 'data') data.push(field[2] ?? '');
      }
      return name === undefined && data.length === 0 ? [] : [{ name, data: data.join('\n') }];
    });
}

/** Matches every text that reports an error, even if escaped. Most texts don't match and need no parsing. */
const mayReportError = /error|fail|code|\\u/i;

/** Whether the body of a streamed response reports an error: in an event, in the body as JSON, or in a line of JSON. */
export function reportsError(text: string): boolean {
  return (
    mayReportError.test(text) &&
    (readEvents(text).some(({ name = '', data }) => namesFailure(name) || isError(data)) ||
      [...new Set([text, ...text.split(/\r\n|\n|\r/)])].some(isError))
  );
}

/**
 * Matches the beginning of a JSON object or array. Other texts are not parsed, since `JSON.parse` is slow to reject them.
 */
const mayHaveMembers = /^\s*[{[]/;

/** Whether the text is JSON with an error at any depth. The specification does not define the format (7.3 rule 4). */
function isError(text: string): boolean {
  if (!mayHaveMembers.test(text)) return false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return hasValueInside(value, (item) => hasError(mapping(item)));
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

/** Whether a `code` next to a message shows an error: a non-empty text, or a number of 400 or more. */
function isFailureCode(code: unknown): boolean {
  return typeof code === 'number' ? code >= 400 : typeof code === 'string' && code !== '';
}

/** Counts the parts of a streamed body: its events, the items of its JSON array, or its lines. */
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

/** Matches the end of a stream in each protocol: a marker, the type of the last event, or the reason why the output ends. */
const streamEnd =
  /^data: ?\[DONE\]|"type"\s*:\s*"(message_stop|response\.(completed|incomplete|failed))"|"finish_?reason"\s*:\s*"/im;

/**
 * Whether a recorded stream is complete. If it is not, the client may have stopped reading, or the gateway may have ended
 * the stream early.
 */
export function hasStreamEnd(text: string): boolean {
  return streamEnd.test(text);
}

/** The content of a response to a streamed call: output of a model, otherwise an error in any form, otherwise neither. */
export type StreamContent = 'output' | 'error' | 'neither';

/** The content of each response, since several requirements need the content of the same response. */
const classified = new WeakMap<Pick<Answer, 'text'>, StreamContent>();

/**
 * Classifies the body of a response with a 2xx status. An error in an undocumented form is recognized by the words and
 * phrases in `errorWords`.
 */
export function classifyStream(answer: Pick<Answer, 'text'>, errorWords: readonly string[]): StreamContent {
  const content = classified.get(answer) ?? classifyText(answer.text, errorWords);
  classified.set(answer, content);
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
      : Object.entries(mapping(item)).some(
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

/** Whether a member reports that the request failed: `status_code: 1004`, `error_code: 17`, `success: false`. */
function isFailedStatus(name: string, value: unknown): boolean {
  if (/^(success|ok)$/i.test(name)) return value === false;
  const isStatus = wordsOf(name).some((word) => word === 'code' || word === 'status');
  return isStatus && typeof value === 'number' && value !== 0 && (value < 200 || value >= 400);
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === false || value === '' || value === 0;
}

/** Splits a name or a sentence into its words, in lower case: `ErrorMsg` into `error` and `msg`. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]/);
}

/** The members that contain model output in each protocol, in streams and in plain responses. `*` stands for every item. */
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

/** Extracts the model output of a response in any documented protocol; undefined if no member for output exists. */
export function extractOutputText(body: string): string | undefined {
  const pieces = documentsOf(body).flatMap(outputOf);
  return pieces.length === 0 ? undefined : pieces.join('');
}

/** Whether a text is so short that a model may write it in one piece. */
export function isOneWord(text: string): boolean {
  return text.length <= 12 && text.trim().split(/\s+/).length <= 1;
}

function outputOf(document: unknown): string[] {
  const members = mapping(document);
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
    found = found.flatMap((item) => (name === '*' ? list(item) : [mapping(item)[name]]));
  return found;
}

function documentsOf(body: string): readonly unknown[] {
  const events = readEvents(body).filter(({ data }) => data !== '');
  if (events.length > 0) return events.flatMap(({ data }) => parse(data));
  const [whole] = parse(body);
  if (whole !== undefined) return Array.isArray(whole) ? list(whole) : [whole];
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
