import { type Exchange, succeeded } from '../exchange/exchange.ts';
import { isTransientResult } from '../exchange/reading.ts';
import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { FailureKind } from '../judge/severity.ts';
import type { DriveOutcome } from './drive-sdk.ts';
import type { SdkRequirement } from './sdk-spec.ts';

export interface SdkVerdict {
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  readonly reason?: string;
}

export interface SdkCallResult {
  /** The names and versions of the packages, as text for reports. */
  readonly sdk: string;
  readonly outcome: DriveOutcome;
  readonly exchanges: readonly Exchange[];
}

export const conformsVerdict: SdkVerdict = { outcome: 'conforms', findings: [] };

export function createFailedVerdict(
  { level }: Pick<SdkRequirement, 'level'>,
  ...findings: readonly Finding[]
): SdkVerdict {
  return { outcome: level === 'must' ? 'violates' : 'warns', findings };
}

export function createInconclusiveVerdict(reason: string): SdkVerdict {
  return { outcome: 'inconclusive', findings: [], reason };
}

export function createNotApplicableVerdict(reason: string): SdkVerdict {
  return { outcome: 'not-applicable', findings: [], reason };
}

/** A difference between the expected and the actual result of an SDK call. */
export interface Mismatch {
  /** The subject of the expectation, such as `the status`. */
  readonly name: string;
  readonly expected: string;
  readonly actual: string | undefined;
  /** The consequence for the user of this SDK. */
  readonly effect?: string;
}

/** Creates a finding about an SDK call. `violates` lists the requirements on the gateway that the response violates. */
export function createFinding(
  { sdk }: Pick<SdkCallResult, 'sdk'>,
  { name, expected, actual, effect }: Mismatch,
  severity: FailureKind,
  violates: readonly string[] = [],
): Finding {
  const client = { sdk, ...(effect !== undefined && { effect }), severity, violates };
  return { kind: 'wrong-attribute', name, expected, actual, client };
}

/**
 * Formats the outcome of an SDK call: the class and the text of the raised error, `no error`, or the reason why the
 * call did not end.
 */
export function formatRaised(outcome: DriveOutcome): string {
  if (outcome.kind === 'raised') return `${outcome.error.class} ${JSON.stringify(outcome.error.text)}`;
  return outcome.kind === 'returned' ? 'no error' : outcome.reason;
}

/**
 * Returns the verdict for a call that did not end, got no response, or got a transient last response; undefined for any
 * other call.
 */
export function judgeIncomplete({ outcome, exchanges }: SdkCallResult): SdkVerdict | undefined {
  if (outcome.kind === 'unfinished') return createInconclusiveVerdict(outcome.reason);
  const last = exchanges.at(-1);
  if (!last) return createNotApplicableVerdict(`The SDK sent no request: ${formatRaised(outcome)}.`);
  if (last.result.kind === 'failure')
    return createInconclusiveVerdict(`No response was received: ${last.result.failure.detail}.`);
  if (isTransientResult(last.result))
    return createInconclusiveVerdict(
      `The response was ${last.result.answer.status}, which may be transient.`,
    );
  return undefined;
}

/** Returns the verdict on a valid call, a stream or a list. A call conforms if the SDK returns all documented parts. */
export function judgeValidCall(
  requirement: SdkRequirement,
  result: SdkCallResult,
  { keyAccepted, isOwnList }: { readonly keyAccepted: boolean; readonly isOwnList: boolean },
): SdkVerdict {
  const incomplete = judgeIncomplete(result);
  if (incomplete) return incomplete;
  const { outcome, exchanges } = result;
  if (outcome.kind === 'returned' && outcome.missing === undefined) return conformsVerdict;
  const last = exchanges.at(-1);
  const status = last?.result.kind === 'answer' ? last.result.answer.status : 0;
  if (!keyAccepted && (status === 401 || status === 403))
    return createInconclusiveVerdict(`The key was rejected (${status}).`);
  if (isOwnList)
    return createNotApplicableVerdict('The specification does not define the list that this SDK requests.');
  return createFailedVerdict(
    requirement,
    createFinding(result, describeLoss(outcome, last), 'valid-request-fails'),
  );
}

function describeLoss(outcome: DriveOutcome, last: Exchange | undefined): Mismatch {
  if (outcome.kind === 'returned')
    return { name: outcome.missing ?? 'the response', expected: 'in the response', actual: undefined };
  const effect = `${formatRaised(outcome)} is raised`;
  return last && !succeeded(last.result) && last.result.kind === 'answer'
    ? { name: 'the status', expected: '2xx', actual: String(last.result.answer.status), effect }
    : { name: 'the response', expected: 'a response that the SDK can read', actual: 'an error', effect };
}
