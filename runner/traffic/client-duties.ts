import { protocolVersion } from '../../common/specification.ts';
import { attributesOfPackage } from '../catalog/attributes.ts';
import type { ClientDuty, ClientDutyId } from '../catalog/client-duties.ts';
import { answerOf, type Exchange } from '../exchange/exchange.ts';
import type { ClientFinding, ClientReport } from '../report/report.ts';
import { createRetryDetector, type Retry } from './detect-retries.ts';
import type { RecordedExchange } from './recordings/recorded-exchange.ts';

interface SentRequest {
  readonly exchange: Exchange;
  readonly credentialCount: number;
  readonly retry: Retry | undefined;
}

/** Returns the problem of a request, or `satisfied`; undefined if the duty does not apply or cannot be checked. */
type CheckDuty = (sent: SentRequest, versionHeader: string) => string | undefined;
const satisfied = 'satisfied';

const dutyChecks: Readonly<Record<ClientDutyId, CheckDuty>> = {
  'client/one-header': ({ exchange: { attributes }, credentialCount }) => {
    const { header, key, accepted } = attributes;
    if (header === undefined) return undefined;
    if (credentialCount > 1) return `The request has ${credentialCount} credentials instead of 1.`;
    const { places, valuesOf } = attributesOfPackage();
    const [part] = places.get(header)?.parts ?? [];
    if (part && part.in !== 'headers') return `The key is in the ${part.in} instead of a header.`;
    if (part && valuesOf('header', 'unlisted-header').includes(header))
      return `The key is in the header ${part.name}, which the specification does not define.`;
    if (credentialCount === 0) return 'The request has no credential.';
    if (key === 'empty') return 'The key is empty.';
    if (header === 'raw') return 'The key is in Authorization without the scheme Bearer.';
    if (valuesOf('header', 'other-scheme').includes(header))
      return 'The scheme in Authorization is not Bearer.';
    return header === 'x-goog-api-key' && accepted === 'false'
      ? 'The key is in x-goog-api-key, which only family C accepts.'
      : satisfied;
  },
  'client/json-content-type': ({ exchange: { request } }) => {
    if (!request.body) return undefined;
    const type = request.headers['content-type'];
    if (type === undefined) return 'The request has a body but no Content-Type header.';
    return /^application\/json\s*(;|$)/i.test(type)
      ? satisfied
      : `The Content-Type is ${type} instead of application/json.`;
  },
  'client/version-header': ({ exchange: { attributes, request } }, name) => {
    if (attributes.family !== 'B') return undefined;
    if (attributes.version === 'sent') return satisfied;
    return attributes.version === 'missing'
      ? `The header ${name} is missing.`
      : `The header ${name} is ${request.headers[name]} instead of ${protocolVersion}.`;
  },
  'client/no-repeat-of-400': ({ retry }) => {
    if (!retry) return undefined;
    return retry.statusBefore === 400
      ? `The client sent the same request again ${formatSeconds(retry.gapMs)} after a 400 response.`
      : satisfied;
  },
  'client/growing-gaps': ({ retry }) => {
    if (!retry || !isTransientStatus(retry.statusBefore) || retry.gapBeforeMs === undefined) return undefined;
    const isAsAsked = retry.retryAfterMs !== undefined && retry.gapMs >= retry.retryAfterMs;
    if (isAsAsked || retry.gapMs > retry.gapBeforeMs * (1 + jitter)) return satisfied;
    // Pauses that have grown may stay at a maximum. Requests at long intervals are not retries.
    if (retry.hasGrown || retry.gapMs > longestPauseMs) return undefined;
    // Jitter may shorten a single pause.
    const shrinks = retry.gapMs < retry.gapBeforeMs * (1 - jitter) && retry.gapBeforeMs > shortestPauseMs;
    if (shrinks && !retry.hasShrunk) return undefined;
    return `The pauses do not grow: ${formatSeconds(retry.gapBeforeMs)} before the previous retry, ${formatSeconds(retry.gapMs)} before this retry.`;
  },
  'client/retry-after': ({ retry }) => {
    if (retry?.retryAfterMs === undefined) return undefined;
    if (retry.gapMs >= retry.retryAfterMs) return satisfied;
    return `The client waited only ${formatSeconds(retry.gapMs)} before this retry, but Retry-After was ${formatSeconds(retry.retryAfterMs)}.`;
  },
};

/**
 * The maximum relative difference between pauses that count as equal. In common clients, a pause that grows is at
 * least 1.5 times as long as the previous pause.
 */
const jitter = 0.2;
/**
 * The maximum pause that can violate `client/growing-gaps`, in milliseconds. A request after a longer pause may belong
 * to a series of requests at regular intervals.
 */
const longestPauseMs = 10_000;
/** The maximum length of a pause that counts as no pause, in milliseconds. */
const shortestPauseMs = 20;

function isTransientStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
}

const maxFindings = 10;

export interface ClientRequest {
  readonly exchange: Exchange;
  readonly credentialCount: number;
  /** Whether the whole body is recorded, so that a retry can be detected. */
  readonly isWhole: boolean;
  readonly redact: (text: string) => string;
}

export interface ClientBreach {
  readonly duty: ClientDuty;
  /**
   * Describes the request and its problem. Call this function only for requests that are shown, because redaction is
   * slow.
   */
  readonly describe: () => ClientFinding;
}

/** Checks whether requests satisfy the duties of clients, one request after another. */
export interface ClientJudge {
  /** Returns the duties that the request violates; an empty list if the request violates no duty. */
  readonly judge: (request: ClientRequest) => readonly ClientBreach[];
  readonly report: () => ClientReport;
}

/** Creates the judge of client duties. The judge uses a bounded amount of memory. */
export function createClientJudge(duties: readonly ClientDuty[], versionHeader: string): ClientJudge {
  const detectRetry = createRetryDetector();
  const tallies = duties.map((duty) => ({ duty, kept: 0, broken: 0, findings: [] as ClientFinding[] }));
  let requests = 0;
  return {
    judge({ exchange, credentialCount, isWhole, redact }) {
      requests += 1;
      const breaches: ClientBreach[] = [];
      const sent = { exchange, credentialCount, retry: isWhole ? detectRetry(exchange) : undefined };
      for (const tally of tallies) {
        const problem = dutyChecks[tally.duty.id](sent, versionHeader);
        if (problem === satisfied) tally.kept += 1;
        else if (problem !== undefined) {
          const describe = (): ClientFinding => createClientFinding(exchange, problem, redact);
          breaches.push({ duty: tally.duty, describe });
          tally.broken += 1;
          if (tally.findings.length < maxFindings) tally.findings.push(describe());
        }
      }
      return breaches;
    },
    report: () => ({
      requests,
      duties: tallies.map(({ duty, findings, ...counts }) => ({
        ...duty,
        clause: duty.clause.join('; '),
        ...counts,
        findings: [...findings],
      })),
    }),
  };
}

function createClientFinding(
  exchange: Exchange,
  message: string,
  redact: (text: string) => string,
): ClientFinding {
  const { method, path, headers } = exchange.request;
  const { 'user-agent': client } = headers;
  return {
    exchange: exchange.id,
    startedAt: new Date(exchange.startedAt).toISOString(),
    request: redact(`${method} ${path}`),
    status: answerOf(exchange)?.status ?? null,
    message: redact(message),
    ...(client !== undefined && { client: redact(client) }),
  };
}

/** The reason why an exchange is not judged if its client does not match `--client`. */
export const otherClientReason = 'The client does not match --client.';

/**
 * Creates a function that returns whether the `user-agent` header of an exchange contains `text`, ignoring case.
 * If `text` is undefined, the function always returns true.
 */
export function createClientFilter(text: string | undefined): (recorded: RecordedExchange) => boolean {
  if (text === undefined) return () => true;
  const wanted = text.toLowerCase();
  return ({ request: { headers } }) =>
    headers.some(([name, value]) => name === 'user-agent' && value.toLowerCase().includes(wanted));
}
