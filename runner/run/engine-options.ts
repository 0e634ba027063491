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

/** An event of a run, in which keys are redacted. */
export type RunEvent =
  /** The cases are planned; nothing of them was sent yet. */
  | {
      readonly kind: 'planned';
      /** The ids of the planned cases, without those of listed models. */
      readonly cases: readonly string[];
      /** The number of requests to send, with those of listed models. */
      readonly estimate: Estimate;
      /** The models that the option `models` chose; undefined without that option. */
      readonly models: PlannedModels | undefined;
    }
  /** A request has its result, after all retries. */
  | {
      readonly kind: 'exchange';
      readonly exchange: ExchangeReport;
      /** Requests of the run so far, retries included. */
      readonly sent: number;
      /** Requests of the whole run as estimated; retries are not in it. */
      readonly planned: number;
    }
  /** Requests wait from now on; more than one wait can be in effect. */
  | { readonly kind: 'wait'; readonly wait: Wait }
  /** All requests of a case have results. Later responses can still change the outcome that the report states. */
  | { readonly kind: 'case'; readonly id: string; readonly outcome: JudgedCase['outcome'] }
  /** The run is over; always the last event. */
  | { readonly kind: 'report'; readonly report: Report };

/** The listed models that a run tests. */
export interface PlannedModels {
  /** How many models the gateway lists. */
  readonly listed: number;
  /** How many of them match the option `models`. */
  readonly chosen: number;
  /** How many cases are planned for all of these. */
  readonly cases: number;
}
