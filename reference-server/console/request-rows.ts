import { describeAnswer } from '../answers/answer.ts';
import { type Cause, changesResponse } from '../causes.ts';
import type { PartialProfile } from '../gateway/profile.ts';
import type { JournalEntry } from '../journal.ts';
import { isObject } from '../json.ts';
import type { Origin } from '../origin.ts';
import { encodeChunk, joinChunks } from '../wire/wire-changes.ts';
import { clauseOf, quoteOf } from './clause-of.ts';
import { findClientMistakes } from './client-mistakes.ts';
import { type RequestDetail, type RequestRow, type ShownCause, unanswered } from './shown-request.ts';
import type { ConsoleSuite } from './suite.ts';

const [longestBody, mostChunks, longestAbout] = [64 * 1024, 200, 300];

export function describeRow(entry: JournalEntry): RequestRow {
  const { call, durationMs, operation = '', model = '', keyName, key } = entry;
  return {
    number: entry.number,
    revision: entry.revision,
    at: entry.at,
    method: entry.method,
    path: entry.path,
    operation,
    model,
    status: entry.status,
    error: describeError(entry),
    traceId: entry.traceId,
    requestId: call?.id ?? '',
    key: keyName ?? key,
    keyEnding: entry.keyEnding,
    tokens: call ? call.usage.input + call.usage.output : null,
    cost: call?.cost ?? null,
    durationMs: durationMs ?? null,
    causes: entry.causes.map((cause) => describeCause(cause, entry.redact)),
  };
}

/** Returns a request with its response. `profile` is the profile of the gateway. */
export function describeDetail(
  entry: JournalEntry,
  { baseUrl: url, versionHeader }: Pick<PartialProfile, 'baseUrl' | 'versionHeader'>,
  curlLine: ConsoleSuite['curlLine'] | undefined,
): RequestDetail {
  const request = entry.describe();
  const { headers, body, query } = request;
  const search = new URLSearchParams(query).toString();
  const address = `${url}${entry.path}${search === '' ? '' : `?${search}`}`;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const sent = Object.entries(headers).filter(([name]) => !omittedHeaders.includes(name));
  const { wire, redact } = entry;
  // A refusal that a rule made up has the name of a reason, but its clause determined nothing.
  const clause = entry.causes.some(changesResponse) ? undefined : clauseOf(entry);
  const show = (chunk: string): string => redact(chunk).slice(0, longestBody);
  return {
    ...describeRow(entry),
    clause: clause ?? null,
    quote: clause === undefined ? null : quoteOf(clause),
    curl:
      curlLine?.({
        method: entry.method,
        url: address,
        headers: Object.fromEntries(sent),
        body: text === undefined ? null : { text, bytes: Buffer.byteLength(text) },
      }) ?? null,
    answer: entry.call ? describeAnswer(entry.call.answer).map(show) : [],
    mistakes: findClientMistakes(request, versionHeader),
    request: { headers, body: body ?? null },
    response: {
      headers: wire.headers.map(([name, value]) => [name.toLowerCase(), redact(value)] as const),
      chunks:
        wire.framing === 'chunked'
          ? wire.chunks.slice(0, mostChunks).map((chunk) => show(Buffer.from(encodeChunk(chunk)).toString()))
          : [show(joinChunks(wire).toString())],
      ending: wire.ending,
    },
  };
}

function describeCause(cause: Cause, redact: (text: string) => string): ShownCause {
  return { ...describeOrigin(cause.origin, redact), determines: changesResponse(cause) };
}

function describeOrigin(
  { kind, id, about }: Origin,
  redact: (text: string) => string,
): Omit<ShownCause, 'determines'> {
  const shown = redact(about).slice(0, longestAbout);
  switch (kind) {
    case 'situation':
      return {
        title: `Switched on in Situations: ${shown}`,
        about: '',
        href: `/console/situations#situation-${id}`,
      };
    case 'rule':
      return { title: `Rule ${id}`, about: shown, href: `/console/situations#rule-${id}` };
    case 'fault':
      return { title: `Fault ${id}`, about: shown, href: null };
    case 'variant':
      return { title: `Variant ${id}`, about: shown, href: null };
  }
}

/** Headers that the curl line omits, since curl sends its own headers or does not need these headers. */
const omittedHeaders = [
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'user-agent',
  'transfer-encoding',
];

function describeError(entry: JournalEntry): string {
  const { ending } = entry.wire;
  if (ending === 'unanswered') return unanswered;
  if (entry.status >= 400) return readError(entry);
  return ending === 'finish' ? '' : 'connection broken';
}

function readError({ wire, redact }: JournalEntry): string {
  try {
    const body: unknown = JSON.parse(joinChunks(wire).toString());
    const error = isObject(body) && isObject(body.error) ? body.error : {};
    return redact(String(error.type ?? error.code ?? ''));
  } catch {
    return '';
  }
}
