import type { ErrorRows } from '../catalog/errors.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { type Attribution, attribute } from '../evidence/attribution.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Finding } from '../judge/finding.ts';
import type { Verdict } from '../judge/judge-requirement.ts';
import { isFailed, isUndecided } from '../judge/outcome.ts';
import { listOwnHeaders } from './inference/infer-credential.ts';

export interface JudgedExchange {
  readonly exchange: Exchange;
  readonly isPlain: boolean;
  readonly requirement: Requirement;
  readonly verdict: Verdict;
  /** Whether the gateway refused several wrong keys shortly before. */
  readonly isAfterWrongKeys: boolean;
}

/** Returns why a failure may not be the gateway's doing, or why a check is undecided; undefined if neither applies. */
export function attributeCheck(
  { exchange, isPlain, requirement, verdict, isAfterWrongKeys }: JudgedExchange,
  errors: ErrorRows,
): Attribution | undefined {
  const { outcome, findings, reason } = verdict;
  if (!isFailed(outcome) && !isUndecided(outcome)) return undefined;
  const undecided = isFailed(outcome)
    ? undefined
    : (reason ?? 'The requirement could not be judged from this response.');
  const concernsHeaders = findings.some(({ finding }) => isAboutHeaders(finding));
  const hasOwnHeaders = listOwnHeaders(exchange.request.headers).length > 0;
  const check = { requirement, undecided, isPlain, concernsHeaders, hasOwnHeaders, isAfterWrongKeys };
  return attribute(exchange, check, errors);
}

function isAboutHeaders(finding: Finding): boolean {
  return (
    finding.kind === 'wrong-media-type' ||
    ('place' in finding && finding.place?.startsWith('header ') === true)
  );
}
