import { attributesOfPackage, isNeverAccepted } from '../catalog/attributes.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isBadKey } from '../plan/estimate.ts';

/** The subject of a request: the reason why the gateway must reject the request, `valid-request`, or `unknown`. */
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
  | 'unavailable-model'
  | 'mismatched-model'
  | 'invalid-record'
  | 'absent-record'
  | 'invalid-range'
  | 'wrong-method'
  | 'unknown-path'
  | 'valid-request'
  | 'after-refusal'
  | 'unknown';

/**
 * Returns the attributes of a request of the case or exchange with this ID. The kind of a generated wrong key is
 * `changed`, since a gateway that rejects unknown keys may accept such a key.
 */
export function withGeneratedKey(id: string, attributes: Attributes): Attributes {
  return id.startsWith('fuzz/key/') ? { ...attributes, key: 'changed' } : attributes;
}

/** Whether a request is deliberately sent while requests with other keys are under way. */
export function isOverlapping({ overlapping }: Attributes): boolean {
  return overlapping === 'true';
}

const credentials: readonly Subject[] = [
  'no-credential',
  'empty-key',
  'wrong-key',
  'deleted-key',
  'misplaced-key',
  'malformed-credential',
];

/** Whether requests with this subject have no valid credential. */
export function isBadCredential(subject: Subject): boolean {
  return credentials.includes(subject);
}

/** Whether a successful request with this subject is unauthorized access. */
export function isUnauthorized(subject: Subject): boolean {
  return isBadCredential(subject) || subject === 'depleted-account' || subject === 'foreign-record';
}

/**
 * Returns the subject of a request. Checks the attributes in this order: the credential and the account, the record,
 * the body, the model, the time range, the method, the path. The first invalid part determines the subject.
 */
export function subjectOf(attributes: Attributes): Subject {
  if (attributes.connection === 'after-refusal') return 'after-refusal';
  return (
    subjectOfCredential(attributes) ??
    subjectOfRecord(attributes) ??
    bodies.get(attributes.fault ?? '') ??
    models.get(attributes.model ?? '') ??
    subjectOfRest(attributes) ??
    (attributes.request === 'valid' ? 'valid-request' : 'unknown')
  );
}

/**
 * Returns the subject of each invalid part of a request by itself: of the credential or account, of the body, and of
 * the model. The list has several subjects only if several parts are invalid.
 */
export function subjectsOf(attributes: Attributes): readonly Subject[] {
  const [body, model] = [bodies.get(attributes.fault ?? ''), models.get(attributes.model ?? '')];
  const parts = [subjectOfCredential(attributes), body, model].filter((part) => part !== undefined);
  return parts.length > 1 ? parts : [subjectOf(attributes)];
}

function subjectOfCredential({ header, key, accepted, surface }: Attributes): Subject | undefined {
  if (header === 'none') return 'no-credential';
  if (header === 'raw' || isOtherScheme(header)) return 'malformed-credential';
  if (header === 'x-goog-api-key' && accepted === 'false') return 'misplaced-key';
  if (isNeverAccepted(header)) return 'misplaced-key';
  if (key === 'empty') return 'empty-key';
  if (key === 'deleted') return 'deleted-key';
  if (key !== undefined && isBadKey({ key })) return 'wrong-key';
  return key === 'depleted' && surface === 'model' ? 'depleted-account' : undefined;
}

function isOtherScheme(header = ''): boolean {
  return attributesOfPackage().valuesOf('header', 'other-scheme').includes(header);
}

function subjectOfRecord({ record, key }: Attributes): Subject | undefined {
  if (record === undefined || record === 'none') return undefined;
  if (record === 'foreign' || (record === 'own' && key === 'foreign')) return 'foreign-record';
  if (record === 'random') return 'absent-record';
  return record === 'own' || record === 'upper-case' ? undefined : 'invalid-record';
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
  ['unavailable', 'unavailable-model'],
  ['mismatched', 'mismatched-model'],
]);

function subjectOfRest({ range, method, path }: Attributes): Subject | undefined {
  if (range !== undefined && range !== 'none' && range !== 'valid') return 'invalid-range';
  if (method !== undefined && method !== 'documented') return 'wrong-method';
  return path === 'unknown' ? 'unknown-path' : undefined;
}
