import type { Facts } from '../catalog/condition.ts';
import type { Profile } from '../profile/profile.ts';
import { type HeaderLine, makeNumbers, makeRemember, type Recorded } from '../recordings/recorded-exchange.ts';
import { inferParameters, parameterFacts } from './infer-parameters.ts';
import { type Match, makeMatchOperation, urlOf } from './match-operation.ts';

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
        ? parameterFacts(match.operation, inferParameters(match.values, profile, match.inPath))
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

/** Headers and parameters whose values are for nobody else. */
const secretNames = /auth|key|token|secret|passw|cookie|session|signature|credential|^sig$/i;
/** Roles that stand in the place of keys are none. */
const role = /^\{\{keys\.[a-z:-]+\}\}$/;

/** Whether the value of a header of that name, in lower case, may be a credential. */
export function mayBeSecret(name: string): boolean {
  return secretNames.test(name);
}

/**
 * Every text in such headers that may be a key or a password of which nobody told. Those of cookies come last, since
 * there can be many of them, and no report shows a cookie.
 */
export function secretsIn(headers: readonly HeaderLine[]): readonly string[] {
  const cookies = headers.filter(([name]) => isCookie(name));
  const others = headers.filter(([name]) => !isCookie(name));
  return told([...others, ...cookies].flatMap(([name, value]) => secretsOf(name, value)));
}

function isCookie(name: string): boolean {
  return /cookie/.test(name);
}

function secretsOf(name: string, value: string): string[] {
  if (isCookie(name)) return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1));
  const text = value.trim();
  const scheme = /^\S*/.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length).trim();
  if (rest === '') return [scheme];
  return /^basic$/i.test(scheme) ? [rest, ...passwordIn(rest)] : [rest];
}

/** Every such text in an address. */
export function secretsInUrl(url: URL | undefined): readonly string[] {
  const { searchParams, username, password } = url ?? {};
  const inQuery = [...(searchParams ?? [])].flatMap(([name, value]) =>
    secretNames.test(name) ? [value] : [],
  );
  return told([...inQuery, decoded(username), decoded(password)]);
}

function told(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '' && !role.test(text));
}

function passwordIn(basic: string): string[] {
  const text = Buffer.from(basic, 'base64').toString('utf8');
  return text.includes(':') ? [text, text.slice(text.indexOf(':') + 1)] : [];
}

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
