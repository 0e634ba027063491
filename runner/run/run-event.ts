import type { Outcome } from '../judge/outcome.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { ExchangeReport, Report } from '../report/report.ts';
import type { Wait } from '../send/rate-limiter.ts';

/** An event of a run. Keys are redacted. */
export type RunEvent =
  /** The cases are planned, and no case was sent yet. */
  | {
      readonly kind: 'planned';
      /** The IDs of the planned cases with checks, without the cases of listed models. */
      readonly cases: readonly string[];
      /** The numbers of planned requests, including the requests for listed models. */
      readonly estimate: Estimate;
      /** The numbers of listed models and of their cases; undefined without the option `models`. */
      readonly models: PlannedModels | undefined;
    }
  /** A request has its result, after all retries. */
  | {
      readonly kind: 'exchange';
      readonly exchange: ExchangeReport;
      /** The number of requests that the run has sent so far, including retries. */
      readonly sent: number;
      /** The number of planned requests of the whole run, without retries. */
      readonly planned: number;
    }
  /** A wait begins, or the wait for an unreachable gateway ends (0 milliseconds). Several waits can overlap. */
  | { readonly kind: 'wait'; readonly wait: Wait }
  /**
   * The sending of a case in a round has ended. After a stop, some requests may not have been sent. Later responses can
   * still change the outcome in the report.
   */
  | { readonly kind: 'case'; readonly id: string; readonly outcome: Outcome }
  /** The run is over. No event follows. */
  | { readonly kind: 'report'; readonly report: Report };

/**
 * An event of a run for the code of this package. Instead of the formatted exchange and the outcome of a case, which
 * take time to create, the event contains functions that create these values.
 */
export type EngineEvent =
  | Exclude<RunEvent, { readonly kind: 'exchange' | 'case' }>
  | { readonly kind: 'case'; readonly id: string; readonly judge: () => Outcome }
  | {
      readonly kind: 'exchange';
      readonly describe: () => ExchangeReport;
      readonly sent: number;
      readonly planned: number;
    };

/** The numbers of listed models, and of the cases that a run has for these models. */
export interface PlannedModels {
  /** The number of models that the gateway lists. */
  readonly listed: number;
  /**
   * The number of listed models that match the option `models`. For a shard, the number includes only the models that
   * the shard tests.
   */
  readonly chosen: number;
  /** The number of planned cases for all chosen models. */
  readonly cases: number;
}
