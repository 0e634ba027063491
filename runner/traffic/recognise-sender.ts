import type { Address } from './addresses.ts';
import { mayBeSecret, secretsIn } from './find-secrets.ts';
import { type Credential, type KindOfKey, recogniseCredential } from './recognise-credential.ts';
import type { HeaderLine } from './recorded.ts';
import { makeNumbers, makeRemember } from './remember.ts';

/** What a request says of who sent it. */
export interface Sender {
  readonly credential: Credential;
  /** Texts of it that may be keys or passwords of which nobody told. */
  readonly secrets: readonly string[];
  /** The same for all whose facts are the same, as long as it is remembered. */
  readonly number: number;
}

/** Looks once at what a client says of itself, since it says the same in most requests. */
export function makeRecogniseSender(
  kindOf: KindOfKey,
): (headers: readonly HeaderLine[], address: Address) => Sender {
  const remember = makeRemember<Sender>();
  const numberOf = makeNumbers();
  return (headers, { key, secrets }) => {
    const lines = headers.filter(([name]) => mayBeSecret(name));
    return remember(JSON.stringify([lines, key, secrets]), () => {
      const credential = recogniseCredential(lines, key, kindOf);
      return {
        credential,
        secrets: [...secretsIn(lines), ...secrets].filter((text) => kindOf(text) === undefined),
        number: numberOf(JSON.stringify(credential.facts)),
      };
    });
  };
}
