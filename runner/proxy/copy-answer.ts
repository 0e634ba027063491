import { readContent } from '../send/decode.ts';
import type { Answer, Content } from '../send/exchange.ts';
import { keepPieces } from '../send/keep-pieces.ts';
import { makeAnswer } from '../send/make-answer.ts';
import { keepEvents } from './keep-events.ts';
import type { Ending } from './passed.ts';
import { headerLines, joined, lowerValue, type RawHeaders } from './raw-headers.ts';

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
  const kept = keepPieces(limit);
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
  const events = keepEvents();
  const counted = keepPieces(0);
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
