import { StringDecoder } from 'node:string_decoder';
import { reportsError } from '../judge/events.ts';
import type { Recorded } from '../recordings/recorded-exchange.ts';
import { decodeBody, readContent } from '../transport/decode.ts';
import type { Answer, Content } from '../transport/exchange.ts';
import { bufferBody, makeAnswer } from '../transport/receive.ts';
import { headerLines, joined, lowerValue, type RawHeaders } from './headers.ts';

/** The body of a request, read while it passes. */
export interface RequestCopy {
  readonly add: (piece: Buffer) => void;
  /** `isComplete`: whether the client sent all of it. */
  readonly read: (how: { readonly isComplete: boolean }) => {
    readonly body: string | undefined;
    readonly unreadable: CapturedExchange['requestUnreadable'];
  };
}

/** Copies the body of a request, of at most `limit` bytes, and decodes it at the end. */
export function copyRequest(rawHeaders: RawHeaders, limit: number): RequestCopy {
  const kept = bufferBody(limit);
  return {
    add: kept.add,
    read: ({ isComplete }) => {
      const raw = kept.kept();
      const unreadable = (reason: string): ReturnType<RequestCopy['read']> => ({
        body: raw.toString('utf8'),
        unreadable: reason,
      });
      if (!kept.isWhole()) return unreadable(`it is longer than ${limit} bytes`);
      if (!isComplete) return unreadable('not all of it was sent');
      if (raw.length === 0) return { body: undefined, unreadable: undefined };
      const decoded = decodeBody(raw, lowerValue(rawHeaders, 'content-encoding') ?? '', limit);
      if (decoded.kind === 'unreadable') return unreadable(decoded.reason);
      return { body: decoded.bytes.toString('utf8'), unreadable: undefined };
    },
  };
}

/** An answer, read while it passes. */
export interface AnswerCopy {
  readonly add: (piece: Buffer) => void;
  readonly read: (ended: Ending) => Answer;
}

const cut: Readonly<Record<Exclude<Ending, 'whole'>, string>> = {
  'cut-by-client': 'the client left before its end',
  'cut-by-gateway': 'the gateway broke it off',
  'cut-by-proxy': 'the proxy was closed before its end',
};

/** Copies an answer: a stream of events as it comes, of any other body at most `limit` bytes, decoded at the end. */
export function copyAnswer(status: number, rawHeaders: RawHeaders, limit: number): AnswerCopy {
  const isCoded = !/^(identity)?$/.test(lowerValue(rawHeaders, 'content-encoding') ?? '');
  const isStream = /^\s*text\/event-stream\b/.test(lowerValue(rawHeaders, 'content-type') ?? '');
  return isStream && !isCoded ? copyStream(status, rawHeaders) : copyBody(status, rawHeaders, limit);
}

function copyBody(status: number, rawHeaders: RawHeaders, limit: number): AnswerCopy {
  const kept = bufferBody(limit);
  return {
    add: kept.add,
    read: (ended) => {
      const headers = joined(headerLines(rawHeaders));
      const reason = !kept.isWhole()
        ? `it is longer than ${limit} bytes`
        : ended === 'whole'
          ? undefined
          : cut[ended];
      if (reason === undefined) return makeAnswer(status, headers, kept, limit);
      const { pieces, bytes } = kept.seen();
      const text = kept.kept().toString('utf8');
      return { status, headers, text, size: bytes, pieces, content: { kind: 'unreadable', reason } };
    },
  };
}

function copyStream(status: number, rawHeaders: RawHeaders): AnswerCopy {
  const events = captureEvents();
  const counted = bufferBody(0);
  const contentOf = (text: string): Content => {
    if (events.hasUnseen())
      return { kind: 'unreadable', reason: 'an event of it is longer than 65536 letters' };
    return events.isWhole() ? readContent(text) : { kind: 'text' };
  };
  return {
    add: (piece) => {
      counted.add(piece);
      events.add(piece);
    },
    read: () => {
      const headers = joined(headerLines(rawHeaders));
      const text = events.text();
      const { pieces, bytes } = counted.seen();
      return { status, headers, text, size: bytes, pieces, content: contentOf(text) };
    },
  };
}

/** What is kept of a stream of events, however long it is. */
export interface CapturedEvents {
  readonly add: (piece: Buffer) => void;
  /** The first events, and of the later ones those that tell of an error. */
  readonly text: () => string;
  readonly isWhole: () => boolean;
  /** Whether an event was too long to look at. */
  readonly hasUnseen: () => boolean;
}

const firstLetters = 64 * 1024;
const longestEvent = 64 * 1024;
const mostErrors = 16;

/** Keeps the first 64 KiB of a stream of events, and later only the first 16 events that tell of an error. */
export function captureEvents(): CapturedEvents {
  const decoder = new StringDecoder('utf8');
  const errors: string[] = [];
  let first = '';
  let isFull = false;
  /** The beginning of an event whose end has not come. */
  let open = '';
  let isSkipping = false;
  let hasUnseen = false;

  const keep = (event: string): void => {
    isFull ||= first.length + event.length > firstLetters;
    if (!isFull) first += event;
    else if (errors.length < mostErrors && reportsError(event)) errors.push(event);
  };
  return {
    add: (piece) => {
      open += decoder.write(piece);
      let start = 0;
      for (const { 0: blank, index } of open.matchAll(/\r\n\r\n|\n\n|\r\r/g)) {
        const end = index + blank.length;
        if (!isSkipping) keep(open.slice(start, end));
        isSkipping = false;
        start = end;
      }
      open = open.slice(start);
      if (open.length <= longestEvent) return;
      // Its beginning is kept where nothing was, as of a long answer that is no stream under this media type.
      if (first === '') first = open.slice(0, firstLetters);
      isFull = true;
      isSkipping = true;
      hasUnseen = true;
      // A blank line may lie across two pieces.
      open = open.slice(-3);
    },
    text: () => (isFull ? first + errors.join('') + (reportsError(open) ? open : '') : first + open),
    isWhole: () => !isFull,
    hasUnseen: () => hasUnseen,
  };
}

/** An exchange that passed by. */
export interface CapturedExchange extends Recorded {
  /** Why the body of the request is not in `request.body` as it was sent; undefined where it is. */
  readonly requestUnreadable: string | undefined;
  readonly ended: Ending;
}

/** How an exchange ended: with all of the answer, or cut by one of the three. */
export type Ending = 'whole' | 'cut-by-client' | 'cut-by-gateway' | 'cut-by-proxy';
