import type { Failure } from './failures.ts';
import { isBadCredential, type Subject } from './subject.ts';

/** Which requests a cause is about: their subject, and whether something beside a bad credential is wrong with them. */
export interface Scope {
  readonly subject: Subject | 'bad-credential';
  readonly isCombined: boolean;
}

/** What failures of one cause have in common. */
export interface CauseKey {
  readonly text: string;
  readonly scope: Scope;
}

/**
 * Makes the keys of failures. An operation that serves requests without a credential serves those with a malformed one for
 * the same cause, and those with a wrong key if it takes an unknown one; one that takes an unknown key takes any other.
 */
export function makeCauseKey(failures: readonly Failure[]): (failure: Failure) => CauseKey {
  const open = operationsThatServe(failures, ({ subject }) => subject === 'no-credential');
  const anyKey = operationsThatServe(failures, ({ facts }) => facts.key === 'unknown');
  const subjectAt = ({ subject, facts: { operation = '' } }: Failure): Subject => {
    const isWrong = subject === 'wrong-key' || subject === 'deleted-key';
    if (isBadCredential(subject) && open.has(operation) && (!isWrong || anyKey.has(operation)))
      return 'no-credential';
    const isKey = subject === 'deleted-key' || subject === 'empty-key';
    return isKey && anyKey.has(operation) ? 'wrong-key' : subject;
  };
  return (failure) => {
    const { severity, kind, symptom, subject } = failure;
    const grade = severity === kind ? [severity] : [severity, kind];
    switch (kind) {
      case 'unauthorized-access':
      case 'invalid-accepted': {
        const scope = { subject: subjectAt(failure), isCombined: false };
        return { text: [...grade, ...formatScope(scope, failure)].join(' '), scope };
      }
      case 'server-error':
      case 'wrong-status': {
        const scope = scopeOfRefusal(failure);
        const seen = symptom.status?.actual ?? symptom.key;
        return { text: [...grade, ...formatScope(scope, failure), seen].join(' '), scope };
      }
      case 'wrong-type':
      case 'wrong-detail':
        return { text: [...grade, symptom.key].join(' '), scope: { subject, isCombined: false } };
    }
  };
}

/** All bad credentials are refused in one place of a gateway. */
function scopeOfRefusal({ subject, facts }: Failure): Scope {
  return isBadCredential(subject)
    ? { subject: 'bad-credential', isCombined: facts.request === 'invalid' }
    : { subject, isCombined: false };
}

/** The words of a scope. Requests without known attributes are alike if their requirements are of one part of the ledger. */
function formatScope({ subject, isCombined }: Scope, { requirement }: Failure): string[] {
  if (subject === 'unknown') return [requirement.id.split('/', 1)[0] ?? ''];
  return isCombined ? [subject, 'with invalid request'] : [subject];
}

function operationsThatServe(
  failures: readonly Failure[],
  isSuch: (failure: Failure) => boolean,
): Set<string> {
  const served = failures.filter((failure) => failure.kind === 'unauthorized-access' && isSuch(failure));
  return new Set(served.map(({ facts }) => facts.operation ?? ''));
}
