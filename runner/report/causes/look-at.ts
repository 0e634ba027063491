import type { Scope } from './cause-key.ts';
import type { Kind } from './severity.ts';

/** Where an engineer begins to look for a cause: a noun phrase. */
export function lookAtOf(kind: Kind, { subject }: Scope, places: readonly string[]): string {
  switch (kind) {
    case 'unauthorized-access':
      return rights.get(subject) ?? 'the authentication of these operations';
    case 'invalid-accepted':
      return checks.get(subject) ?? 'the checks before the request is served';
    case 'server-error':
      return 'the log of the gateway at that time';
    case 'wrong-status':
      return subject === 'valid-request'
        ? 'the message in the body: why is this request refused?'
        : 'the code that turns this refusal into a status';
    case 'wrong-type':
      return 'the code that chooses the type of an error';
    case 'wrong-detail':
      return places.some((place) => place.startsWith('/error') || place.includes('trace'))
        ? 'the code that builds error responses'
        : 'the marked places of the response';
  }
}

const rights: ReadonlyMap<Scope['subject'], string> = new Map([
  ['no-credential', 'whether these paths are authenticated at all'],
  ['empty-key', 'how an empty key is distinguished from a valid one'],
  ['wrong-key', 'how keys are compared: the whole key must match'],
  ['deleted-key', 'caches and nodes that still hold a deleted key'],
  ['misplaced-key', 'where keys are read from'],
  ['malformed-credential', 'how `Authorization` is parsed'],
  ['depleted-account', 'the check of the balance before a model is called'],
  ['foreign-record', 'whether a record belongs to the account of the key'],
]);

const checks: ReadonlyMap<Scope['subject'], string> = new Map([
  ['not-json', 'how the body is parsed, before the model is called'],
  ['invalid-body', 'the validation of the body, before the model is called'],
  ['image', 'the check whether a model takes images'],
  ['unlisted-model', 'how the model ID is looked up'],
  ['unsupported-model', 'the list of models that can be called'],
  ['mismatched-model', 'which models each protocol offers'],
]);
