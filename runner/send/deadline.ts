import type { Failure } from './exchange.ts';

/** Why a request was ended from this side, as the reason of its signal. */
export class Ended extends Error {
  readonly reason: Failure['reason'];

  constructor(reason: Failure['reason'], detail: string) {
    super(detail);
    this.name = 'Ended';
    this.reason = reason;
  }
}

/** The times that a request may take, in milliseconds. */
export interface Times {
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Ends a request that takes too long. */
export interface Deadline {
  /** Aborted, with `Ended` as the reason, at the first time that is over. */
  readonly signal: AbortSignal;
  /** Said when headers or a piece of the body came: the next may be waited for anew. */
  readonly progress: () => void;
  /** Said when the exchange is over, however it ended. */
  readonly release: () => void;
}

/** Starts the times of a request, which an outer signal ends at once; exact to what the event loop allows. */
export function startDeadline(
  { firstByteMs, idleMs, totalMs }: Times,
  outer: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController();
  const end = (reason: Failure['reason'], detail: string): void =>
    controller.abort(new Ended(reason, detail));
  const interrupt = (): void => end('other', 'the run ended before');
  const total = setTimeout(
    () => end('timeout', `it was not whole when the total time of ${seconds(totalMs)} was over`),
    totalMs,
  );
  let next = setTimeout(() => end('timeout', `no answer began within ${seconds(firstByteMs)}`), firstByteMs);
  let begun = false;
  if (outer?.aborted) interrupt();
  outer?.addEventListener('abort', interrupt, { once: true });
  return {
    signal: controller.signal,
    progress: () => {
      if (begun) {
        next.refresh();
        return;
      }
      begun = true;
      clearTimeout(next);
      next = setTimeout(() => end('timeout', `nothing more of the body came for ${seconds(idleMs)}`), idleMs);
    },
    release: () => {
      clearTimeout(total);
      clearTimeout(next);
      outer?.removeEventListener('abort', interrupt);
    },
  };
}

/** A time as people read it. */
export function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
