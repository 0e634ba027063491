import type { KeyEdit } from '../plan/generation.ts';
import type { Profile } from '../profile/profile.ts';
import { createNameSource, type NameSource } from './unique-name.ts';

/** The key that goes into a credential, or undefined where there is none. */
export type KeyRing = (kind: string) => string | undefined;

/** The keys that a run sends, by their kind, and each with the role that stands for it in reports. */
export interface Keys {
  readonly value: KeyRing;
  /** The valid key with a drawn change, which from then on is one of the secrets. */
  readonly edited: (edit: KeyEdit) => string;
  /** Every secret text → the role in whose place it is shown, such as `keys.valid:truncated`. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** A name that every object of some languages has, and so one that is found where names are looked up without care. */
export const nameOfAnyObject = 'constructor';

/** How much of the valid key a truncated one keeps. */
export function truncatedLength(key: string): number {
  return Math.ceil(key.length / 2);
}

/** Derives every kind of key from those of the profile; the unknown one is made up, and `others`, of other gateways, are secrets too. */
export function makeKeys(
  keys: Profile['keys'],
  {
    draw = createNameSource(),
    others = [],
    secrets: stated = new Map(),
  }: {
    readonly draw?: NameSource;
    readonly others?: readonly string[] | undefined;
    /** Texts of environment variables that aren't keys: text → variable. */
    readonly secrets?: ReadonlyMap<string, string>;
  } = {},
): Keys {
  const { valid } = keys;
  const bare = valid.startsWith('sk-') ? valid.slice(3) : valid;
  const taken = Object.values(keys);
  const kinds: Readonly<Record<string, string | undefined>> = {
    good: valid,
    deleted: keys.deleted,
    depleted: keys.depleted,
    foreign: keys.foreign,
    unknown: `sk-${draw('key').slice(0, Math.max(24, bare.length))}`,
    truncated: valid.slice(0, truncatedLength(valid)),
    extended: `${valid}x7`,
    suffixed: `${valid}-x7`,
    altered: altered(valid, Math.floor((valid.length * 3) / 4), taken),
    'altered-start': altered(valid, valid.length - bare.length, taken),
    'altered-end': altered(valid, valid.length - 1, taken),
    shortened: valid.slice(0, -1),
    swapped: swapped(valid),
    'other-prefix': `pk-${bare}`,
    'other-case': valid.slice(0, valid.length - bare.length) + swapCase(bare),
    'prefix-less': bare,
    word: nameOfAnyObject,
    empty: '',
  };
  const secrets = new Map<string, string>();
  for (const [kind, key] of Object.entries(kinds)) {
    if (!key || key === nameOfAnyObject) continue;
    const role = kind === 'good' ? 'keys.valid' : isOwn(kind) ? `keys.${kind}` : `keys.valid:${kind}`;
    if (!secrets.has(key)) secrets.set(key, role);
  }
  for (const [text, name] of stated) if (!secrets.has(text)) secrets.set(text, `env.${name}`);
  for (const key of others) if (!secrets.has(key)) secrets.set(key, 'keys.other-target');
  const edited = (edit: KeyEdit): string => {
    const key = editKey(valid, edit);
    if (!secrets.has(key)) secrets.set(key, `keys.valid:${nameOf(edit)}`);
    return key;
  };
  return { value: (kind) => kinds[kind], edited, secrets };
}

/** The key with another letter at one place, so that its length and all else stay, and none that somebody has. */
function altered(key: string, at: number, taken: readonly (string | undefined)[]): string {
  const made = ['7', '3', '5'].filter((letter) => letter !== key[at]);
  const others = made.map((letter) => editKey(key, { kind: 'replace', at, letter }));
  return others.find((other) => !taken.includes(other)) ?? others[0] ?? key;
}

/** The key with two letters, the first that differ behind its middle, in each other's place; undefined where none do. */
function swapped(key: string): string | undefined {
  const middle = Math.floor(key.length / 2);
  const found = key.slice(middle).search(/(.)(?!\1)./s);
  return found < 0 ? undefined : editKey(key, { kind: 'swap', at: middle + found });
}

/** A key with a change in one place; the same where the change is none. */
export function editKey(key: string, edit: KeyEdit): string {
  const { at } = edit;
  const [before, letter, behind] = [key.slice(0, at), key.slice(at, at + 1), key.slice(at + 1)];
  switch (edit.kind) {
    case 'insert':
      return before + edit.letter + letter + behind;
    case 'replace':
      return before + edit.letter + behind;
    case 'delete':
      return before + behind;
    case 'swap':
      return before + behind.slice(0, 1) + letter + behind.slice(1);
    case 'flip':
      return before + swapCase(letter) + behind;
  }
}

/** A name that tells the change, and nothing of the key. */
function nameOf(edit: KeyEdit): string {
  return ['letter' in edit ? `${edit.kind}-${edit.letter}` : edit.kind, edit.at].join('-');
}

function isOwn(kind: string): boolean {
  return kind === 'deleted' || kind === 'depleted' || kind === 'foreign';
}

function swapCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}

/** Where a credential goes: headers, and for one place the query. */
export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string | undefined;
}

const places: Readonly<Record<string, (key: string) => Credential>> = {
  bearer: (key) => inHeaders({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => inHeaders({ 'x-api-key': key }),
  'x-goog-api-key': (key) => inHeaders({ 'x-goog-api-key': key }),
  none: () => inHeaders({}),
  query: (key) => inQuery('key', key),
  'query-api-key': (key) => inQuery('api_key', key),
  'query-access-token': (key) => inQuery('access_token', key),
  basic: (key) => inHeaders({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
  'basic-password': (key) =>
    inHeaders({ authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}` }),
  'basic-plain': (key) => inHeaders({ authorization: `Basic ${key}` }),
  'api-key-scheme': (key) => inHeaders({ authorization: `ApiKey ${key}` }),
  token: (key) => inHeaders({ authorization: `Token ${key}` }),
  raw: (key) => inHeaders({ authorization: key }),
  'lower-case-bearer': (key) => inHeaders({ authorization: `bearer ${key}` }),
  'api-key': (key) => inHeaders({ 'api-key': key }),
  two: (key) => inHeaders({ authorization: `Bearer ${key}`, 'x-api-key': key }),
};

/** Puts a key where the fact `header` says; throws on a place that doesn't exist. */
export function placeCredential(place: string, key: string): Credential {
  const put = places[place];
  if (!put) throw new Error(`There is no place "${place}" for a credential.`);
  return put(key);
}

function inHeaders(headers: Readonly<Record<string, string>>): Credential {
  return { headers, query: undefined };
}

function inQuery(name: string, key: string): Credential {
  return { headers: {}, query: `${name}=${encodeURIComponent(key)}` };
}
