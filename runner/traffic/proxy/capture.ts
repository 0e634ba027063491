import { StringDecoder } from 'node:string_decoder';
import { decodeBody, readContent } from '../../exchange/decode.ts';
import { reportsError } from '../../exchange/events.ts';
import type { Answer, BodyContent } from '../../exchange/exchange.ts';
import { bufferBody, createAnswer } from '../../send/receive.ts';
import type { ExchangeEnd, RecordedExchange } from '../recordings/recorded-exchange.ts';
import { joinHeaderLines, type RawHeaders, readLowerCase, splitHeaderLines } from './headers.ts';

/** A copy of a request body that is being forwarded. */
export interface RequestCopy {
  readonly add: (piece: Buffer) => void;
  /**
   * Returns the body; undefined if the body is empty. If the whole, decoded body is not available, returns the stored
   * part and the reason. `isComplete`: whether the client sent the whole body.
   */
  readonly finish: (how: { readonly isComplete: boolean }) => {
    readonly body: string | undefined;
    readonly unreadable: CapturedExchange['requestUnreadable'];
  };
}

/** Creates a copy that stores at most `limit` bytes of a request body. `finish` decodes a complete body. */
export function copyRequest(rawHeaders: RawHeaders, limit: number): RequestCopy {
  const buffer = bufferBody(limit);
  return {
    add: buffer.add,
    finish: ({ isComplete }) => {
      const raw = buffer.kept();
      const unreadable = (reason: string): ReturnType<RequestCopy['finish']> => ({
        body: raw.toString('utf8'),
        unreadable: reason,
      });
      if (!buffer.isWhole()) return unreadable(`the body is longer than ${limit} bytes`);
      if (!isComplete) return unreadable('the client did not send the whole body');
      if (raw.length === 0) return { body: undefined, unreadable: undefined };
      const decoded = decodeBody(raw, readLowerCase(rawHeaders, 'content-encoding') ?? '', limit);
      if (decoded.kind === 'unreadable') return unreadable(decoded.reason);
      return { body: decoded.bytes.toString('utf8'), unreadable: undefined };
    },
  };
}

export interface ResponseCopy {
  readonly add: (piece: Buffer) => void;
  readonly finish: (ended: ExchangeEnd) => Answer;
}

const cutReasons: Readonly<Record<Exclude<ExchangeEnd, 'whole'>, string>> = {
  'cut-by-client': 'the client closed the connection before the end of the body',
  'cut-by-gateway': 'the gateway closed the connection before the end of the body',
  'cut-by-proxy': 'the proxy was stopped before the end of the body',
};

/**
 * Creates a copy of a response. The copy of an uncompressed event stream stores the same events as `captureEvents`. The
 * copy of any other body stores at most `limit` bytes. `finish` decodes a complete body.
 */
export function copyResponse(status: number, rawHeaders: RawHeaders, limit: number): ResponseCopy {
  const isCoded = !/^(identity)?$/.test(readLowerCase(rawHeaders, 'content-encoding') ?? '');
  const isStream = /^\s*text\/event-stream\b/.test(readLowerCase(rawHeaders, 'content-type') ?? '');
  return isStream && !isCoded ? copyStream(status, rawHeaders) : copyBody(status, rawHeaders, limit);
}

function copyBody(status: number, rawHeaders: RawHeaders, limit: number): ResponseCopy {
  const buffer = bufferBody(limit);
  return {
    add: buffer.add,
    finish: (ended) => {
      const headers = joinHeaderLines(splitHeaderLines(rawHeaders));
      const reason = !buffer.isWhole()
        ? `the body is longer than ${limit} bytes`
        : ended === 'whole'
          ? undefined
          : cutReasons[ended];
      if (reason === undefined) return createAnswer(status, headers, buffer, limit);
      const { pieces, bytes } = buffer.seen();
      const text = buffer.kept().toString('utf8');
      const isCut = ended === 'cut-by-gateway' && { isCut: true as const };
      return {
        status,
        headers,
        text,
        size: bytes,
        pieces,
        content: { kind: 'unreadable', reason },
        ...isCut,
      };
    },
  };
}

function copyStream(status: number, rawHeaders: RawHeaders): ResponseCopy {
  const events = captureEvents();
  const counted = bufferBody(0);
  const contentOf = (text: string): BodyContent => {
    if (events.hasSkipped())
      return { kind: 'unreadable', reason: 'the body contains an event of more than 65536 characters' };
    return events.isWhole() ? readContent(text) : { kind: 'text' };
  };
  return {
    add: (piece) => {
      counted.add(piece);
      events.add(piece);
    },
    finish: () => {
      const headers = joinHeaderLines(splitHeaderLines(rawHeaders));
      const text = events.text();
      const { pieces, bytes } = counted.seen();
      return { status, headers, text, size: bytes, pieces, content: contentOf(text) };
    },
  };
}

/** The stored part of a stream of events. */
export interface CapturedEvents {
  readonly add: (piece: Buffer) => void;
  /** Returns the first events, and later events that report an error. */
  readonly text: () => string;
  readonly isWhole: () => boolean;
  /** Whether an event was too long to be checked. */
  readonly hasSkipped: () => boolean;
}

const maxStartLength = 64 * 1024;
const maxEventLength = 64 * 1024;
const maxErrorEvents = 16;

/**
 * Stores the events in the first 65,536 characters of a stream. After these events, stores only events that report an
 * error: the first 16 complete events, and an incomplete event at the end. Skips an event that exceeds 65,536
 * characters before the piece with its end is added. If the first event is skipped, its first 65,536 characters are
 * stored.
 */
export function captureEvents(): CapturedEvents {
  const decoder = new StringDecoder('utf8');
  const errors: string[] = [];
  let first = '';
  let isFull = false;
  /** The beginning of an event that has not ended. */
  let open = '';
  let isSkipping = false;
  let hasSkipped = false;

  const store = (event: string): void => {
    isFull ||= first.length + event.length > maxStartLength;
    if (!isFull) first += event;
    else if (errors.length < maxErrorEvents && reportsError(event)) errors.push(event);
  };
  return {
    add: (piece) => {
      open += decoder.write(piece);
      let start = 0;
      for (const { 0: blank, index } of open.matchAll(/\r\n\r\n|\n\n|\r\r/g)) {
        const end = index + blank.length;
        if (!isSkipping) store(open.slice(start, end));
        isSkipping = false;
        start = end;
      }
      open = open.slice(start);
      if (open.length <= maxEventLength) return;
      // If nothing is stored yet, stores the beginning. The response may not be a stream despite its media type.
      if (first === '') first = open.slice(0, maxStartLength);
      isFull = true;
      isSkipping = true;
      hasSkipped = true;
      // A blank line may be divided between two pieces.
      open = open.slice(-3);
    },
    text: () => (isFull ? first + errors.join('') + (reportsError(open) ? open : '') : first + open),
    isWhole: () => !isFull,
    hasSkipped: () => hasSkipped,
  };
}

export interface CapturedExchange extends RecordedExchange {
  /** The reason why `request.body` is incomplete or not decoded; undefined if the whole body was decoded. */
  readonly requestUnreadable: string | undefined;
  readonly ended: ExchangeEnd;
}

/** Converts a captured exchange to a recorded exchange, without the header `Host`, which names the proxy. */
export function toRecorded({ requestUnreadable, ...passed }: CapturedExchange): RecordedExchange {
  const headers = passed.request.headers.filter(([name]) => name !== 'host');
  const request = { ...passed.request, headers };
  return requestUnreadable === undefined
    ? { ...passed, request }
    : { ...passed, request: { ...request, bodyLost: true } };
}
