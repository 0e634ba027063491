import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import { type Exchange, isTransient, succeeded } from '../transport/exchange.ts';
import type { ClientRequirement } from './client-ledger.ts';
import type { DriveOutcome } from './drive.ts';

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
  readonly came: DriveOutcome;
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

/** What was expected of a response to an SDK, in words that are the same for every SDK. */
export interface Expected {
  readonly fact: string;
  readonly expected: string;
  readonly actual: string | undefined;
  /** What this is for the user of this SDK. */
  readonly effect?: string;
}

/** A finding about a response to an SDK, and the requirements of the gateway that the response violates. */
export function finding(
  { sdk }: Pick<ClientResult, 'sdk'>,
  { fact, expected, actual, effect }: Expected,
  violates: readonly string[] = [],
): Finding {
  const client = { sdk, ...(effect !== undefined && { effect }), violates };
  return { kind: 'wrong-fact', fact, expected, actual, client };
}

/** What an SDK raised, in a few words. */
export function formatRaised(came: DriveOutcome): string {
  if (came.kind === 'raised') return `${came.error.class} ${JSON.stringify(came.error.text)}`;
  return came.kind === 'given' ? 'no error' : came.reason;
}

/** Why nothing can be said of a case, for reasons that are not the gateway's answer. */
export function unjudgeable({ came, exchanges }: ClientResult): ClientVerdict | undefined {
  if (came.kind === 'unfinished') return inconclusive(came.reason);
  const last = exchanges.at(-1);
  if (!last) return notApplicable(`The SDK sent nothing: ${formatRaised(came)}.`);
  if (last.result.kind === 'failure')
    return inconclusive(`No response was received: ${last.result.failure.detail}.`);
  if (isTransient(last.result))
    return inconclusive(`The response was ${last.result.answer.status}, which may be transient.`);
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
  const { came, exchanges } = result;
  if (came.kind === 'given' && came.missing === undefined) return kept;
  const last = exchanges.at(-1);
  const status = last?.result.kind === 'answer' ? last.result.answer.status : 0;
  if (!keyAccepted && (status === 401 || status === 403))
    return inconclusive(`The key is refused (${status}).`);
  if (isOwnList) return notApplicable('The specification does not define the list that this SDK requests.');
  return broken(requirement, finding(result, lostAnswer(came, last)));
}

/** What the user of an SDK lacks of a good call: the whole answer, or a part of it. */
function lostAnswer(came: DriveOutcome, last: Exchange | undefined): Expected {
  if (came.kind === 'given')
    return { fact: came.missing ?? 'the answer', expected: 'in the answer', actual: undefined };
  const effect = `${formatRaised(came)} is raised`;
  return last && !succeeded(last.result) && last.result.kind === 'answer'
    ? { fact: 'the status', expected: '2xx', actual: String(last.result.answer.status), effect }
    : { fact: 'the answer', expected: 'readable', actual: 'an error', effect };
}
