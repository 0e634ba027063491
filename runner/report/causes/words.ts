import type { Scope } from './cause-key.ts';
import type { Subject } from './subject.ts';

/** The requests of each subject. */
export const subjectWords: Readonly<Record<Scope['subject'], string>> = {
  'no-credential': 'Requests without a key',
  'empty-key': 'Requests with an empty key',
  'wrong-key': 'Requests with a wrong key',
  'deleted-key': 'Requests with a deleted key',
  'misplaced-key': 'Requests with the key outside of the accepted headers',
  'malformed-credential': 'Requests with a malformed `Authorization`',
  'bad-credential': 'Requests without a valid credential',
  'depleted-account': 'Calls of a depleted account',
  'foreign-record': 'Requests for a record of another account',
  'not-json': 'Requests whose body is not JSON',
  'invalid-body': 'Requests with an invalid body',
  image: 'Images for a text-only model',
  'unlisted-model': 'Calls of a model that does not exist',
  'unsupported-model': 'Calls of a model that is not supported',
  'mismatched-model': 'Calls of a model through a protocol that it does not match',
  'invalid-record': 'Requests with an invalid `request_id`',
  'absent-record': 'Requests for a record that does not exist',
  'invalid-range': 'Requests with an invalid time range',
  'wrong-method': 'Requests with a method that no operation has',
  'unknown-path': 'Requests for a path that no operation has',
  'valid-request': 'Valid requests',
  unknown: 'Requests',
};

/** What requests have in place of a valid credential. */
export const credentialWords: ReadonlyMap<Subject, string> = new Map([
  ['wrong-key', 'a wrong key'],
  ['deleted-key', 'a deleted key'],
  ['empty-key', 'an empty key'],
  ['misplaced-key', 'the key in another place'],
  ['malformed-credential', 'a malformed `Authorization`'],
]);

/** What a key of each kind is. */
export const keyWords: ReadonlyMap<string, string> = new Map([
  ['unknown', 'an unknown key'],
  ['truncated', 'the first half of a key'],
  ['extended', 'a key and letters after it'],
  ['suffixed', 'a key and a suffix after it'],
  ['altered', 'a key with one letter changed'],
  ['altered-start', 'a key with its first letter changed'],
  ['altered-end', 'a key with its last letter changed'],
  ['shortened', 'a key without its last letter'],
  ['swapped', 'a key with two letters swapped'],
  ['other-prefix', 'a key with another prefix'],
  ['word', 'the word `constructor` as key'],
  ['other-case', 'a key in the other case'],
  ['prefix-less', 'a key without its prefix'],
  ['changed', 'a key changed in one place'],
  ['empty', 'an empty key'],
  ['deleted', 'a deleted key'],
  ['none', 'no key'],
  ['good', 'a valid key'],
]);

/** Where a credential was sent that gives no right there. */
export const placeWords: ReadonlyMap<string, string> = new Map([
  ['query', 'in the query (`?key=`)'],
  ['query-api-key', 'in the query (`?api_key=`)'],
  ['query-access-token', 'in the query (`?access_token=`)'],
  ['api-key', 'in `api-key`'],
  ['x-goog-api-key', 'in `x-goog-api-key`'],
  ['basic', 'after the scheme `Basic`'],
  ['basic-password', 'as the password of `Basic`'],
  ['basic-plain', 'unencoded after `Basic`'],
  ['token', 'after the scheme `Token`'],
  ['api-key-scheme', 'after the scheme `ApiKey`'],
  ['raw', 'in `Authorization` without a scheme'],
]);
