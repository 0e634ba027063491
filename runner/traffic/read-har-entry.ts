import { list, mapping } from '../catalog/mapping.ts';
import { readContent } from '../send/decode.ts';
import type { Result } from '../send/exchange.ts';
import type { HeaderLine, Recorded, RecordedNotes } from './recorded.ts';

/** An exchange, or why a value is none. */
export type ReadEntry =
  | { readonly kind: 'exchange'; readonly recorded: Recorded }
  | { readonly kind: 'no-exchange'; readonly problem: string };

/** Reads an entry of HAR 1.2, or an exchange as our JSON report has it; total over any JSON value. */
export function readEntry(value: unknown, id: string): ReadEntry {
  const entry = mapping(value);
  const request = mapping(entry.request);
  const { method, url } = request;
  if (typeof method !== 'string' || method === '') return noExchange('`request.method` is missing');
  if (typeof url !== 'string' || url === '') return noExchange('`request.url` is missing');
  const response = mapping(entry.response);
  if (entry.response !== null && entry.response !== undefined && typeof response.status !== 'number')
    return noExchange('`response.status` is no number');
  const notes = readNotes(entry);
  return {
    kind: 'exchange',
    recorded: {
      id: notes ? (textOf(entry._id) ?? textOf(entry.id) ?? id) : id,
      request: {
        method: method.toUpperCase(),
        url,
        headers: readHeaders(request.headers),
        ...sentBody(request),
      },
      result: readResult(entry, response),
      startedAt: timeOf(entry.startedDateTime ?? entry.startedAt),
      durationMs: Number(entry.time ?? entry.durationMs ?? 0) || 0,
      notes,
    },
  };
}

function noExchange(problem: string): ReadEntry {
  return { kind: 'no-exchange', problem };
}

/** A list of names and values, as HAR has it, or an object; pseudo-headers of HTTP/2 are none. */
function readHeaders(value: unknown): HeaderLine[] {
  const pairs = Array.isArray(value)
    ? value.map((item) => [mapping(item).name, mapping(item).value])
    : Object.entries(mapping(value));
  return pairs.flatMap(([name, text]): HeaderLine[] =>
    typeof name === 'string' && typeof text === 'string' && !name.startsWith(':')
      ? [[name.toLowerCase(), text]]
      : [],
  );
}

function sentBody(
  request: Readonly<Record<string, unknown>>,
): Pick<Recorded['request'], 'body' | 'bodyLost'> {
  const data = mapping(request.postData);
  const own = typeof request.body === 'string' ? request.body : mapping(request.body).text;
  const text = textOf(data.text) ?? textOf(own);
  const params = list(data.params);
  const length = Number(readHeaders(request.headers).find(([name]) => name === 'content-length')?.[1] ?? 0);
  const was = params.length > 0 || length > 0 || Number(request.bodySize ?? 0) > 0;
  const cut = data._sha256 !== undefined || mapping(request.body).sha256 !== undefined;
  // Recorders that leave bodies out write none, or an empty one.
  if (was && !text) return { body: undefined, bodyLost: true };
  if (text === undefined) return { body: undefined };
  const whole = data.encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  return cut ? { body: whole, bodyLost: true } : { body: whole };
}

function readResult(
  entry: Readonly<Record<string, unknown>>,
  response: Readonly<Record<string, unknown>>,
): Result {
  const status = Number(response.status ?? 0);
  // Chrome has 0 where no answer came, and Playwright -1.
  if (status < 100) {
    const detail =
      textOf(response._error ?? response._failureText) ??
      textOf(mapping(entry.failure).detail) ??
      'the recording has no answer';
    return { kind: 'failure', failure: { reason: 'other', detail } };
  }
  const lines = readHeaders(response.headers);
  const headers = joinHeaders(lines);
  const { text, size, unreadable } = receivedBody(response, status);
  const pieces = Number(response._pieces ?? response.pieces ?? 1);
  const content =
    unreadable === undefined ? readContent(text) : { kind: 'unreadable' as const, reason: unreadable };
  return { kind: 'answer', answer: { status, headers, text, size, content, pieces } };
}

/** One value for each name; a header that was sent twice with the same value says it once. */
export function joinHeaders(lines: readonly HeaderLine[]): Record<string, string> {
  const values = new Map<string, string[]>();
  for (const [name, value] of lines) {
    const known = values.get(name);
    if (!known) values.set(name, [value]);
    else if (!known.includes(value)) known.push(value);
  }
  return Object.fromEntries([...values].map(([name, known]) => [name, known.join(', ')]));
}

/** A HAR has bodies with their content coding undone. */
function receivedBody(
  response: Readonly<Record<string, unknown>>,
  status: number,
): { readonly text: string; readonly size: number; readonly unreadable: string | undefined } {
  const content = mapping(response.content ?? response.body);
  const stated = Number(content.size ?? content.bytes ?? -1);
  const text = typeof response.body === 'string' ? response.body : textOf(content.text);
  if (text === undefined) {
    const isEmpty = stated === 0 || status === 204 || status === 304;
    return { text: '', size: 0, unreadable: isEmpty ? undefined : 'the recording does not have it' };
  }
  const whole = content.encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  const cut = content._sha256 ?? content.sha256;
  const unreadable =
    textOf(content._unreadable) ??
    textOf(content.unreadable) ??
    (cut === undefined ? undefined : 'only its beginning is in the recording');
  return { text: whole, size: stated < 0 ? Buffer.byteLength(whole) : stated, unreadable };
}

/** What this suite's own reports note of an exchange. */
function readNotes(entry: Readonly<Record<string, unknown>>): RecordedNotes | undefined {
  const facts = mapping(entry._facts ?? entry.facts);
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number(value ?? 0);
  return Number.isFinite(time) ? time : 0;
}
