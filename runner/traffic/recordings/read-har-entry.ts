import { toMapping } from '../../../common/mapping.ts';
import type { Result } from '../../exchange/exchange.ts';
import { asNumber, asText, readRequestBody, readResponseBody } from './read-har-body.ts';
import type { HeaderLine, RecordedExchange, RecordedNotes } from './recorded-exchange.ts';

/** An exchange, or the reason why a value is not an exchange or cannot be read. */
export type EntryResult =
  | { readonly kind: 'exchange'; readonly recorded: RecordedExchange }
  /** The value is not an exchange with the gateway, such as a line of a log or a response from a cache. */
  | { readonly kind: 'invalid-entry'; readonly problem: string }
  /** An exchange that cannot be read. */
  | { readonly kind: 'lost'; readonly problem: string };

/**
 * Reads an entry of HAR 1.2, or an exchange of this suite's JSON report. `id` is the ID of the exchange, unless a run
 * of this suite recorded an ID. If `isExchange` is true, an unreadable value counts as a lost exchange even if the
 * value has neither a request nor a response.
 */
export function readHarEntry(value: unknown, id: string, isExchange: boolean): EntryResult {
  const entry = toMapping(value);
  const invalidEntry = (problem: string): EntryResult => ({
    kind: isExchange || 'request' in entry || 'response' in entry ? 'lost' : 'invalid-entry',
    problem,
  });
  const request = toMapping(entry.request);
  const { method, url } = request;
  if (entry._fromCache !== undefined)
    return { kind: 'invalid-entry', problem: 'the response came from a cache' };
  if (typeof method !== 'string' || method === '') return invalidEntry('`request.method` is missing');
  if (typeof url !== 'string' || url === '') return invalidEntry('`request.url` is missing');
  const response = toMapping(entry.response);
  if (entry.response !== null && entry.response !== undefined && typeof response.status !== 'number')
    return invalidEntry('`response.status` is not a number');
  const [sent, received] = [readHeaders(request.headers), readHeaders(response.headers)];
  if (!sent) return invalidEntry('`request.headers` contains an invalid header');
  if (!received) return invalidEntry('`response.headers` contains an invalid header');
  const notes = readNotes(entry);
  return {
    kind: 'exchange',
    recorded: {
      id: notes ? (asText(entry._id) ?? asText(entry.id) ?? id) : id,
      request: {
        method: method.toUpperCase(),
        url,
        headers: sent,
        ...(hasHeaders(request) || (isObject(request.headers) && hasHeaders(response)) ? {} : headersLost),
        ...readRequestBody(request, sent, { isOwn: notes !== undefined }),
      },
      result: readResult(entry, response, received, { isOwn: notes !== undefined }),
      startedAt: readTime(entry.startedDateTime ?? entry.startedAt),
      durationMs: Math.max(0, asNumber(entry.time ?? entry.durationMs) ?? 0),
      notes,
    },
  };
}

const headersLost = { headersLost: true } as const;

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Whether a message has any header, including pseudo-headers of HTTP/2. In practice, every message has a header. */
function hasHeaders({ headers }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(headers) ? headers.length > 0 : Object.keys(toMapping(headers)).length > 0;
}

/**
 * Reads headers from a list, as in HAR, or an object. Skips pseudo-headers of HTTP/2. Returns undefined if a header
 * is invalid.
 */
function readHeaders(value: unknown): HeaderLine[] | undefined {
  const lines: HeaderLine[] = [];
  if (!Array.isArray(value)) {
    const members = Object.entries(toMapping(value));
    return members.every(([name, given]) => addHeader(lines, name, given)) ? lines : undefined;
  }
  for (const item of value) {
    const { name, value: given } = toMapping(item);
    if (!addHeader(lines, name, given)) return undefined;
  }
  return lines;
}

/** Adds a header to the lines, except a pseudo-header of HTTP/2. Returns whether the header is valid. */
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
  origin: { readonly isOwn: boolean },
): Result {
  const status = Number(response.status ?? 0);
  if (!Number.isInteger(status) || status < 100 || status > 599) {
    const detail =
      asText(response._error ?? response._failureText) ??
      asText(toMapping(entry.failure).detail) ??
      'the recording has no response';
    const cutStatus = asNumber(response._cutStatus);
    return cutStatus === undefined
      ? { kind: 'failure', failure: { reason: 'other', detail } }
      : { kind: 'failure', failure: { reason: 'reset', detail, cutStatus } };
  }
  const headers = joinHeaders(lines);
  const pieces = asNumber(response._pieces ?? response.pieces) ?? 1;
  return {
    kind: 'answer',
    answer: { status, headers, ...readResponseBody(response, status, headers, origin), pieces },
  };
}

/** Returns headers by name. Different values are joined with commas, and equal values are listed once. */
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

function readNotes(entry: Readonly<Record<string, unknown>>): RecordedNotes | undefined {
  const noted = entry._attributes ?? entry.attributes;
  if (noted === undefined) return undefined;
  const attributes = toMapping(noted);
  if (Object.keys(attributes).length === 0) return undefined;
  const controlAfter = entry._controlAfter ?? entry.controlAfter;
  const isControl = (entry._control ?? entry.control) === true;
  return {
    case: isControl ? undefined : asText(entry._case),
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, String(text)])),
    model: asText(entry._model ?? entry.model),
    controlAfter: controlAfter === 'succeeded' || controlAfter === 'failed' ? controlAfter : undefined,
  };
}

/** The last time that a `Date` can represent, in milliseconds since 1970-01-01 UTC. */
const lastTime = 8.64e15;

function readTime(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : (asNumber(value) ?? 0);
  return Math.abs(time) <= lastTime ? time : 0;
}
