import { type DecodedText, decodeEscapes, formsOfKey, toLowerCase } from '../../../common/key-forms.ts';

/** A secret, or a part of one, in a text. `end` is the index after it. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  /** The name of the secret in placeholders, such as `keys.valid`. */
  readonly role: string;
  readonly isWhole: boolean;
}

/** Finds secrets in a text. Takes linear time, whatever the number of secrets. */
export type FindSecrets = (text: string) => FoundSecret[];

/** A part of a key of this length may be useful to an attacker. A shorter key is found only as a whole. */
const leastPart = 12;

/** Hiding a shorter text would make a report unreadable. */
const shortest = 4;

/** What is known of a window: a piece of a form, of `leastPart` characters or as long as a shorter form. */
interface Window {
  readonly role: string;
  /** The length from which a stretch of such windows is redacted although it is not a whole secret. */
  readonly least: number;
}

interface SecretIndex {
  readonly windows: ReadonlyMap<string, Window>;
  readonly lengths: readonly number[];
  /** The role of each whole form: as it is, and in lower case. */
  readonly whole: ReadonlyMap<string, string>;
  readonly longest: number;
  /** Whether a window may have the hash. Most places of a text need no other look-up. */
  readonly filter: Uint8Array;
}

/** Creates a search for secrets. `secrets` maps each secret to its role. The index is built when it is first used. */
export function createFindSecrets(secrets: ReadonlyMap<string, string>): FindSecrets {
  let index: SecretIndex | undefined;
  return (text) => {
    if (text.length < shortest) return [];
    index ??= indexSecrets(secrets);
    if (index.windows.size === 0) return [];
    const decoded = decodeEscapes(text);
    const found = findIn(decoded, index);
    for (const list of byteListsIn(decoded)) for (const secret of findIn(list, index)) found.push(secret);
    return found;
  };
}

function indexSecrets(secrets: ReadonlyMap<string, string>): SecretIndex {
  const windows = new Map<string, Window>();
  const whole = new Map<string, string>();
  const inLowerCase = new Map<string, string>();
  const put = <T>(map: Map<string, T>, key: string, value: T): void => {
    if (!map.has(key)) map.set(key, value);
  };
  let longest = 0;
  for (const [secret, role] of secrets) {
    // Words of a short key, such as `model` of `sk-model`, are not secret.
    if (secret.length < (role.includes(':') ? leastPart : shortest)) continue;
    // Only keys are redacted in part. Another secret, such as the name of a tenant, may share words with any text.
    const isKey = role.startsWith('keys.');
    for (const form of formsOfKey(secret)) {
      const text = toLowerCase(form.text);
      const least = isKey ? Math.min(text.length, form.lengthOf(leastPart)) : text.length;
      const size = Math.min(leastPart, text.length);
      longest = Math.max(longest, text.length);
      put(whole, form.text, role);
      put(inLowerCase, text, role);
      const [inWords, other] = [
        { role, least: text.length },
        { role, least },
      ];
      for (let at = 0; at + size <= text.length; at++)
        put(windows, text.slice(at, at + size), at + size <= form.words ? inWords : other);
    }
  }
  for (const [text, role] of inLowerCase) put(whole, text, role);
  const filter = new Uint8Array(2 ** Math.min(22, Math.ceil(Math.log2(16 * windows.size + 1))));
  for (const window of windows.keys()) filter[hashOf(window) & (filter.length - 1)] = 1;
  return {
    windows,
    lengths: [...new Set([...windows.keys()].map(({ length }) => length))],
    whole,
    longest,
    filter,
  };
}

const hashBase = 0x01000193;

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, hashBase) + text.charCodeAt(at)) | 0;
  return mix(hash);
}

function mix(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Looks up every window of the text, and joins windows that overlap. */
function findIn({ text, startOf, endOf }: DecodedText, index: SecretIndex): FoundSecret[] {
  const found: FoundSecret[] = [];
  const given = toLowerCase(text);
  const mask = index.filter.length - 1;
  const close = (start: number, end: number, { role, least }: Window): void => {
    const own = end - start > index.longest ? undefined : wholeAt(start, end);
    if (own === undefined && end - start < least) return;
    found.push({ start: startOf(start), end: endOf(end), role: own ?? role, isWhole: own !== undefined });
  };
  const wholeAt = (start: number, end: number): string | undefined =>
    index.whole.get(text.slice(start, end)) ?? index.whole.get(given.slice(start, end));
  for (const length of index.lengths) {
    let power = 1;
    for (let at = 0; at < length; at++) power = Math.imul(power, hashBase);
    let hash = 0;
    let open: { readonly start: number; end: number; window: Window } | undefined;
    for (let end = 1; end <= given.length; end++) {
      hash = (Math.imul(hash, hashBase) + given.charCodeAt(end - 1)) | 0;
      const start = end - length;
      if (start > 0) hash = (hash - Math.imul(power, given.charCodeAt(start - 1))) | 0;
      if (start < 0 || index.filter[mix(hash) & mask] !== 1) continue;
      const window = index.windows.get(given.slice(start, end));
      if (!window) continue;
      if (open && start < open.end) {
        open.end = end;
        if (window.least < open.window.least) open.window = window;
      } else {
        if (open) close(open.start, open.end, open.window);
        open = { start, end, window };
      }
    }
    if (open) close(open.start, open.end, open.window);
  }
  return found;
}

/** Matches bytes such as `115, 107, 45`, `[115 107 45]` of Go, `0x73, 0x6b`, and `73 6b 2d` or `73:6b:2d`. */
const byteLists = /(?<![0-9a-f])(?:0x)?[0-9a-f]{1,3}(?:[\s,;:]{1,64}(?:0x)?[0-9a-f]{1,3}(?![0-9a-f])){3,}/gi;

/** Yields each list of bytes in a text as characters: the numbers read as decimal, then as hexadecimal. */
function* byteListsIn({ text, startOf, endOf }: DecodedText): Generator<DecodedText> {
  for (const { 0: list, index } of text.matchAll(byteLists)) {
    const items = [...list.matchAll(/[0-9a-fx]+/gi)];
    const places = {
      startOf: (item: number): number => startOf(index + (items[item]?.index ?? list.length)),
      endOf: (end: number): number => endOf(index + lengthUpTo(items[end - 1])),
    };
    for (const base of [10, 16]) {
      const bytes = Buffer.from(items.map(([item]) => byteOf(item, base)));
      yield { text: bytes.toString('latin1'), ...places };
    }
  }
}

function lengthUpTo(item: RegExpExecArray | undefined): number {
  return item ? item.index + item[0].length : 0;
}

/** Returns the byte that a number stands for; 0 if it stands for none. */
function byteOf(number: string, base: number): number {
  const isHex = base === 16 || /^0x/i.test(number);
  const value = isHex ? Number.parseInt(number, 16) : Number(number);
  return value < 256 ? value : 0;
}
