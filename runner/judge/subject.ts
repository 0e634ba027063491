import type { Attributes } from '../catalog/condition.ts';
import { isNeverAccepted } from '../catalog/operations.ts';
import { isBadKey } from '../plan/estimate.ts';
import { queryNames, unlistedHeaders } from '../request/keys.ts';

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

/** The values of the attribute `header` for forms of `Authorization` other than a bearer token. */
const otherForms = [
  'basic',
  'basic-password',
  'basic-plain',
  'token',
  'api-key-scheme',
  'aws-signature',
  'raw',
];

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

function subjectOfCredential({ header, key, accepted, surface }: Attributes): Subject | undefined {
  if (header === 'none') return 'no-credential';
  if (header !== undefined && otherForms.includes(header)) return 'malformed-credential';
  if (header === 'x-goog-api-key' && accepted === 'false') return 'misplaced-key';
  if (isNeverAccepted(header)) return 'misplaced-key';
  if (key === 'empty') return 'empty-key';
  if (key === 'deleted') return 'deleted-key';
  if (key !== undefined && isBadKey({ key })) return 'wrong-key';
  return key === 'depleted' && surface === 'model' ? 'depleted-account' : undefined;
}

function subjectOfRecord({ record, key }: Attributes): Subject | undefined {
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

function subjectOfRest({ range, method, path }: Attributes): Subject | undefined {
  if (range !== undefined && range !== 'none' && range !== 'valid') return 'invalid-range';
  if (method !== undefined && method !== 'documented') return 'wrong-method';
  return path === 'unknown' ? 'unknown-path' : undefined;
}

/** The noun phrase for each kind of key, except the depleted and the foreign key. */
export const keyWords: ReadonlyMap<string, string> = new Map([
  ['unknown', 'an unknown key'],
  ['truncated', 'the first half of a key'],
  ['extended', 'a key with two characters appended'],
  ['suffixed', 'a key with a suffix appended'],
  ['altered', 'a key with one character changed'],
  ['altered-start', 'a key with the first character after its prefix changed'],
  ['altered-end', 'a key with its last character changed'],
  ['shortened', 'a key without its last character'],
  ['swapped', 'a key with two characters swapped'],
  ['other-prefix', 'a key with another prefix'],
  ['word', 'the word `constructor` as the key'],
  ['undefined', 'the word `undefined` as the key'],
  ['null', 'the word `null` as the key'],
  ['none-word', 'the word `None` as the key'],
  ['prefix-only', 'the prefix `sk-` as the key'],
  ['quoted', 'a key in double quotes'],
  ['jwt', 'a JSON Web Token as the key'],
  ['other-vendor', 'a key of the form `sk-ant-…`'],
  ['long', 'a key of 200 characters'],
  ['non-ascii', 'a key with a non-ASCII letter appended'],
  ['with-scheme', 'a key after the word `Bearer`'],
  ['followed', 'a key followed by a space and more characters'],
  ['listed', 'a key followed by a comma and more characters'],
  ['other-case', 'a key with upper and lower case swapped'],
  ['prefix-less', 'a key without its prefix'],
  ['changed', 'a key changed in one place'],
  ['empty', 'an empty key'],
  ['deleted', 'a deleted key'],
  ['none', 'no key'],
  ['good', 'a valid key'],
]);

/** The phrase, after `the key`, for each place that is forbidden for keys; `x-goog-api-key` only outside family C. */
export const placeWords: ReadonlyMap<string, string> = new Map([
  ...Object.entries(queryNames).map(([place, name]) => [place, `in the query (\`?${name}=\`)`] as const),
  ...Object.entries(unlistedHeaders).map(([place, name]) => [place, `in \`${name}\``] as const),
  ['proxy-authorization', 'in `Proxy-Authorization`'],
  ['cf-aig-authorization', 'in `cf-aig-authorization`'],
  ['helicone-auth', 'in `helicone-auth`'],
  ['websocket-protocol', 'in `sec-websocket-protocol`'],
  ['cookie', 'in the cookie `api_key`'],
  ['cookie-token', 'in the cookie `token`'],
  ['cookie-session', 'in the cookie `session`'],
  ['body-member', 'in the body'],
  ['x-goog-api-key', 'in `x-goog-api-key`'],
  ['basic', 'after the scheme `Basic`'],
  ['basic-password', 'as the password of `Basic`'],
  ['basic-plain', 'without encoding after `Basic`'],
  ['token', 'after the scheme `Token`'],
  ['api-key-scheme', 'after the scheme `ApiKey`'],
  ['aws-signature', 'in an AWS signature'],
  ['raw', 'in `Authorization` without a scheme'],
]);
