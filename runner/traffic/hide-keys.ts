import { listPlacesIn } from '../catalog/attributes.ts';
import { remakeCurl } from '../report/curl/curl-line.ts';
import { createFindSecrets, type FindSecrets } from '../report/redaction/find-secrets.ts';
import {
  createRedactWith,
  type Redact,
  readPieces,
  redactAll,
  redactRest,
} from '../report/redaction/redact.ts';
import type { CaseReport, ClientReport } from '../report/report.ts';
import type { HeaderLine } from './recordings/recorded-exchange.ts';

/** The source of traffic. Only a recording can contain placeholders that a run of this suite wrote. */
export type TrafficSource = 'recording' | 'live';

/**
 * The minimum length of a key that `classifyKeys` returns, in characters. A shorter text, which may be derived from a
 * valid key, may be equal to an unrelated text.
 */
const minKeyLength = 4;

/**
 * Returns the kinds, such as `good`, of the keys in `secrets`, and of the placeholders of keys in recordings. Omits
 * keys with fewer than `minKeyLength` characters. `secrets` contains the role of each key, such as `keys.valid`.
 */
export function classifyKeys(secrets: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kindOf = (role: string): string => {
    const kind = role.split(':')[1] ?? role.replace('keys.', '');
    return kind === 'valid' ? 'good' : kind;
  };
  const roles = ['keys.valid', 'keys.deleted', 'keys.depleted', 'keys.foreign', ...secrets.values()];
  return new Map([
    ...[...secrets].flatMap(([key, role]) =>
      key.length < minKeyLength ? [] : [[key, kindOf(role)] as const],
    ),
    ...roles.map((role) => [`{{${role}}}`, kindOf(role)] as const),
  ]);
}

const secretNames = /auth|key|token|secret|passw|cookie|session|signature|credential|^sig$/i;
const schemes = /^(bearer|basic|token|apikey)$/i;

let keyHeaders: ReadonlySet<string> | undefined;

/** Whether a header with this name may contain a credential. */
export function mayContainSecret(name: string): boolean {
  keyHeaders ??= new Set(listPlacesIn('headers').map((place) => place.name));
  return secretNames.test(name) || keyHeaders.has(name);
}

/**
 * Returns the texts in these headers that may be keys or passwords. Cookies come last, because their number can exceed
 * `mostPerExchange`, and because reports do not show the values of `cookie` headers.
 */
export function findSecretsInHeaders(headers: readonly HeaderLine[]): readonly string[] {
  const cookies = headers.filter(([name]) => isCookie(name));
  const others = headers.filter(([name]) => !isCookie(name));
  return selectSecrets([...others, ...cookies].flatMap(([name, value]) => listCandidates(name, value)));
}

function isCookie(name: string): boolean {
  return /cookie/.test(name);
}

function listCandidates(name: string, value: string): string[] {
  if (isCookie(name)) return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1));
  const text = value.trim();
  const scheme = /^\S*/.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length).trim();
  if (rest === '') return [scheme];
  // A signature has several parts, such as `Credential=KEY/scope`.
  if (/^\w+=\S+, *\w+=/.test(rest))
    return rest.split(/[,\s]+/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  return /^basic$/i.test(scheme) ? [rest, ...findPassword(rest)] : [rest];
}

/** Returns the texts in a URL that may be keys or passwords, except texts in the path. */
export function findSecretsInUrl(url: URL | undefined): readonly string[] {
  const { searchParams, username, password } = url ?? {};
  const inQuery = [...(searchParams ?? [])].flatMap(([name, value]) =>
    secretNames.test(name) ? [value] : [],
  );
  return selectSecrets([...inQuery, decode(username), decode(password)]);
}

function selectSecrets(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => {
      const pieces = readPieces(text);
      if (pieces.every(({ kind }) => kind === 'text')) return [text.trim()];
      // Text next to a placeholder can be a part of a key, but is often a scheme or a quotation mark.
      return pieces
        .flatMap((piece) => (piece.kind === 'text' ? [piece.text.trim()] : []))
        .filter((part) => part.length >= minKeyLength && !schemes.test(part));
    })
    .filter((text) => text !== '');
}

function findPassword(basic: string): string[] {
  const text = Buffer.from(basic, 'base64').toString('utf8');
  return text.includes(':') ? [text, text.slice(text.indexOf(':') + 1)] : [];
}

function decode(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Hides the keys of the profile and the keys found in traffic. */
export interface KeyHider {
  /**
   * Returns the redaction for an exchange. `found` contains the texts in the exchange that may be keys. Hides as many
   * of these texts as `mostPerExchange` allows, and stores those of at least eight characters for `hideAll`.
   */
  readonly redactionFor: (found: readonly string[]) => Redact;
  /**
   * Returns a copy of the value without the keys of the profile, the last stored texts, and texts in the form of a
   * key.
   */
  readonly hideAll: <T>(value: T) => T;
}

/** Limits of the texts that are hidden, so that a client that sends thousands of cookies does not slow down the proxy. */
const mostPerExchange = { texts: 200, characters: 32 * 1024 };
const mostStoredCharacters = 64 * 1024;
/** The minimum length of a stored text, in characters. A shorter text may occur elsewhere by chance. */
const minStoredLength = 8;
const clientKeyRole = 'keys.client';

/** Finds texts in the form of a key, which nothing else shows to be one. */
const findKeyPatterns: FindSecrets = (text) =>
  Array.from(text.matchAll(/\bsk-[\w-]{16,}/g), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
    role: clientKeyRole,
    isWhole: true,
  }));

/** Creates a key hider. Redactions are built on first use. */
export function createKeyHider(secrets: ReadonlyMap<string, string>, source: TrafficSource): KeyHider {
  const stored = new Set<string>();
  let storedCharacters = 0;
  /** The last redaction, which is reused: most exchanges have the same secrets as the previous exchange. */
  let last: { readonly name: string; readonly redact: Redact } | undefined;
  let redactStored: Redact | undefined;
  // The keys of the profile are in every redaction, so their index is created once.
  const findOfProfile = createFindSecrets(secrets);
  const createRedaction = (texts: readonly string[]): Redact => {
    const unknown = texts.filter((text) => !secrets.has(text));
    const findOfClients = createFindSecrets(new Map(unknown.map((text) => [text, clientKeyRole])));
    return createRedactWith([findOfProfile, findOfClients, findKeyPatterns]);
  };
  const reuseRedaction = (texts: readonly string[]): Redact => {
    const name = JSON.stringify(texts);
    if (last?.name !== name) last = { name, redact: createRedaction(texts) };
    return last.redact;
  };
  const store = (text: string): void => {
    if (text.length < minStoredLength || stored.has(text)) return;
    stored.add(text);
    storedCharacters += text.length;
    for (const oldest of stored) {
      if (storedCharacters <= mostStoredCharacters) break;
      stored.delete(oldest);
      storedCharacters -= oldest.length;
    }
    redactStored = undefined;
  };
  return {
    redactionFor(found) {
      const texts = takeFirst(found);
      for (const text of texts) store(text);
      let redact: Redact | undefined;
      return (text, shown) => {
        redact ??= source === 'recording' ? redactRest(reuseRedaction(texts)) : reuseRedaction(texts);
        return redact(text, shown);
      };
    },
    hideAll(value) {
      redactStored ??= redactRest(createRedaction([...stored]));
      return redactAll(value, redactStored);
    },
  };
}

/** Returns the first texts, cut where `mostPerExchange` is reached. The beginning of a long text is hidden as a part. */
function takeFirst(texts: readonly string[]): readonly string[] {
  let left = mostPerExchange.characters;
  return texts.slice(0, mostPerExchange.texts).flatMap((text) => {
    const taken = text.slice(0, Math.max(0, left));
    left -= text.length;
    return taken === '' ? [] : [taken];
  });
}

/**
 * Returns a case without keys. Call this function after the last exchange, since any exchange may show that a text is a
 * key.
 */
export function hideKeysInCase(
  { id, suite, attributes, checks, exchanges, ...item }: CaseReport,
  { hideAll }: KeyHider,
  keyVariables: Parameters<typeof remakeCurl>[1],
): CaseReport {
  return {
    ...item,
    id: hideAll(id),
    suite: hideAll(suite),
    attributes: hideAll(attributes),
    checks: checks.map(({ findings, reason, add, ...check }) => ({
      ...check,
      findings: hideAll(findings),
      ...(reason !== undefined && { reason: hideAll(reason) }),
      ...(add !== undefined && { add: hideAll(add) }),
    })),
    exchanges: hideAll(exchanges).map((exchange) => remakeCurl(exchange, keyVariables)),
  };
}

/** Returns the report about the client without keys. Call this function after the last exchange. */
export function hideKeysInClient({ requests, duties }: ClientReport, { hideAll }: KeyHider): ClientReport {
  return {
    requests,
    duties: duties.map(({ findings, ...duty }) => ({ ...duty, findings: hideAll(findings) })),
  };
}
