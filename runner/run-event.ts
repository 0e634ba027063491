import type { JudgedCase } from './judge/assess.ts';
import type { PlannedModels } from './models-of-run.ts';
import type { Estimate } from './plan/estimate.ts';
import type { ExchangeReport, Report } from './report/report.ts';

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
