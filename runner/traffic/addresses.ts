import type { Facts } from '../catalog/condition.ts';
import type { Profile } from '../profile/profile.ts';
import { secretsInUrl } from './find-secrets.ts';
import { type Match, makeMatchOperation, urlOf } from './match-operation.ts';
import { parameterFacts, recogniseParameters } from './recognise-parameters.ts';
import type { Recorded } from './recorded.ts';
import { makeNumbers, makeRemember } from './remember.ts';

/** What the address of a request tells. */
export interface Address {
  /** What stands in its query in the place of a key. */
  readonly key: string | undefined;
  /** Texts of it that may be keys or passwords. */
  readonly secrets: readonly string[];
  /** The operation that it calls; undefined where it calls none. */
  readonly match: Match | undefined;
  /** What its parameters are, as far as its operation takes them. */
  readonly parameters: Facts;
  /** Whether it has nothing in its query, beside a key, that its operation does not have. */
  readonly plain: boolean;
  /** The same for all whose parameters and plainness are the same, as long as it is remembered. */
  readonly number: number;
}

/** Reads addresses; `readBody` is asked where operations can only be told apart by their bodies. */
export type ReadAddress = (request: Recorded['request'], readBody: () => unknown) => Address;

/** Reads each of the addresses that a client calls again and again once, but where their bodies matter. */
export function makeReadAddress(profile: Profile): ReadAddress {
  const { match: matchOperation, readsBodies } = makeMatchOperation(profile);
  const remember = makeRemember<Address>();
  const numberOf = makeNumbers();
  return ({ method, url }, readBody) => {
    const read = (): Address => {
      const parsed = urlOf(url);
      const match = matchOperation({ method, url, parsed }, readBody);
      const parameters = match
        ? parameterFacts(match.operation, recogniseParameters(match.values, profile, match.inPath))
        : {};
      const plain = match?.extra.every((name) => name === 'key') ?? true;
      return {
        key: parsed?.searchParams.get('key') ?? undefined,
        secrets: secretsInUrl(parsed),
        match,
        parameters,
        plain,
        number: numberOf(JSON.stringify([parameters, plain])),
      };
    };
    return readsBodies ? read() : remember(`${method.length} ${method} ${url}`, read);
  };
}
