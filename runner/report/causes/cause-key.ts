import type { Facts } from '../../catalog/condition.ts';
import { countsAsNone } from '../../catalog/operations.ts';
import { badKeys } from '../../plan/estimate.ts';
import type { Failure } from './failures.ts';

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
        return { text: [...grade, ...wordScope(scope, failure)].join(' '), scope };
      }
      case 'server-error':
      case 'wrong-status': {
        const scope = scopeOfRefusal(failure);
        const seen = symptom.status?.actual ?? symptom.key;
        return { text: [...grade, ...wordScope(scope, failure), seen].join(' '), scope };
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
function wordScope({ subject, isCombined }: Scope, { requirement }: Failure): string[] {
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

/** What is special about a request: why it must be refused, or that it need not be. */
export type Subject =
  | 'no-credential'
  | 'empty-key'
  | 'wrong-key'
  | 'deleted-key'
  | 'misplaced-key'
  | 'malformed-credential'
  | 'depleted-account'
  | 'foreign-record'
  | 'not-json'
  | 'invalid-body'
  | 'image'
  | 'unlisted-model'
  | 'unsupported-model'
  | 'mismatched-model'
  | 'invalid-record'
  | 'absent-record'
  | 'invalid-range'
  | 'wrong-method'
  | 'unknown-path'
  | 'valid-request'
  | 'unknown';

/** The kind of a good key that was changed at random. */
export const changedKey = 'changed';

/** Places outside of the three headers from which some gateways read a key. */
const elsewhere = ['query', 'query-api-key', 'query-access-token', 'api-key'];

const credentials: readonly Subject[] = [
  'no-credential',
  'empty-key',
  'wrong-key',
  'deleted-key',
  'misplaced-key',
  'malformed-credential',
];

/** Whether the credential of such a request gives no right to anything. */
export function isBadCredential(subject: Subject): boolean {
  return credentials.includes(subject);
}

/** Whether whoever gets a success for such a request got what they have no right to. */
export function lacksRight(subject: Subject): boolean {
  return isBadCredential(subject) || subject === 'depleted-account' || subject === 'foreign-record';
}

/** What a request was about, by its facts: its credential first, then the account, the body, the model, the parameters. */
export function subjectOf(facts: Facts): Subject {
  return (
    ofCredential(facts) ??
    ofRecord(facts) ??
    bodies.get(facts.fault ?? '') ??
    models.get(facts.model ?? '') ??
    ofRest(facts) ??
    (facts.request === 'valid' ? 'valid-request' : 'unknown')
  );
}

function ofCredential({ header, key, accepted, surface }: Facts): Subject | undefined {
  if (header === 'none') return 'no-credential';
  if (header !== undefined && elsewhere.includes(header)) return 'misplaced-key';
  if (header === 'x-goog-api-key' && accepted === 'false') return 'misplaced-key';
  if (countsAsNone(header)) return 'malformed-credential';
  if (key === 'empty') return 'empty-key';
  if (key === 'deleted') return 'deleted-key';
  if (key !== undefined && (key === changedKey || badKeys.includes(key))) return 'wrong-key';
  return key === 'depleted' && surface === 'model' ? 'depleted-account' : undefined;
}

function ofRecord({ record, key }: Facts): Subject | undefined {
  if (record === undefined || record === 'none') return undefined;
  if (record === 'foreign' || (record === 'own' && key === 'foreign')) return 'foreign-record';
  if (record === 'random') return 'absent-record';
  return record === 'own' ? undefined : 'invalid-record';
}

const bodies: ReadonlyMap<string, Subject> = new Map([
  ['unparseable', 'not-json'],
  ['empty-body', 'not-json'],
  ['missing', 'invalid-body'],
  ['wrong-type', 'invalid-body'],
  ['empty', 'invalid-body'],
  ['non-object', 'invalid-body'],
  ['image', 'image'],
]);

const models: ReadonlyMap<string, Subject> = new Map([
  ['unlisted', 'unlisted-model'],
  ['unsupported', 'unsupported-model'],
  ['mismatched', 'mismatched-model'],
]);

function ofRest({ range, method, path }: Facts): Subject | undefined {
  if (range !== undefined && range !== 'none' && range !== 'valid') return 'invalid-range';
  if (method !== undefined && method !== 'documented') return 'wrong-method';
  return path === 'unknown' ? 'unknown-path' : undefined;
}
