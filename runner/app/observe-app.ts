import { sum } from '../../common/lists.ts';
import { packageInfo } from '../../common/package-info.ts';
import type { ErrorRows } from '../catalog/errors.ts';
import { answerOf, type Exchange } from '../exchange/exchange.ts';
import { readAnswer } from '../exchange/reading.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { ClientReport } from '../report/report.ts';
import { createTrafficChecker } from '../traffic/check-traffic.ts';
import { identifyRequest } from '../traffic/detect-retries.ts';
import type { RecordedExchange } from '../traffic/recordings/recorded-exchange.ts';

/** What an app did in one run of its command. */
export interface AppRun {
  /** The exit code of the command; 128 plus the number of the signal if a signal ended it. */
  readonly exitCode: number;
  /** Why this process ended the command; undefined if it ended by itself. */
  readonly stopped: string | undefined;
  /** The different requests, by a text that only equal requests share. */
  readonly sent: ReadonlyMap<string, Counted>;
  readonly calls: number;
  /** The number of calls to which a rule of the situation applied. */
  readonly met: number;
  /** Each kind of response other than 2xx, and how often it came. */
  readonly refusals: readonly Counted[];
  /** The last lines that the command printed; empty if it printed to the terminal. */
  readonly output: string;
  /** The models that the app asked for and that the gateway doesn't have. */
  readonly unknownModels: readonly string[];
  readonly client: ClientReport;
}

/** How often something occurred. */
export interface Counted {
  /** Such as `POST /v1/chat/completions, OpenAI/JS 6.1.0`, or `POST /v1/embeddings → 404`. */
  readonly what: string;
  readonly count: number;
}

/** Watches the calls of an app in one run of its command. */
export interface AppObserver {
  /** Adds a call. Returns how often the same request was sent so far. */
  readonly add: (recorded: RecordedExchange) => number;
  readonly end: (ended: Pick<AppRun, 'exitCode' | 'stopped' | 'met' | 'output'>) => AppRun;
}

export function createAppObserver(promise: GatewayPromise): AppObserver {
  const checker = createTrafficChecker({ source: 'live', promise, tool: packageInfo });
  const sent = new Map<string, Counted>();
  const refusals = new Map<string, number>();
  const unknownModels = new Set<string>();
  return {
    add(recorded) {
      const { exchange, redact } = checker.judge(recorded);
      const { method, url } = recorded.request;
      // A client may send any text as its target.
      const path = URL.canParse(url) ? new URL(url).pathname : url;
      const client = exchange.request.headers['user-agent'];
      const request = identifyRequest(exchange);
      const count = (sent.get(request)?.count ?? 0) + 1;
      sent.set(request, {
        what: redact(`${method} ${path}${client === undefined ? '' : `, ${client}`}`),
        count,
      });
      const { status } = answerOf(exchange) ?? {};
      if (status === undefined || status >= 400) {
        const what = redact(`${method} ${path} → ${status ?? 'no response'}`);
        refusals.set(what, (refusals.get(what) ?? 0) + 1);
      }
      const model = findUnknownModel(exchange, promise.errors);
      if (model !== undefined) unknownModels.add(redact(model));
      return count;
    },
    end: (ended) => ({
      ...ended,
      sent,
      calls: sum([...sent.values()].map(({ count }) => count)),
      refusals: [...refusals].map(([what, count]) => ({ what, count })),
      unknownModels: [...unknownModels],
      client: checker.report().recording?.client ?? { requests: 0, duties: [] },
    }),
  };
}

/** Returns the model of a call that failed because the gateway doesn't have it; undefined for every other call. */
function findUnknownModel(exchange: Exchange, errors: ErrorRows): string | undefined {
  const { status = 0 } = answerOf(exchange) ?? {};
  const isUnknown = status === 400 && readAnswer(exchange, errors).about === 'model';
  return isUnknown ? exchange.model : undefined;
}
