import { mapping } from '../../contract/mapping.ts';
import { hasValueInside } from './locate.ts';

/** One event of an event stream. */
export interface StreamEvent {
  readonly name: string | undefined;
  readonly data: string;
}

/** The events of a stream that has ended, whatever its line ends; comments are left out. */
export function readEvents(text: string): StreamEvent[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n\r\n|\n\n|\r\r/)
    .flatMap((block) => {
      let name: string | undefined;
      const data: string[] = [];
      for (const line of block.split(/\r\n|\n|\r/)) {
        // A line may hold separators of lines that are none in a stream, as U+2028 in a text.
        const field = /^(event|data)(?:: ?(.*))?$/s.exec(line);
        if (field?.[1] === 'event') name = field[2];
        if (field?.[1] === 'data') data.push(field[2] ?? '');
      }
      return name === undefined && data.length === 0 ? [] : [{ name, data: data.join('\n') }];
    });
}

/** What stands in every text that tells of an error, be it as an escape; most have nothing of it. */
const mayTellOfError = /error|fail|code|\\u/i;

/** Whether the body of a streamed answer tells of an error: in an event, as plain JSON, or in a line of JSON. */
export function reportsError(text: string): boolean {
  return (
    mayTellOfError.test(text) &&
    (readEvents(text).some(({ name = '', data }) => saysFailed(name) || isError(data)) ||
      [...new Set([text, ...text.split(/\r\n|\n|\r/)])].some(isError))
  );
}

/** What an object or a list begins with; to find out of others why they are none takes long. */
const mayHaveMembers = /^\s*[{[]/;

/** Whether the text is JSON that has an error in it, at any depth: its format in a stream is not stated (7.3 rule 4). */
function isError(text: string): boolean {
  if (!mayHaveMembers.test(text)) return false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return hasValueInside(value, (item) => standsForError(mapping(item)));
}

function standsForError(entry: Readonly<Record<string, unknown>>): boolean {
  const { error, type, finish_reason: end, code, message } = entry;
  return (
    (error !== undefined && error !== null && error !== false && error !== '') ||
    saysFailed(type) ||
    saysFailed(end) ||
    (isFailureCode(code) && typeof message === 'string')
  );
}

/** `error`, `response.failed`, `invalid_request_error`. */
function saysFailed(text: unknown): boolean {
  return typeof text === 'string' && /(^|[._-])(error|failed|failure)$/i.test(text);
}

/** Beside a message: an error's name or number, and not the number that says that all is well. */
function isFailureCode(code: unknown): boolean {
  return typeof code === 'number' ? code >= 400 : typeof code === 'string' && code !== '';
}

/** How many parts a streamed body has: events, or the items of a JSON array. */
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
