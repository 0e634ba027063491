import { mapping } from '../../contract/mapping.ts';
import { hasValueInside } from './locate.ts';

/** One event of an event stream. */
export interface StreamEvent {
  readonly name: string | undefined;
  readonly data: string;
}

/** Reads the events of a complete stream with any kind of line break, without comments. */
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

/** Matches every text that reports an error, also if it is escaped. Most texts don't match and need no parsing. */
const mayReportError = /error|fail|code|\\u/i;

/** Whether the body of a streamed response reports an error: in an event, as JSON, or in a line of JSON. */
export function reportsError(text: string): boolean {
  return (
    mayReportError.test(text) &&
    (readEvents(text).some(({ name = '', data }) => namesFailure(name) || isError(data)) ||
      [...new Set([text, ...text.split(/\r\n|\n|\r/)])].some(isError))
  );
}

/** The beginning of an object or a list. `JSON.parse` takes long to reject other texts. */
const mayHaveMembers = /^\s*[{[]/;

/** Whether the text is JSON with an error at any depth. The specification does not show the format (7.3 rule 4). */
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
    (error !== undefined && error !== null && error !== false && error !== '') ||
    namesFailure(type) ||
    namesFailure(end) ||
    (isFailureCode(code) && typeof message === 'string')
  );
}

function namesFailure(text: unknown): boolean {
  return typeof text === 'string' && /(^|[._-])(error|failed|failure)$/i.test(text);
}

/** Whether a value is the name of an error, or a number that is not that of a success. Counts only next to a message. */
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
