import { decodeBody } from '../send/decode.ts';
import { keepPieces } from '../send/keep-pieces.ts';
import type { Passed } from './passed.ts';
import { lowerValue, type RawHeaders } from './raw-headers.ts';

/** The body of a request, read while it passes. */
export interface RequestCopy {
  readonly add: (piece: Buffer) => void;
  /** `isComplete`: whether the client sent all of it. */
  readonly read: (how: { readonly isComplete: boolean }) => {
    readonly body: string | undefined;
    readonly unreadable: Passed['requestUnreadable'];
  };
}

/** Copies the body of a request, of at most `limit` bytes, and decodes it at the end. */
export function copyRequest(rawHeaders: RawHeaders, limit: number): RequestCopy {
  const kept = keepPieces(limit);
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
