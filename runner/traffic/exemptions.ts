import { mapping } from '../../contract/mapping.ts';
import { errorTypes } from '../../contract/specification.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import type { Finding } from '../judge/finding.ts';
import type { Verdict } from '../judge/judge-requirement.ts';
import { readTextAt, readValueAt } from '../judge/locate.ts';
import { isFailed } from '../judge/outcome.ts';
import { type Answer, answerOf, type Exchange } from '../transport/exchange.ts';

/** An exchange with the verdict of one requirement. */
export interface JudgedExchange {
  readonly exchange: Exchange;
  readonly isPlain: boolean;
  readonly requirement: Requirement;
  readonly verdict: Verdict;
}

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

function explainByChange({ attributes: { key, model } }: Exchange, answer: Answer): string | undefined {
  const type = readTextAt(answer, '/error/type');
  if (key !== 'depleted' && (answer.status === 402 || type === errorTypes.insufficientBalance))
    return 'The account may have had no balance at that time.';
  const mayBeRefused = key === 'good' || key === 'depleted' || key === 'foreign';
  if (mayBeRefused && (answer.status === 401 || answer.status === 403))
    return 'The key may not have been valid at that time.';
  if (model === 'good' && (type === errorTypes.modelNotAvailable || type === errorTypes.modelNotSupported))
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
