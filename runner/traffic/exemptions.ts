import { mapping } from '../../contract/mapping.ts';
import { errorTypes } from '../../contract/specification.ts';
import type { Requirement } from '../catalog/ledger.ts';
import { inStatusSet } from '../catalog/status-set.ts';
import type { Finding } from '../judge/finding.ts';
import type { Verdict } from '../judge/judge.ts';
import { textAt, valueAt } from '../judge/locate.ts';
import { isFailed } from '../judge/outcome.ts';
import { type Answer, answerOf, type Exchange } from '../transport/exchange.ts';

/** A verdict on an exchange, and what it was held against. */
export interface Held {
  readonly exchange: Exchange;
  /** Whether its request has nothing of which the specification does not speak. */
  readonly plain: boolean;
  readonly requirement: Requirement;
  readonly verdict: Verdict;
}

/** What proxies and servers in front of a gateway answer by themselves: too long, too late, not theirs. */
const inFront = [407, 408, 411, 413, 414, 421, 425, 431, 499];

/**
 * Why a wrong answer says nothing of the gateway: between a profile and a recording, accounts run dry, keys are deleted
 * and models go, and no control was sent beside the request. Undefined where nothing excuses it.
 */
export function circumstance({ exchange, plain, requirement, verdict }: Held): string | undefined {
  if (!isFailed(verdict.outcome)) return undefined;
  const answer = answerOf(exchange);
  if (!answer) return undefined;
  if (verdict.findings.some(({ finding }) => asksForHeaders(finding)) && hasNoHeaders(answer))
    return 'The headers of the answer are not in the recording.';
  if (requirement.then.kind === 'names' && requirement.then.what === 'place' && !plain)
    return 'Something else in the request may have been at fault.';
  return requirement.over === 'case'
    ? (passing(exchange, answer, requirement) ?? changed(exchange, answer))
    : undefined;
}

/** What the network, or what stands before a gateway, makes of a request. */
function passing(exchange: Exchange, answer: Answer, { needs, then }: Requirement): string | undefined {
  const { status } = answer;
  if (status === 304) return 'A cache may have answered.';
  if (inFront.includes(status)) return `Something in front of the gateway may have answered ${status}.`;
  if (status >= 300 && status < 400 && leadsToTheSame(exchange, answer))
    return 'It was sent on to another address of the same endpoint.';
  const isAbsent = status === 404 || status === 405;
  const isOfEndpoint = needs === 'endpoint' || exchange.facts.key === 'none' || !hasError(answer);
  if (isAbsent && needs !== 'key' && isOfEndpoint) return 'The endpoint may not be there.';
  const wantsSuccess =
    then.kind === 'status' && inStatusSet(then.status, 200) && !inStatusSet(then.status, 400);
  const { model = 'none', record = 'none', range = 'none' } = exchange.facts;
  const hasContents = model !== 'none' || record !== 'none' || range !== 'none';
  return wantsSuccess && hasContents && (status === 400 || (record !== 'none' && status === 404))
    ? 'It may have been refused for what stands in it.'
    : undefined;
}

/** What became of keys, accounts and models. */
function changed({ facts: { key, model } }: Exchange, answer: Answer): string | undefined {
  const type = textAt(answer, '/error/type');
  if (key !== 'depleted' && (answer.status === 402 || type === errorTypes.insufficientBalance))
    return 'The account may have had no balance.';
  const mayBeRefused = key === 'good' || key === 'depleted' || key === 'foreign';
  if (mayBeRefused && (answer.status === 401 || answer.status === 403))
    return 'The key may not have been a good one any more.';
  if (model === 'good' && (type === errorTypes.modelNotAvailable || type === errorTypes.modelNotSupported))
    return 'The model may not have been available.';
  return undefined;
}

function asksForHeaders(finding: Finding): boolean {
  return finding.kind === 'wrong-media-type' || ('place' in finding && finding.place.startsWith('header '));
}

/** No answer goes over a wire without a header. */
function hasNoHeaders({ headers }: Answer): boolean {
  return Object.keys(headers).length === 0;
}

function hasError(answer: Answer): boolean {
  return Object.keys(mapping(valueAt(answer, '/error'))).length > 0;
}

/** Whether a redirection leads to the same path, under another scheme or host, or with a slash behind it. */
function leadsToTheSame({ request: { path } }: Exchange, { headers: { location } }: Answer): boolean {
  const stand = 'http://recorded.invalid';
  if (location === undefined || !URL.canParse(location, stand)) return false;
  const [to, from] = [new URL(location, stand), new URL(path, stand)];
  return to.pathname.replace(/\/$/, '').endsWith(from.pathname.replace(/\/$/, ''));
}
