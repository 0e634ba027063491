import type { Facts } from '../catalog/condition.ts';
import { type HeaderLine, makeNumbers, makeRemember } from '../recordings/recorded-exchange.ts';
import { type Address, mayBeSecret, secretsIn } from './infer-from-url.ts';

/** What a request says of its credential. */
export interface Credential {
  /** `header`, `key` and `keyPrefix`, as far as they are known. */
  readonly facts: Facts;
  /** In how many places a credential stands. */
  readonly count: number;
}

/** Which kind of key a text is; undefined for one that nobody told of. */
export type KindOfKey = (value: string) => string | undefined;

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];
/** What recorders put in the place of a key. */
const redacted = /redact|\{\{|\}\}|\*{3}|…|^x{4,}$|\$\{?[A-Z_]{3,}|^<.*>$|\[[^[\]]*\]/i;

/** Where the credential of a request stands, and what it is. */
export function inferCredential(
  headers: readonly HeaderLine[],
  query: string | undefined,
  kindOf: KindOfKey,
): Credential {
  const lines = headers.filter(([name]) => keyHeaders.includes(name));
  const count = lines.length > 1 ? new Set(lines.map((line) => JSON.stringify(line))).size : lines.length;
  if (count > 1) return { facts: { header: 'two' }, count };
  const [line] = lines;
  if (line) {
    const { header, key } = readLine(line, kindOf);
    return { facts: header === undefined ? {} : { header, ...keyFacts(key, kindOf) }, count };
  }
  if (query !== undefined) return { facts: { header: 'query', ...keyFacts(query, kindOf) }, count: 0 };
  // Some gateways take keys in this header, too, which counts as none.
  const [, unlisted] = headers.find(([name]) => name === 'api-key') ?? [];
  if (unlisted !== undefined)
    return { facts: { header: 'api-key', ...keyFacts(unlisted.trim(), kindOf) }, count: 0 };
  return { facts: { header: 'none', key: 'none', keyPrefix: 'none' }, count: 0 };
}

interface Found {
  /** Undefined where a recorder may have put something in the place of the whole value. */
  readonly header: string | undefined;
  readonly key: string;
}

function readLine([name, value]: HeaderLine, kindOf: KindOfKey): Found {
  if (name === 'authorization') return readAuthorization(value, kindOf);
  return { header: isBlank(value) ? undefined : name, key: value.trim() };
}

/** Whether a recorder may have replaced a scheme with its key. */
function isPlaceholder(value: string): boolean {
  const [scheme = '', ...rest] = value.trim().split(/\s+/);
  return redacted.test(scheme) || (rest.length > 0 && !/^[a-z][\w-]*$/i.test(scheme));
}

function isBlank(value: string): boolean {
  return value.trim() === '';
}

function readAuthorization(value: string, kindOf: KindOfKey): Found {
  if (isBlank(value) || (isPlaceholder(value) && kindOf(value.trim()) === undefined))
    return { header: undefined, key: value.trim() };
  const scheme = /^\S*/.exec(value)?.[0] ?? '';
  const rest = value.slice(scheme.length).trim();
  if (scheme.toLowerCase() === 'bearer')
    return { header: scheme === 'Bearer' || rest === '' ? 'bearer' : 'lower-case-bearer', key: rest };
  if (rest === '') return scheme === '' ? { header: 'bearer', key: '' } : { header: 'raw', key: scheme };
  return { header: scheme.toLowerCase() === 'token' ? 'token' : 'basic', key: rest };
}

function keyFacts(key: string, kindOf: KindOfKey): Facts {
  if (key === '') return { key: 'empty', keyPrefix: 'none' };
  const kind = kindOf(key);
  return {
    ...(kind !== undefined && { key: kind }),
    ...prefixFact(key, kind !== undefined),
  };
}

/** A word such as `DUMMY` may be what a recorder, or a person, put in the place of a key. */
function prefixFact(key: string, isTold: boolean): Facts {
  if (redacted.test(key)) return {};
  if (key.startsWith('sk-')) return { keyPrefix: 'sk-' };
  const isHash = /^([\w-]+:)?[0-9a-f]+$/i.test(key);
  const isRandom = key.length >= 20 && !isHash && new Set(key).size >= 12 && /\d/.test(key);
  return isTold || isRandom ? { keyPrefix: 'other' } : {};
}

/** What a request says of who sent it. */
export interface Sender {
  readonly credential: Credential;
  /** Texts of it that may be keys or passwords of which nobody told. */
  readonly secrets: readonly string[];
  /** The same for all whose facts are the same, as long as it is remembered. */
  readonly number: number;
}

/** Looks once at what a client says of itself, since it says the same in most requests. */
export function makeInferSender(
  kindOf: KindOfKey,
): (headers: readonly HeaderLine[], address: Address) => Sender {
  const remember = makeRemember<Sender>();
  const numberOf = makeNumbers();
  return (headers, { key, secrets }) => {
    const lines = headers.filter(([name]) => mayBeSecret(name));
    return remember(JSON.stringify([lines, key, secrets]), () => {
      const credential = inferCredential(lines, key, kindOf);
      return {
        credential,
        secrets: [...secretsIn(lines), ...secrets].filter((text) => kindOf(text) === undefined),
        number: numberOf(JSON.stringify(credential.facts)),
      };
    });
  };
}
