import type { JudgedCase } from './judge/assess.ts';
import type { Estimate } from './plan/estimate.ts';
import type { ExchangeReport, Report } from './report/report.ts';

/** What is told of a run while it goes on; keys in it are redacted. */
export type RunEvent =
  | { readonly kind: 'planned'; readonly cases: readonly string[]; readonly estimate: Estimate }
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
