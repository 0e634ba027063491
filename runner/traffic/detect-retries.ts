import { createHash } from 'node:crypto';
import { retryAfter } from '../execute/rate-limiter.ts';
import { answerOf, type Exchange } from '../transport/exchange.ts';

/** A request that was sent before, word for word, and answered 400, 429 or 5xx. */
export interface Repeat {
  /** The status that the request had before. */
  readonly after: number;
  /** From the end of that answer, in milliseconds. */
  readonly gapMs: number;
  /** The pause before the one that was answered so, where it was a repeat too. */
  readonly gapBeforeMs: number | undefined;
  /** Whether some pause before was longer than the one before it. */
  readonly hasGrown: boolean;
  /** Whether the pause before was shorter than the one before it. */
  readonly hasShrunk: boolean;
  /** What `Retry-After` asked for. */
  readonly retryAfterMs: number | undefined;
}

interface Failed {
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly gapMs: number | undefined;
  readonly hasGrown: boolean;
  readonly hasShrunk: boolean;
  /** Several were under way at once, so that none can be told from a repeat of another. */
  readonly isShared: boolean;
  readonly retryAfterMs: number | undefined;
}

/** So many requests that failed are remembered. */
const remembered = 1_000;
/** What comes later is a new request of somebody's, not a repeat of a program's. */
const latestMs = 120_000;

/** Finds repeats among exchanges in the order in which they ended. */
export function makeRetryDetector(): (exchange: Exchange) => Repeat | undefined {
  const failed = new Map<string, Failed>();
  return (exchange) => {
    const { status, headers } = answerOf(exchange) ?? {};
    const fails = status !== undefined && (status === 400 || status === 429 || status >= 500);
    if (!fails && failed.size === 0) return undefined;
    const key = keyOf(exchange);
    const before = failed.get(key);
    failed.delete(key);
    const { startedAt } = exchange;
    const gapMs = before && startedAt - before.endedAt;
    // The same exchange in two recordings is none, nor is what was under way at the same time.
    const isLater = before !== undefined && gapMs !== undefined && gapMs >= 0 && startedAt > before.startedAt;
    const isShared =
      before !== undefined && (before.isShared || (!isLater && startedAt !== before.startedAt));
    const repeat = isLater && !before.isShared && gapMs <= latestMs ? repeatOf(before, gapMs) : undefined;
    if (fails || isShared) {
      const endedAt = startedAt + exchange.durationMs;
      if (failed.size >= remembered) {
        const [oldest] = failed.keys();
        if (oldest !== undefined) failed.delete(oldest);
      }
      const { gapBeforeMs } = repeat ?? {};
      failed.set(key, {
        status: status ?? 0,
        startedAt,
        endedAt,
        gapMs: repeat?.gapMs,
        hasGrown: repeat !== undefined && (repeat.hasGrown || isLess(gapBeforeMs, repeat.gapMs)),
        hasShrunk: repeat !== undefined && isLess(repeat.gapMs, gapBeforeMs),
        isShared,
        retryAfterMs: retryAfter(headers ?? {}, endedAt),
      });
    }
    return repeat;
  };
}

function repeatOf(before: Failed, gapMs: number): Repeat {
  const { status, gapMs: gapBeforeMs, hasGrown, hasShrunk, retryAfterMs } = before;
  return { after: status, gapMs, gapBeforeMs, hasGrown, hasShrunk, retryAfterMs };
}

function isLess(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one * 1.2 < other;
}

/** A longer request is remembered by its digest. */
const longest = 1_000;

/** The whole of a request that may be sent again, each part of it with its length. */
function keyOf({ request: { method, path, headers, body } }: Exchange): string {
  const { authorization: bearer, 'x-api-key': key, 'x-goog-api-key': goog, 'user-agent': agent } = headers;
  const sender = `${bearer?.length} ${bearer} ${key?.length} ${key} ${goog?.length} ${goog} ${agent?.length} ${agent}`;
  const text = `${method.length} ${method} ${path.length} ${path} ${sender} ${body?.length} ${body}`;
  return text.length > longest ? createHash('sha256').update(text).digest('base64') : text;
}
