import { createHash, randomUUID } from 'node:crypto';
import { keyRoles } from '../../common/profile-values.ts';
import { fillTemplate } from '../../common/template.ts';
import { attributesOfPackage, type Container } from '../catalog/attributes.ts';
import { editKey, type LetterEdit } from '../exchange/generation.ts';
import type { Profile } from '../profile/profile.ts';
import { applyEdit, isSecretKind, type NameSource, plainTexts } from './key-edits.ts';

/** Returns the key for a value of the attribute `key`; undefined if the run has no such key. */
export type KeyRing = (kind: string) => string | undefined;

/** The keys of a run, with the roles that replace the keys in reports. */
export interface RunKeys {
  readonly value: KeyRing;
  /** Returns the valid key after a change in one place, and adds the result to the secrets. */
  readonly edited: (edit: LetterEdit) => string;
  /** Adds a key that was created during the run to the secrets. */
  readonly addSecret: (key: string, role: string) => void;
  /** The secret texts, each with the role that reports show instead, such as `keys.valid:truncated`. */
  readonly secrets: ReadonlyMap<string, string>;
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
  const context = { taken: Object.values(keys), nameSource };
  const kinds = new Map<string, string | undefined>();
  const secrets = new Map<string, string>();
  const plain = plainTexts();
  const addNew = (key: string | undefined, role: string): void => {
    if (key && !secrets.has(key) && !plain.has(key)) secrets.set(key, role);
  };
  for (const role of keyRoles) addNew(keys[role], `keys.${role}`);
  for (const [name, kind] of attributesOfPackage().keyKinds) {
    const key = kind.profile ? keys[kind.profile] : applyEdit(kind, valid, context);
    kinds.set(name, key);
    if (isSecretKind(kind)) addNew(key, `keys.valid:${name}`);
  }
  for (const [text, name] of stated) if (!secrets.has(text)) secrets.set(text, `env.${name}`);
  for (const key of others) if (!secrets.has(key)) secrets.set(key, 'keys.other-target');
  const edited = (edit: LetterEdit): string => {
    const key = editKey(valid, edit);
    if (!secrets.has(key)) secrets.set(key, `keys.valid:${nameOf(edit)}`);
    return key;
  };
  const addSecret = (key: string, role: string): void => void secrets.set(key, role);
  return { value: (kind) => kinds.get(kind), edited, addSecret, secrets };
}

/** Returns a name for the change, such as `replace-x-5`, that reveals nothing about the key. */
function nameOf(edit: LetterEdit): string {
  return ['letter' in edit ? `${edit.kind}-${edit.letter}` : edit.kind, edit.at].join('-');
}

/** The headers, the query string or the members of the body that contain the key of a request. */
export interface RequestCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string | undefined;
  readonly members?: Readonly<Record<string, string>>;
}

/**
 * Returns the parts of a request that contain the key. `place` is a value of the attribute `header` other than `any`.
 * Throws an `Error` if no such value exists.
 */
export function placeCredential(place: string, key: string): RequestCredential {
  const parts = attributesOfPackage().places.get(place)?.parts;
  if (!parts)
    throw new Error(
      `Unknown value of the attribute "header": "${place}". Use a value of \`header\` in specs/attributes.yaml.`,
    );
  const filled = (container: Container): (readonly [string, string])[] =>
    parts
      .filter((part) => part.in === container)
      .map(({ name, template }) => [name, fillTemplate(template, () => key)]);
  const join = (pairs: readonly (readonly [string, string])[], separator: string): string =>
    pairs.map((pair) => pair.join('=')).join(separator);
  const [cookies, members] = [filled('cookie'), filled('body')];
  const query = filled('query').map(([name, text]) => [name, encodeURIComponent(text)] as const);
  return {
    headers: {
      ...Object.fromEntries(filled('headers')),
      ...(cookies.length > 0 && { cookie: join(cookies, '; ') }),
    },
    query: query.length > 0 ? join(query, '&') : undefined,
    ...(members.length > 0 && { members: Object.fromEntries(members) }),
  };
}

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
