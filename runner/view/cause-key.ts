import { isBadCredential, isOverlapping, type Subject, subjectsOf } from '../judge/subject.ts';
import { requestOf } from '../report/select-examples.ts';
import { type FailedResponse, isDirect } from './failures.ts';

/**
 * The requests of a cause. `isCombined` is true for wrong rejections of requests that have an invalid body or model
 * in addition to an invalid credential.
 */
export interface Scope {
  readonly subject: Subject | 'bad-credential';
  readonly isCombined: boolean;
}

/** The key by which failures are grouped, and the requests of the group. */
export interface CauseKey {
  readonly text: string;
  readonly scope: Scope;
}

/** A failure with its key. */
export interface KeyedFailure {
  readonly failure: FailedResponse;
  readonly key: CauseKey;
  /** Whether another failure with this key explains this failure. */
  readonly isConsequence: boolean;
}

/**
 * Returns the keys of failures. Three kinds of failures follow from another and get its key: what else is wrong with a
 * response that has the wrong status, such as the type, unless a requirement of the same level judges the same request;
 * the wrong status for a request with several invalid parts, if the same status is wrong for one of the parts; and a
 * violated recommendation that repeats a violation on the same operation.
 */
export function findKeys(failures: readonly FailedResponse[]): KeyedFailure[] {
  const keyOf = createCauseKey(failures);
  const ofParts = new Map<string, CauseKey>();
  const ofRequests = new Map<string, CauseKey>();
  // Only these failures explain others, so an explained failure explains nothing.
  const explaining = failures.filter(
    (failure) => failure.symptom.status !== undefined && failure.outcome === 'violates' && isDirect(failure),
  );
  for (const failure of explaining) {
    const [subject, ...others] = subjectsOf(failure.attributes);
    if (subject !== undefined && others.length === 0)
      ofParts.set(describePart(failure, subject), keyOf(failure));
  }
  const findPart = (failure: FailedResponse): CauseKey | undefined => {
    const subjects = subjectsOf(failure.attributes);
    if (subjects.length < 2) return undefined;
    return subjects.flatMap((subject) => ofParts.get(describePart(failure, subject)) ?? [])[0];
  };
  for (const failure of explaining) {
    const request = requestOf(failure.exchange);
    if (!ofRequests.has(request)) ofRequests.set(request, findPart(failure) ?? keyOf(failure));
  }
  const twins = findTwins(failures, keyOf);
  return failures.map((failure) => {
    if (findInProfile(failure) !== undefined) return { failure, key: keyOf(failure), isConsequence: false };
    const follows = !isDirect(failure) || failure.outcome === 'warns';
    const key =
      findPart(failure) ??
      (follows ? ofRequests.get(requestOf(failure.exchange)) : undefined) ??
      (failure.outcome === 'warns' ? twins(failure) : undefined);
    return { failure, key: key ?? keyOf(failure), isConsequence: key !== undefined };
  });
}

/**
 * Returns a function that returns the key of the violations that a violated recommendation repeats: those of the same
 * kind and scope on the same operation, such as the same error body of a streamed request. Undefined if there are none.
 */
function findTwins(
  failures: readonly FailedResponse[],
  keyOf: (failure: FailedResponse) => CauseKey,
): (failure: FailedResponse) => CauseKey | undefined {
  const keys = new Map<string, CauseKey>();
  const describe = (key: CauseKey, { attributes }: FailedResponse): string =>
    [attributes.operation, key.text].join(' ');
  for (const failure of failures) {
    if (failure.outcome !== 'violates') continue;
    const key = keyOf(failure);
    keys.set(describe(key, failure), key);
  }
  return (failure) => keys.get(describe(keyOf({ ...failure, severity: failure.kind }), failure));
}

/** Returns the kind of the findings that the profile or the request alone shows; undefined if a response shows them. */
function findInProfile({ findings }: FailedResponse): string | undefined {
  const kinds = new Set(
    findings.map(({ finding }) =>
      finding.kind === 'wrong-attribute' && finding.client ? 'client' : finding.kind,
    ),
  );
  const [kind, ...others] = kinds;
  return kind !== undefined && others.length === 0 && ofProfile.includes(kind) ? kind : undefined;
}

const ofProfile: readonly string[] = ['not-offered', 'wrong-path', 'wrong-attribute'];

function describePart({ symptom, attributes }: FailedResponse, subject: Subject): string {
  return [symptom.status?.actual, attributes.operation, subject].join(' ');
}

/**
 * Creates the function that returns the key of a failure. If an operation accepts requests without a key, its
 * accepted empty, misplaced and malformed credentials have the same cause. Accepted wrong and deleted keys also have
 * this cause if the operation accepts an unknown key.
 *
 * If an operation accepts an unknown key, but not requests without a key, its accepted deleted and empty keys have
 * the same cause as its accepted wrong keys. An unknown key that is accepted only while requests with other keys are
 * under way does not count.
 */
function createCauseKey(failures: readonly FailedResponse[]): (failure: FailedResponse) => CauseKey {
  const open = operationsThatServe(failures, ({ subject }) => subject === 'no-credential');
  const anyKey = operationsThatServe(
    failures,
    ({ attributes }) => attributes.key === 'unknown' && !isOverlapping(attributes),
  );
  const subjectAt = ({ subject, attributes: { operation = '' } }: FailedResponse): Subject => {
    const isWrong = subject === 'wrong-key' || subject === 'deleted-key';
    if (isBadCredential(subject) && open.has(operation) && (!isWrong || anyKey.has(operation)))
      return 'no-credential';
    const isKey = subject === 'deleted-key' || subject === 'empty-key';
    return isKey && anyKey.has(operation) ? 'wrong-key' : subject;
  };
  return (failure) => {
    const { severity, kind, symptom, subject, requirement } = failure;
    const decided = findInProfile(failure);
    if (decided !== undefined)
      return {
        text: [severity, decided, ...(decided === 'not-offered' ? [] : [requirement.id])].join(' '),
        scope: { subject, isCombined: false },
      };
    // The response depends on what the gateway makes of the unread body.
    if (subject === 'after-refusal') return { text: subject, scope: { subject, isCombined: false } };
    const grade = severity === kind ? [severity] : [severity, kind];
    switch (kind) {
      case 'unauthorized-access':
      case 'invalid-accepted': {
        const scope = { subject: subjectAt(failure), isCombined: false };
        return { text: [...grade, ...formatScope(scope, failure)].join(' '), scope };
      }
      case 'valid-request-fails':
      case 'server-error':
      case 'wrong-status': {
        const scope = scopeOfRefusal(failure);
        const seen = symptom.status?.actual ?? symptom.key;
        return { text: [...grade, ...formatScope(scope, failure), seen].join(' '), scope };
      }
      case 'not-json':
      case 'wrong-type':
      case 'wrong-detail':
        return { text: [...grade, symptom.key].join(' '), scope: { subject, isCombined: false } };
    }
  };
}

/**
 * Returns one subject for all wrong rejections of bad credentials, since a gateway usually rejects all bad
 * credentials in one place.
 */
function scopeOfRefusal({ subject, attributes }: FailedResponse): Scope {
  return isBadCredential(subject)
    ? { subject: 'bad-credential', isCombined: attributes.request === 'invalid' }
    : { subject, isCombined: false };
}

/** Returns the words of a scope or, if the subject is unknown, the first segment of the requirement ID. */
function formatScope({ subject, isCombined }: Scope, { requirement }: FailedResponse): string[] {
  if (subject === 'unknown') return [requirement.id.split('/', 1)[0] ?? ''];
  return isCombined ? [subject, 'with invalid request'] : [subject];
}

function operationsThatServe(
  failures: readonly FailedResponse[],
  isSuch: (failure: FailedResponse) => boolean,
): Set<string> {
  const served = failures.filter((failure) => failure.kind === 'unauthorized-access' && isSuch(failure));
  return new Set(served.map(({ attributes }) => attributes.operation ?? ''));
}
