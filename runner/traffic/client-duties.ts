import type { ClientDuty, ClientDutyId } from '../catalog/client-duties.ts';
import type { ClientFinding, ClientReport } from '../report/report.ts';
import { answerOf, type Exchange } from '../transport/exchange.ts';
import { makeRetryDetector, type Repeat } from './detect-retries.ts';
import { isJsonType } from './infer-attributes.ts';

/** What is looked at of a client's request. */
interface Sent {
  readonly exchange: Exchange;
  readonly credentials: number;
  readonly repeat: Repeat | undefined;
}

/** What is wrong, `kept`, or undefined where there is no occasion. */
type Look = (sent: Sent, versionHeader: string) => string | undefined;
const kept = 'kept';

const looks: Readonly<Record<ClientDutyId, Look>> = {
  'client/one-header': ({ exchange: { facts }, credentials }) => {
    if (facts.header === undefined || credentials === 1) return facts.header === undefined ? undefined : kept;
    if (credentials > 1) return `It carries ${credentials} credentials.`;
    return facts.header === 'query'
      ? 'Its key stands in the query, and in no header.'
      : 'It carries no credential.';
  },
  'client/json-content-type': ({ exchange: { request } }) => {
    if (!request.body) return undefined;
    const type = request.headers['content-type'];
    if (type === undefined) return 'It has a body and no content type.';
    return isJsonType(type) ? kept : `Its content type is ${type}.`;
  },
  'client/version-header': ({ exchange: { facts, request } }, name) => {
    if (facts.family !== 'B') return undefined;
    if (facts.version === 'sent') return kept;
    return facts.version === 'missing'
      ? `It has no header ${name}.`
      : `Its ${name} is ${request.headers[name]}.`;
  },
  'client/no-repeat-of-400': ({ repeat }) => {
    if (!repeat) return undefined;
    return repeat.after === 400
      ? `It was sent again ${seconds(repeat.gapMs)} after it was answered 400.`
      : kept;
  },
  'client/growing-gaps': ({ repeat }) => {
    if (!repeat || !isPassing(repeat.after) || repeat.gapBeforeMs === undefined) return undefined;
    const asked = repeat.retryAfterMs !== undefined && repeat.gapMs >= repeat.retryAfterMs;
    if (asked || repeat.gapMs > repeat.gapBeforeMs * (1 + jitter)) return kept;
    // What grew before may stay at its longest; what is asked for at long intervals is no retry; and chance may shorten.
    if (repeat.hasGrown || repeat.gapMs > longestRetryMs) return undefined;
    const shrinks = repeat.gapMs < repeat.gapBeforeMs * (1 - jitter) && repeat.gapBeforeMs > hurriedMs;
    if (shrinks && !repeat.hasShrunk) return undefined;
    return `It was sent again after ${seconds(repeat.gapMs)}, and before that after ${seconds(repeat.gapBeforeMs)}.`;
  },
  'client/retry-after': ({ repeat }) => {
    if (repeat?.retryAfterMs === undefined) return undefined;
    if (repeat.gapMs >= repeat.retryAfterMs) return kept;
    return `It was sent again after ${seconds(repeat.gapMs)}, where ${seconds(repeat.retryAfterMs)} were asked for.`;
  },
};

/** Pauses that differ by less are alike; those of clients are longer by a half at the least where they grow. */
const jitter = 0.2;
/** Who asks again after longer than this asks now and then. */
const longestRetryMs = 10_000;
/** Shorter pauses are none, whatever they are beside each other. */
const hurriedMs = 20;

function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
}

/** So many examples of a broken duty are told. */
const shown = 10;

/** A request of a client, with what came of it. */
export interface ClientRequest {
  readonly exchange: Exchange;
  /** How many credentials it has. */
  readonly credentials: number;
  /** Whether all of its body is known, so that it can be told from others. */
  readonly isWhole: boolean;
  /** Makes a text fit to be shown, without keys. */
  readonly show: (text: string) => string;
}

/** Looks at what clients send; `report` tells what they kept and broke until now. */
export interface ClientJudge {
  readonly take: (request: ClientRequest) => void;
  readonly report: () => ClientReport;
}

/** Holds requests to the duties of clients, in bounded memory. */
export function makeClientJudge(duties: readonly ClientDuty[], versionHeader: string): ClientJudge {
  const repeats = makeRetryDetector();
  const sums = duties.map((duty) => ({ duty, kept: 0, broken: 0, findings: [] as ClientFinding[] }));
  let requests = 0;
  return {
    take({ exchange, credentials, isWhole, show }) {
      requests += 1;
      const repeat = isWhole ? repeats(exchange) : undefined;
      const sent = { exchange, credentials, repeat };
      for (const sum of sums) {
        const found = looks[sum.duty.id](sent, versionHeader);
        if (found === kept) sum.kept += 1;
        else if (found !== undefined) {
          sum.broken += 1;
          if (sum.findings.length < shown) sum.findings.push(findingOf(exchange, found, show));
        }
      }
    },
    report: () => ({
      requests,
      duties: sums.map(({ duty, findings, ...counts }) => ({
        ...duty,
        clause: duty.clause.join('; '),
        ...counts,
        findings: [...findings],
      })),
    }),
  };
}

function findingOf(exchange: Exchange, message: string, show: (text: string) => string): ClientFinding {
  const { method, path } = exchange.request;
  return {
    exchange: exchange.id,
    startedAt: new Date(exchange.startedAt).toISOString(),
    request: show(`${method} ${path}`),
    status: answerOf(exchange)?.status ?? null,
    message: show(message),
  };
}
