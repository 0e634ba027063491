import { hasOnlyError } from '../exchange/decode.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Finding, selectMainFindings, severityOfFinding, treatmentOf } from './finding.ts';
import { type FailureKind, failureKinds } from './severity.ts';
import { isUnauthorized, type Subject, subjectOf, withGeneratedKey } from './subject.ts';

/** Returns the kind of failure of an exchange with these findings. */
export function kindOfExchange(
  findings: readonly Finding[],
  exchange: Pick<Exchange, 'id' | 'attributes' | 'result'>,
): FailureKind {
  const subject = subjectOf(withGeneratedKey(exchange.id, exchange.attributes));
  const body = exchange.result.kind === 'answer' ? exchange.result.answer.text : undefined;
  return kindOf(findings, subject, body);
}

/**
 * Returns the kind of failure of one response, with these findings and this body, to a request with this subject: of
 * the worst finding by itself, unless the gateway served a request that it had to refuse, or the other way round.
 */
export function kindOf(findings: readonly Finding[], subject: Subject, body = ''): FailureKind {
  // The status only shows how the gateway reads the unread body of the request before.
  if (subject === 'after-refusal') return 'valid-request-fails';
  const main = selectMainFindings(findings);
  const treatments = main.map(treatmentOf);
  if (subject === 'valid-request') {
    if (treatments.includes('refused')) return 'valid-request-fails';
  } else if (treatments.includes('served') && !hasOnlyError(body)) {
    return isUnauthorized(subject) ? 'unauthorized-access' : 'invalid-accepted';
  }
  const own = main.map(severityOfFinding);
  return failureKinds.find((kind) => own.includes(kind)) ?? 'wrong-detail';
}
