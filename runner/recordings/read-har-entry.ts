import { mapping } from '../../contract/mapping.ts';
import type { Result } from '../transport/exchange.ts';
import { numberOf, receivedBody, sentBody, textOf } from './read-har-body.ts';
import type { HeaderLine, Recorded, RecordedNotes } from './recorded-exchange.ts';

/** An exchange, or why a value is none. */
export type ReadEntry =
  | { readonly kind: 'exchange'; readonly recorded: Recorded }
  | { readonly kind: 'no-exchange'; readonly problem: string };

/** Reads an entry of HAR 1.2, or an exchange as our JSON report has it; total over any JSON value. */
export function readEntry(value: unknown, id: string): ReadEntry {
  const entry = mapping(value);
  const request = mapping(entry.request);
  const { method, url } = request;
  if (entry._fromCache !== undefined) return noExchange('it came out of a cache');
  if (typeof method !== 'string' || method === '') return noExchange('`request.method` is missing');
  if (typeof url !== 'string' || url === '') return noExchange('`request.url` is missing');
  const response = mapping(entry.response);
  if (entry.response !== null && entry.response !== undefined && typeof response.status !== 'number')
    return noExchange('`response.status` is no number');
  const [sent, received] = [readHeaders(request.headers), readHeaders(response.headers)];
  if (!sent) return noExchange('`request.headers` holds something that is no header');
  if (!received) return noExchange('`response.headers` holds something that is no header');
  const notes = readNotes(entry);
  return {
    kind: 'exchange',
    recorded: {
      id: notes ? (textOf(entry._id) ?? textOf(entry.id) ?? id) : id,
      request: {
        method: method.toUpperCase(),
        url,
        headers: sent,
        ...(hasHeaders(request) || (isList(request.headers) && hasHeaders(response)) ? {} : headersLost),
        ...sentBody(request, sent, { isOwn: notes !== undefined }),
      },
      result: readResult(entry, response, received, { isOwn: notes !== undefined }),
      startedAt: timeOf(entry.startedDateTime ?? entry.startedAt),
      durationMs: Math.max(0, numberOf(entry.time ?? entry.durationMs) ?? 0),
      notes,
    },
  };
}

function noExchange(problem: string): ReadEntry {
  return { kind: 'no-exchange', problem };
}

const headersLost = { headersLost: true } as const;

function isList(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Whether there is any header, be it a pseudo-header: no message goes over a wire without one. */
function hasHeaders({ headers }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(headers) ? headers.length > 0 : Object.keys(mapping(headers)).length > 0;
}

/** A list of names and values, as HAR has it, or an object; pseudo-headers of HTTP/2 are none. Undefined for other things. */
function readHeaders(value: unknown): HeaderLine[] | undefined {
  const lines: HeaderLine[] = [];
  if (!Array.isArray(value)) {
    const members = Object.entries(mapping(value));
    return members.every(([name, given]) => addHeader(lines, name, given)) ? lines : undefined;
  }
  for (const item of value) {
    const { name, value: given } = mapping(item);
    if (!addHeader(lines, name, given)) return undefined;
  }
  return lines;
}

/** Gives whether it is a header. */
function addHeader(lines: HeaderLine[], name: unknown, given: unknown): boolean {
  if (Array.isArray(given)) return given.every((one) => !Array.isArray(one) && addHeader(lines, name, one));
  if (typeof name !== 'string' || (typeof given !== 'string' && typeof given !== 'number')) return false;
  if (!name.startsWith(':')) lines.push([name.toLowerCase(), String(given)]);
  return true;
}

function readResult(
  entry: Readonly<Record<string, unknown>>,
  response: Readonly<Record<string, unknown>>,
  lines: readonly HeaderLine[],
  whose: { readonly isOwn: boolean },
): Result {
  const status = Number(response.status ?? 0);
  if (!Number.isInteger(status) || status < 100 || status > 599) {
    const detail =
      textOf(response._error ?? response._failureText) ??
      textOf(mapping(entry.failure).detail) ??
      'the recording has no answer';
    return { kind: 'failure', failure: { reason: 'other', detail } };
  }
  const headers = joinHeaders(lines);
  const pieces = numberOf(response._pieces ?? response.pieces) ?? 1;
  return {
    kind: 'answer',
    answer: { status, headers, ...receivedBody(response, status, headers, whose), pieces },
  };
}

/** One value for each name; a header that was sent twice with the same value says it once. */
export function joinHeaders(lines: readonly HeaderLine[]): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of lines) {
    if (name === '__proto__' || Object.hasOwn(joined, name)) return joinRepeated(lines);
    joined[name] = value;
  }
  return joined;
}

function joinRepeated(lines: readonly HeaderLine[]): Record<string, string> {
  const values = new Map<string, string[]>();
  for (const [name, value] of lines) {
    const known = values.get(name);
    if (!known) values.set(name, [value]);
    else if (!known.includes(value)) known.push(value);
  }
  return Object.fromEntries([...values].map(([name, known]) => [name, known.join(', ')]));
}

/** What this suite's own reports note of an exchange. */
function readNotes(entry: Readonly<Record<string, unknown>>): RecordedNotes | undefined {
  const noted = entry._facts ?? entry.facts;
  if (noted === undefined) return undefined;
  const facts = mapping(noted);
  if (Object.keys(facts).length === 0) return undefined;
  const controlAfter = entry._controlAfter ?? entry.controlAfter;
  const isControl = (entry._control ?? entry.control) === true;
  return {
    case: isControl ? undefined : textOf(entry._case),
    facts: Object.fromEntries(Object.entries(facts).map(([name, text]) => [name, String(text)])),
    model: textOf(entry._model ?? entry.model),
    controlAfter: controlAfter === 'succeeded' || controlAfter === 'failed' ? controlAfter : undefined,
  };
}

/** The last time that a date can show, in milliseconds since 1970. */
const lastTime = 8.64e15;

function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : (numberOf(value) ?? 0);
  return Math.abs(time) <= lastTime ? time : 0;
}
