import { mapping } from '../catalog/mapping.ts';

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

/** Whether the body of a streamed answer tells of an error: in an event, as plain JSON, or in a line of JSON. */
export function tellsOfError(text: string): boolean {
  return (
    readEvents(text).some((event) => event.name === 'error' || isError(event.data)) ||
    isError(text) ||
    text.split(/\r\n|\n|\r/).some(isError)
  );
}

/** Whether the text is JSON that stands for an error: it has `error`, or is of the type `error`. */
function isError(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  const entries = Array.isArray(value) ? value : [value];
  return entries.some((entry) => {
    const { error, type, response } = mapping(entry);
    const failed = mapping(response).error;
    return (
      (error !== undefined && error !== null) ||
      type === 'error' ||
      type === 'response.failed' ||
      (failed !== undefined && failed !== null)
    );
  });
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
