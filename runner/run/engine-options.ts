import type { Patience, Wait } from '../execute/rate-limiter.ts';
import type { JudgedCase } from '../judge/assess.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { ExchangeReport, Report } from '../report/report.ts';
import type { Limits, Transport } from '../transport/http.ts';
import type { Reach } from '../transport/pool.ts';
import type { PlanOptions, Prepared } from './prepare.ts';

/** What is judged of a gateway, and how; everything has a default that suits most. */
export interface EngineOptions extends PlanOptions {
  /** Requests at once; 8 where it isn't given. */
  readonly concurrency?: number;
  readonly limits?: Limits;
  readonly reach?: Reach | undefined;
  /** How long to wait for a gateway that is still starting, in milliseconds. */
  readonly waitMs?: number;
  /** How long the run may take, in milliseconds; what was judged until then is reported. */
  readonly maxMs?: number | undefined;
  /** The most requests a second, a burst left out. */
  readonly perSecond?: number | undefined;
  /** Whether to stop after this case. */
  readonly stopAfter?: (item: JudgedCase) => boolean;
  /** How often and how long a request that met 429, 5xx or no answer is sent again; the usual where it isn't given. */
  readonly patience?: Patience;
  /** Another way to the gateway than HTTP, such as to one in the same process; closed when the run is over. */
  readonly transport?: Transport;
  /** What `prepare` made of an equal profile earlier, where many targets are judged. */
  readonly prepared?: Prepared;
  /** What the run makes up, such as a model that nobody has, is made of this; another each time where it isn't given. */
  readonly seed?: string;
  /** Keys of other gateways, of which the report must not tell either. */
  readonly otherKeys?: readonly string[];
  /** Aborted to end the run; what was judged is reported. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: RunEvent) => void;
}

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
  /** Requests wait from now on; more than one wait can be in effect. */
  | { readonly kind: 'wait'; readonly wait: Wait }
  /** A case was sent; the report may still judge it otherwise, by what came after. */
  | { readonly kind: 'case'; readonly id: string; readonly outcome: JudgedCase['outcome'] }
  | { readonly kind: 'report'; readonly report: Report };

/** Which models a run is about. */
export interface PlannedModels {
  readonly listed: number;
  readonly chosen: number;
  /** How many cases are planned for them. */
  readonly cases: number;
}
