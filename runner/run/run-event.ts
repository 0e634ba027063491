import type { Outcome } from '../judge/outcome.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { ExchangeReport, Report } from '../report/report.ts';

/** An event of a run; keys in it are redacted. */
export type RunEvent =
  | {
      readonly kind: 'planned';
      /** The ids of the cases of the suites; those of listed models are in the estimate alone. */
      readonly cases: readonly string[];
      readonly estimate: Estimate;
      /** Which models were chosen; undefined if none were asked for. */
      readonly models: PlannedModels | undefined;
    }
  /** A request is over; `planned` is the estimate for the whole run. */
  | {
      readonly kind: 'exchange';
      readonly exchange: ExchangeReport;
      readonly sent: number;
      readonly planned: number;
    }
  /** All requests of a case were sent; later exchanges may still change its outcome in the report. */
  | { readonly kind: 'case'; readonly id: string; readonly outcome: Outcome }
  | { readonly kind: 'report'; readonly report: Report };

/** An event inside this package: an exchange is described on demand, since finding keys in every text takes time. */
export type EngineEvent =
  | Exclude<RunEvent, { readonly kind: 'exchange' }>
  | {
      readonly kind: 'exchange';
      readonly describe: () => ExchangeReport;
      readonly sent: number;
      readonly planned: number;
    };

/** How many listed models a run is about. */
export interface PlannedModels {
  readonly listed: number;
  readonly chosen: number;
  /** How many cases are planned for them. */
  readonly cases: number;
}
