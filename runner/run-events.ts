import type { Catalog } from './catalog/catalog.ts';
import type { Profile } from './profile/profile.ts';
import { type RunOptions, run } from './run.ts';
import type { RunEvent } from './run-event.ts';

/**
 * The events of a run as they happen, the report last; to leave the loop early ends the run, and waits for what is
 * under way.
 */
export async function* runEvents(
  catalog: Catalog,
  profile: Profile,
  options: Omit<RunOptions, 'onEvent'> = {},
): AsyncGenerator<RunEvent, void> {
  const events: RunEvent[] = [];
  let wake = (): void => {};
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  let over = false;
  const running = run(catalog, profile, {
    ...options,
    signal,
    onEvent: (event) => {
      events.push(event);
      wake();
    },
  }).finally(() => {
    over = true;
    wake();
  });
  // Awaited below; until then a failure must not count as unhandled.
  running.catch(() => {});
  try {
    for (;;) {
      const event = events.shift();
      if (event) yield event;
      else if (over) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await running;
  } finally {
    left.abort();
    await running.catch(() => {});
  }
}
