import { mapping } from '../../contract/mapping.ts';
import { errorTypes } from '../../contract/specification.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import { hasStreamEnd, reportsError } from '../judge/events.ts';
import type { Finding } from '../judge/finding.ts';
import type { Verdict } from '../judge/judge-requirement.ts';
import { readTextAt, readValueAt } from '../judge/locate.ts';
import { isFailed } from '../judge/outcome.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../transport/exchange.ts';
import type { TrafficCase } from './aggregate-results.ts';
import { placeholder } from './infer-credential.ts';
import { isKnownGood } from './infer-from-response.ts';
import { findKeyHeader, type JudgeableExchange } from './traffic-case.ts';

/** An exchange with the verdict of one requirement. */
export interface JudgedExchange {
  readonly exchange: Exchange;
  readonly isPlain: boolean;
  readonly requirement: Requirement;
  readonly verdict: Verdict;
}

/** Error types that no valid or invalid key in an accepted header explains. */
const explainsNoKey: readonly string[] = [errorTypes.insufficientBalance, errorTypes.missingCredential];

/** The excuse for a key of the profile that is refused. */
export const keyMayHaveChanged = 'The key may not have been valid at that time.';

/** Statuses that a proxy or web server in front of a gateway sends, such as for a request that is too long. */
const proxyStatuses = [407, 408, 411, 413, 414, 421, 425, 431, 499];

/**
 * Returns a reason why a failed requirement may not be the gateway's fault; undefined if no reason exists. In recorded
 * traffic there is no control, and accounts, keys and models may have changed since the profile was written.
 */
export function findExemption({
  exchange,
  isPlain,
  requirement,
  verdict,
}: JudgedExchange): string | undefined {
  if (!isFailed(verdict.outcome)) return undefined;
  const answer = answerOf(exchange);
  if (!answer) return undefined;
  if (verdict.findings.some(({ finding }) => isAboutHeaders(finding)) && hasNoHeaders(answer))
    return 'The response headers are not in the recording.';
  if (requirement.then.kind === 'names' && requirement.then.what === 'place' && !isPlain)
    return 'The error message may be about another part of the request, which the specification does not define.';
  if (answer.status === 403 && !hasError(answer))
    return 'The response is a 403 without `error`, which a server in front of the gateway may have sent.';
  if (requirement.then.kind === 'parts' && !hasStreamEnd(answer.text))
    return 'The recorded stream has no end: the client may have stopped reading, or the gateway may have broken it off.';
  return requirement.over === 'case'
    ? (explainByNetwork(exchange, answer, requirement) ?? explainByChange(exchange, answer))
    : undefined;
}

/** Reasons that lie in the network, in a server in front of the gateway, or in values that only the gateway knows. */
function explainByNetwork(
  exchange: Exchange,
  answer: Answer,
  { needs, then }: Requirement,
): string | undefined {
  const { status } = answer;
  if (status === 304) return 'The response is 304, which a cache may have sent.';
  if (proxyStatuses.includes(status))
    return `The response is ${status}, which a proxy in front of the gateway may have sent.`;
  if (status >= 300 && status < 400 && redirectsToSamePath(exchange, answer))
    return 'The response redirects to another address of the same endpoint.';
  const isAbsent = status === 404 || status === 405;
  const isOfEndpoint = needs === 'endpoint' || exchange.attributes.key === 'none' || !hasError(answer);
  if (isAbsent && needs !== 'key' && isOfEndpoint)
    return `The response is ${status}: the gateway may not have this endpoint.`;
  const wantsSuccess =
    then.kind === 'status' && isInStatusSet(then.status, 200) && !isInStatusSet(then.status, 400);
  const { model = 'none', record = 'none', range = 'none' } = exchange.attributes;
  const hasContents = model !== 'none' || record !== 'none' || range !== 'none';
  return wantsSuccess && hasContents && (status === 400 || (record !== 'none' && status === 404))
    ? `The response is ${status}: the gateway may have refused the model or a parameter of the request.`
    : undefined;
}

/**
 * Reasons that lie in a change of the account, the key or the model. The gateway's own error type counts for more than the
 * status: a 403 about a model says nothing about the key.
 */
function explainByChange({ attributes }: Exchange, answer: Answer): string | undefined {
  const { key, model } = attributes;
  const { status } = answer;
  const type = readTextAt(answer, '/error/type') ?? '';
  const isModelError = type === errorTypes.modelNotAvailable || type === errorTypes.modelNotSupported;
  if (key !== 'depleted' && (type === errorTypes.insufficientBalance || (status === 402 && !isModelError)))
    return 'The account may have had no balance at that time.';
  const isRefused = status === 401 || (status === 403 && !isModelError && !explainsNoKey.includes(type));
  // A key that the operation does not accept in this header is refused whether it is valid or not.
  if (isKnownGood(attributes) && isRefused) return keyMayHaveChanged;
  if (model === 'good' && isModelError && status === 400)
    return 'The model may not have been available at that time.';
  return undefined;
}

function isAboutHeaders(finding: Finding): boolean {
  return finding.kind === 'wrong-media-type' || ('place' in finding && finding.place.startsWith('header '));
}

/** Whether a response was recorded without its headers. Every response has at least one when it is sent. */
function hasNoHeaders({ headers }: Answer): boolean {
  return Object.keys(headers).length === 0;
}

function hasError(answer: Answer): boolean {
  return Object.keys(mapping(readValueAt(answer, '/error'))).length > 0;
}

/** Whether a redirect leads to the same path with another scheme or host, or with a trailing slash added or removed. */
function redirectsToSamePath({ request: { path } }: Exchange, { headers: { location } }: Answer): boolean {
  const base = 'http://recorded.invalid';
  if (location === undefined || !URL.canParse(location, base)) return false;
  const [to, from] = [new URL(location, base), new URL(path, base)];
  return to.pathname.replace(/\/$/, '').endsWith(from.pathname.replace(/\/$/, ''));
}

/** Returns the reason why a verdict is open; undefined if it is not. */
export function explainUndecided({ outcome, reason }: Verdict): string | undefined {
  const isUndecided = outcome === 'inconclusive' || outcome === 'not-applicable';
  return isUndecided ? (reason ?? 'The requirement could not be judged from this response.') : undefined;
}

/** A check of an exchange that can't be decided from the exchange alone. */
export interface UndecidedCheck {
  readonly item: JudgeableExchange;
  readonly trafficCase: TrafficCase;
  readonly requirement: Requirement;
  readonly reason: string;
}

/** Finds successful calls around an exchange that prove what a control proves in a run: the key and the gateway worked. */
export interface TrafficControls {
  /** Postpones a check until a later call decides it, if an earlier call with the same key succeeded. */
  readonly postpone: (check: UndecidedCheck) => void;
  /** Takes note of an exchange, and returns the checks whose failure it proves to be the gateway's. */
  readonly observe: (exchange: Exchange, { id }: Pick<TrafficCase, 'id'>) => readonly UndecidedCheck[];
}

/** A persistent 5xx is proven by this number of equal requests, each between successful calls. */
const serverErrorsNeeded = 3;
const [maxPending, maxKeys] = [500, 1_000];

/** Creates the search; its memory is bounded. */
export function createTrafficControls(): TrafficControls {
  /** Keys, and keys with an operation and header, that succeeded → the number of wrong keys rejected before. */
  const succeeded = new Map<string, number>();
  const pending = new Map<UndecidedCheck, { readonly key: string; readonly rejectedBefore: number }>();
  /** The server errors between successful calls, by case and requirement. */
  const serverErrors = new Map<string, UndecidedCheck[]>();
  const otherwiseAnswered = new Set<string>();
  let rejected = 0;

  function countServerError(check: UndecidedCheck): readonly UndecidedCheck[] {
    if (otherwiseAnswered.has(check.trafficCase.id)) return [];
    const id = `${check.trafficCase.id} ${check.requirement.id}`;
    const found = [...(serverErrors.get(id) ?? []), check];
    serverErrors.set(id, found);
    if (found.length < serverErrorsNeeded) return [];
    return found.length === serverErrorsNeeded ? found : [check];
  }

  return {
    postpone(check) {
      const { exchange } = check.item;
      const { key, call } = identify(exchange);
      const isServerError = (answerOf(exchange)?.status ?? 0) >= 500 && exchange.attributes.key === 'good';
      const wanted = check.reason === keyMayHaveChanged ? key : isServerError ? call : undefined;
      const rejectedBefore = wanted === undefined ? undefined : succeeded.get(wanted);
      if (wanted !== undefined && rejectedBefore !== undefined && pending.size < maxPending)
        pending.set(check, { key: wanted, rejectedBefore });
    },
    observe(exchange, { id }) {
      const answer = answerOf(exchange);
      const { accepted, key: kind } = exchange.attributes;
      if (!answer) return [];
      if (answer.status < 500 && otherwiseAnswered.size < maxKeys) otherwiseAnswered.add(id);
      if (answer.status === 401 && kind !== 'good') rejected += 1;
      if (accepted !== 'true' || !isSuccess(answer.status) || reportsError(answer.text)) return [];
      const { key, call } = identify(exchange);
      if (key === undefined) return [];
      const proven = [...pending].flatMap(([check, { key: wanted, rejectedBefore }]) => {
        if (wanted !== key && wanted !== call) return [];
        pending.delete(check);
        if (wanted === call) return countServerError(check);
        // After a wrong key, a guard in front of the gateway may refuse a good one too, but not in the gateway's own form.
        return rejectedBefore === rejected || isOwnRejection(check.item.exchange) ? [check] : [];
      });
      for (const text of [key, call])
        if (succeeded.has(text) || succeeded.size < maxKeys) succeeded.set(text, rejected);
      return proven;
    },
  };
}

/** Identifies the key of an exchange, and the key together with its header, the operation and streaming. */
function identify({ attributes: { operation, streamed }, request: { headers } }: Exchange): {
  readonly key: string | undefined;
  readonly call: string;
} {
  // The attribute `header` is `any` for every header that the operation accepts.
  const header = findKeyHeader(headers) ?? '';
  const text = headers[header]?.replace(/^Bearer +/i, '');
  // A recorder may replace different keys by the same text.
  const key = text === undefined || placeholder.test(text) ? undefined : text;
  return { key, call: JSON.stringify([key, operation, header, streamed]) };
}

/** Whether the gateway itself rejected a key, with the status and a type of section 7.1. */
function isOwnRejection(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  const type = answer && readTextAt(answer, '/error/type');
  return (
    answer?.status === 401 && (type === errorTypes.invalidBearerToken || type === errorTypes.invalidApiKey)
  );
}
