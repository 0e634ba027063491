import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import { type Exchange, isTransient } from '../send/exchange.ts';
import type { ClientRequirement } from './client-ledger.ts';
import type { Came } from './drive.ts';

/** What became of a requirement in a case. */
export interface ClientVerdict {
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  readonly reason?: string;
}

/** What a case came to, with all that it is judged by. */
export interface ClientResult {
  /** As people know the SDK, with its version. */
  readonly sdk: string;
  readonly came: Came;
  readonly exchanges: readonly Exchange[];
}

export const kept: ClientVerdict = { outcome: 'conforms', findings: [] };

export function broken(
  { level }: Pick<ClientRequirement, 'level'>,
  ...findings: readonly Finding[]
): ClientVerdict {
  return { outcome: level === 'must' ? 'violates' : 'warns', findings };
}

export function inconclusive(reason: string): ClientVerdict {
  return { outcome: 'inconclusive', findings: [], reason };
}

export function notApplicable(reason: string): ClientVerdict {
  return { outcome: 'not-applicable', findings: [], reason };
}

/** A finding about what an SDK made of an answer. */
export function finding(fact: string, expected: string, actual: string | undefined): Finding {
  return { kind: 'wrong-fact', fact, expected, actual };
}

/** What was raised, in a few words. */
export function wordRaised(came: Came): string {
  if (came.kind === 'raised') return `${came.error.class} ${JSON.stringify(came.error.text)}`;
  return came.kind === 'given' ? 'no error' : came.reason;
}

/** Why nothing can be said of a case, for reasons that are not the gateway's answer. */
export function unjudgeable({ came, exchanges }: ClientResult): ClientVerdict | undefined {
  if (came.kind === 'unfinished') return inconclusive(came.reason);
  const last = exchanges.at(-1);
  if (!last) return notApplicable(`The SDK sent nothing: ${wordRaised(came)}.`);
  if (last.result.kind === 'failure') return inconclusive(`No answer came: ${last.result.failure.detail}.`);
  if (isTransient(last.result))
    return inconclusive(`An answer ${last.result.answer.status} may be a passing condition of the gateway.`);
  return undefined;
}

/** Holds a good call, a stream or a list against what the SDK documents to give of it. */
export function judgeGood(
  requirement: ClientRequirement,
  result: ClientResult,
  { keyAccepted, isOwnList }: { readonly keyAccepted: boolean; readonly isOwnList: boolean },
): ClientVerdict {
  const open = unjudgeable(result);
  if (open) return open;
  const { came, exchanges, sdk } = result;
  if (came.kind === 'given' && came.missing === undefined) return kept;
  const last = exchanges.at(-1);
  const status = last?.result.kind === 'answer' ? last.result.answer.status : 0;
  if (!keyAccepted && (status === 401 || status === 403))
    return inconclusive(`The key is refused (${status}).`);
  if (isOwnList) return notApplicable('The SDK asks for a list of which the specification does not speak.');
  return came.kind === 'given'
    ? broken(requirement, finding(`${came.missing} in ${sdk}`, 'there', undefined))
    : broken(requirement, finding(`the answer in ${sdk}`, 'read', wordRaised(came)));
}
