import { createHash } from 'node:crypto';
import { answerOf, type Exchange } from '../send/exchange.ts';
import { retryAfter } from '../send/pace.ts';

/** A request that was sent before, word for word, and answered 400, 429 or 5xx. */
export interface Repeat {
  /** The status that the request had before. */
  readonly after: number;
  /** From the end of that answer, in milliseconds. */
  readonly gapMs: number;
  /** The pause before the one that was answered so, where it was a repeat too. */
  readonly gapBeforeMs: number | undefined;
  /** What `Retry-After` asked for. */
  readonly retryAfterMs: number | undefined;
}

interface Failed {
  readonly status: number;
  readonly endedAt: number;
  readonly gapMs: number | undefined;
  readonly retryAfterMs: number | undefined;
}

/** So many requests that failed are remembered. */
const remembered = 1_000;
/** What comes later is a new request of somebody's, not a repeat of a program's. */
const latestMs = 120_000;

/** Finds repeats among exchanges in the order in which they ended. */
export function makeRepeats(): (exchange: Exchange) => Repeat | undefined {
  const failed = new Map<string, Failed>();
  return (exchange) => {
    const key = keyOf(exchange);
    const before = failed.get(key);
    failed.delete(key);
    const gapMs = before && exchange.startedAt - before.endedAt;
    // Requests that are under way at the same time are no repeats of each other.
    const repeat =
      before && gapMs !== undefined && gapMs >= 0 && gapMs <= latestMs
        ? { after: before.status, gapMs, gapBeforeMs: before.gapMs, retryAfterMs: before.retryAfterMs }
        : undefined;
    const { status, headers } = answerOf(exchange) ?? {};
    if (status !== undefined && (status === 400 || status === 429 || status >= 500)) {
      const endedAt = exchange.startedAt + exchange.durationMs;
      const [oldest] = failed.keys();
      if (failed.size >= remembered && oldest !== undefined) failed.delete(oldest);
      failed.set(key, {
        status,
        endedAt,
        gapMs: repeat?.gapMs,
        retryAfterMs: retryAfter(headers?.['retry-after'], endedAt),
      });
    }
    return repeat;
  };
}

function keyOf({ request: { method, path, headers, body } }: Exchange): string {
  const sender = ['authorization', 'x-api-key', 'x-goog-api-key', 'user-agent'].map(
    (name) => headers[name] ?? '',
  );
  return createHash('sha256')
    .update(JSON.stringify([method, path, sender, body]))
    .digest('base64');
}
