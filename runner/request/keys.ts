import { createHash, randomUUID } from 'node:crypto';
import { editKey, type KeyEdit, swapCase } from '../exchange/generation.ts';
import type { Profile } from '../profile/profile.ts';

/** Returns the key for a value of the attribute `key`; undefined if the run has no such key. */
export type KeyRing = (kind: string) => string | undefined;

/** The keys of a run, with the roles that replace the keys in reports. */
export interface RunKeys {
  readonly value: KeyRing;
  /** Returns the valid key after a change in one place, and adds the result to the secrets. */
  readonly edited: (edit: KeyEdit) => string;
  /** Adds a key that was created during the run to the secrets. */
  readonly addSecret: (key: string, role: string) => void;
  /** The secret texts, each with the role that reports show instead, such as `keys.valid:truncated`. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** A property that JavaScript objects inherit. A gateway that looks up a key in an object may find this property. */
export const inheritedPropertyName = 'constructor';

/** Kinds of keys that need no separate role, because reports replace the valid key inside such keys. */
const kindsWithValidKey: readonly string[] = ['quoted', 'non-ascii', 'with-scheme', 'followed', 'listed'];

/** Keys that are not secrets. */
const words: readonly string[] = [inheritedPropertyName, 'undefined', 'null', 'None', 'sk-'];

/** Returns the length of a truncated key: half of the key, rounded up, in characters. */
export function truncatedLength(key: string): number {
  return Math.ceil(key.length / 2);
}

/**
 * Returns the keys of a run: the keys of the profile, changed forms of the valid key, and invented keys. `others` are
 * the keys of other gateways, which are secrets, too.
 */
export function deriveKeys(
  keys: Profile['keys'],
  {
    nameSource = createNameSource(),
    others = [],
    secrets: stated = new Map(),
  }: {
    readonly nameSource?: NameSource;
    readonly others?: readonly string[] | undefined;
    /** Secrets other than keys, each with the name of the environment variable that contains the secret. */
    readonly secrets?: ReadonlyMap<string, string>;
  } = {},
): RunKeys {
  const { valid } = keys;
  const bare = valid.startsWith('sk-') ? valid.slice(3) : valid;
  const taken = Object.values(keys);
  const kinds: Readonly<Record<string, string | undefined>> = {
    good: valid,
    deleted: keys.deleted,
    depleted: keys.depleted,
    foreign: keys.foreign,
    unknown: `sk-${nameSource('key').slice(0, Math.max(24, bare.length))}`,
    truncated: valid.slice(0, truncatedLength(valid)),
    extended: `${valid}x7`,
    suffixed: `${valid}-x7`,
    altered: replaceCharacter(valid, Math.floor((valid.length * 3) / 4), taken),
    'altered-start': replaceCharacter(valid, valid.length - bare.length, taken),
    'altered-end': replaceCharacter(valid, valid.length - 1, taken),
    shortened: valid.slice(0, -1),
    swapped: swapAdjacentCharacters(valid),
    'other-prefix': `pk-${bare}`,
    'other-case': valid.slice(0, valid.length - bare.length) + swapCase(bare),
    'prefix-less': bare,
    word: inheritedPropertyName,
    undefined: 'undefined',
    null: 'null',
    'none-word': 'None',
    'prefix-only': 'sk-',
    jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${nameSource('jwt').slice(0, 43)}`,
    'other-vendor': `sk-ant-api03-${nameSource('other vendor').slice(0, 93)}-AA`,
    long: `sk-${nameSource('long key').repeat(2).slice(0, 197)}`,
    quoted: `"${valid}"`,
    'non-ascii': `${valid}\u00e9`,
    'with-scheme': `Bearer ${valid}`,
    followed: `${valid} x7`,
    listed: `${valid},x7`,
    empty: '',
  };
  const secrets = new Map<string, string>();
  for (const [kind, key] of Object.entries(kinds)) {
    if (!key || words.includes(key) || kindsWithValidKey.includes(kind)) continue;
    const role = kind === 'good' ? 'keys.valid' : isProfileKey(kind) ? `keys.${kind}` : `keys.valid:${kind}`;
    if (!secrets.has(key)) secrets.set(key, role);
  }
  for (const [text, name] of stated) if (!secrets.has(text)) secrets.set(text, `env.${name}`);
  for (const key of others) if (!secrets.has(key)) secrets.set(key, 'keys.other-target');
  const edited = (edit: KeyEdit): string => {
    const key = editKey(valid, edit);
    if (!secrets.has(key)) secrets.set(key, `keys.valid:${nameOf(edit)}`);
    return key;
  };
  const addSecret = (key: string, role: string): void => void secrets.set(key, role);
  return { value: (kind) => kinds[kind], edited, addSecret, secrets };
}

/** Replaces one character of the key. If possible, the result differs from the other keys of the profile. */
function replaceCharacter(key: string, at: number, taken: readonly (string | undefined)[]): string {
  const letters = ['7', '3', '5'].filter((letter) => letter !== key[at]);
  const others = letters.map((letter) => editKey(key, { kind: 'replace', at, letter }));
  return others.find((other) => !taken.includes(other)) ?? others[0] ?? key;
}

/**
 * Swaps the first two different adjacent characters in the second half; undefined if this half has no such
 * characters.
 */
function swapAdjacentCharacters(key: string): string | undefined {
  const middle = Math.floor(key.length / 2);
  const found = key.slice(middle).search(/(.)(?!\1)./s);
  return found < 0 ? undefined : editKey(key, { kind: 'swap', at: middle + found });
}

/** Returns a name for the change, such as `replace-x-5`, that reveals nothing about the key. */
function nameOf(edit: KeyEdit): string {
  return ['letter' in edit ? `${edit.kind}-${edit.letter}` : edit.kind, edit.at].join('-');
}

function isProfileKey(kind: string): boolean {
  return kind === 'deleted' || kind === 'depleted' || kind === 'foreign';
}

/** The headers, the query string or the members of the body that contain the key of a request. */
export interface RequestCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string | undefined;
  readonly members?: Readonly<Record<string, string>>;
}

const awsScope = '/20260101/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=0';

/** The names of the query parameters in which other gateways accept a key, by the value of the attribute `header`. */
export const queryNames: Readonly<Record<string, string>> = {
  query: 'key',
  'query-api-key': 'api_key',
  'query-access-token': 'access_token',
  'query-apikey': 'apikey',
  'query-hyphenated': 'api-key',
  'query-token': 'token',
  'query-camel-case': 'apiKey',
  'query-subscription-key': 'subscription-key',
  'query-x-api-key': 'x-api-key',
};

/**
 * The names of headers in which other gateways accept a key without a scheme, by the value of the attribute `header`.
 * The specification does not define these headers.
 */
export const unlistedHeaders: Readonly<Record<string, string>> = {
  'api-key': 'api-key',
  apikey: 'apikey',
  'x-litellm-api-key': 'x-litellm-api-key',
  'x-portkey-api-key': 'x-portkey-api-key',
  'x-bf-vk': 'x-bf-vk',
  'mj-api-secret': 'mj-api-secret',
  'subscription-key': 'ocp-apim-subscription-key',
  'x-gravitee-api-key': 'x-gravitee-api-key',
  'x-auth-token': 'x-auth-token',
};

const places: Readonly<Record<string, (key: string) => RequestCredential>> = {
  ...Object.fromEntries(
    Object.entries(unlistedHeaders).map(([place, name]) => [
      place,
      (key: string) => inHeaders({ [name]: key }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(queryNames).map(([place, name]) => [place, (key: string) => inQuery(name, key)]),
  ),
  bearer: (key) => inHeaders({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => inHeaders({ 'x-api-key': key }),
  'x-goog-api-key': (key) => inHeaders({ 'x-goog-api-key': key }),
  none: () => inHeaders({}),
  basic: (key) => inHeaders({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
  'basic-password': (key) =>
    inHeaders({ authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}` }),
  'basic-plain': (key) => inHeaders({ authorization: `Basic ${key}` }),
  'api-key-scheme': (key) => inHeaders({ authorization: `ApiKey ${key}` }),
  'aws-signature': (key) => inHeaders({ authorization: `AWS4-HMAC-SHA256 Credential=${key}${awsScope}` }),
  token: (key) => inHeaders({ authorization: `Token ${key}` }),
  raw: (key) => inHeaders({ authorization: key }),
  'lower-case-bearer': (key) => inHeaders({ authorization: `bearer ${key}` }),
  'proxy-authorization': (key) => inHeaders({ 'proxy-authorization': `Bearer ${key}` }),
  'cf-aig-authorization': (key) => inHeaders({ 'cf-aig-authorization': `Bearer ${key}` }),
  'helicone-auth': (key) => inHeaders({ 'helicone-auth': `Bearer ${key}` }),
  'websocket-protocol': (key) =>
    inHeaders({ 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${key}` }),
  cookie: (key) => inHeaders({ cookie: `api_key=${key}` }),
  'cookie-token': (key) => inHeaders({ cookie: `token=${key}` }),
  'cookie-session': (key) => inHeaders({ cookie: `session=${key}` }),
  'body-member': (key) => ({ headers: {}, query: undefined, members: { api_key: key, apikey: key } }),
  two: (key) => inHeaders({ authorization: `Bearer ${key}`, 'x-api-key': key }),
};

/**
 * Returns the parts of a request that contain the key. `place` is a value of the attribute `header` other than `any`.
 * Throws an `Error` if no such value exists.
 */
export function placeCredential(place: string, key: string): RequestCredential {
  const put = places[place];
  if (!put)
    throw new Error(
      `Unknown value of the attribute "header": "${place}". Use a value of \`header\` in specs/attributes.yaml.`,
    );
  return put(key);
}

function inHeaders(headers: Readonly<Record<string, string>>): RequestCredential {
  return { headers, query: undefined };
}

function inQuery(name: string, key: string): RequestCredential {
  return { headers: {}, query: `${name}=${encodeURIComponent(key)}` };
}

/** Returns 128 hexadecimal digits, which are equal for equal names, and unpredictable without the seed. */
export type NameSource = (name: string) => string;

/** Creates a name source. The same seed and name lead to the same digits. Default: a random seed. */
export function createNameSource(seed: string = randomUUID()): NameSource {
  return (name) => createHash('sha512').update(`${seed} ${name}`).digest('hex');
}

/** Returns a UUID of version 4 for a name. The same name source and name lead to the same UUID. */
export function deriveUuid(nameSource: NameSource, name: string): string {
  const digits = nameSource(name);
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
