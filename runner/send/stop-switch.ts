import { setMaxListeners } from 'node:events';
import type { Stop, StopSwitch } from '../exchange/stop.ts';

const abortingKinds: ReadonlySet<Stop['kind']> = new Set(['interrupted', 'time', 'unanswered']);

/**
 * Creates a stop switch. The run also stops when `outer` is aborted, and after `maxMs` milliseconds. No time limit
 * applies if `maxMs` is undefined.
 */
export function createStopSwitch(outer: AbortSignal | undefined, maxMs: number | undefined): StopSwitch {
  const controller = new AbortController();
  // Every concurrent request listens to the signal, so Node.js must not warn about the number of listeners.
  setMaxListeners(0, controller.signal);
  let first: Stop | undefined;
  const stop = (reason: Stop): void => {
    first ??= reason;
    if (abortingKinds.has(reason.kind)) controller.abort();
  };
  const interrupt = (): void => stop({ kind: 'interrupted', reason: 'The run was interrupted.' });
  if (outer?.aborted) interrupt();
  outer?.addEventListener('abort', interrupt, { once: true });
  const timer =
    maxMs === undefined
      ? undefined
      : setTimeout(
          () =>
            stop({
              kind: 'time',
              reason: `The run reached its time limit of ${maxMs / 1000} s. Raise the limit (--max-time, or maxMs in the library).`,
            }),
          maxMs,
        );
  return {
    signal: controller.signal,
    stopped: () => first,
    stop,
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', interrupt);
    },
  };
}
