import type { Catalog } from '../catalog/catalog.ts';
import type { JudgedCase } from '../judge/assess.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { Profile } from '../profile/profile.ts';
import type { ExchangeReport, Report } from '../report/report.ts';
import type { PlannedModels } from './models.ts';
import { type RunOptions, run } from './run.ts';

/** What is told of a run while it goes on; keys in it are redacted. */
export type RunEvent =
  | {
      readonly kind: 'planned';
      /** The ids of the cases of the suites; those of listed models are in the estimate alone. */
      readonly cases: readonly string[];
      readonly estimate: Estimate;
      /** Which models were asked for; undefined where none were. */
      readonly models: PlannedModels | undefined;
    }
  /** A request is over; `planned` requests were foreseen for the whole run. */
  | {
      readonly kind: 'exchange';
      readonly exchange: ExchangeReport;
      readonly sent: number;
      readonly planned: number;
    }
  /** A case was sent; the report may still judge it otherwise, by what came after. */
  | { readonly kind: 'case'; readonly id: string; readonly outcome: JudgedCase['outcome'] }
  | { readonly kind: 'report'; readonly report: Report };

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
