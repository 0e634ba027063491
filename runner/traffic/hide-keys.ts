import { mapText, placeholderOf } from '../report/redaction/placeholders.ts';
import { makeRedact, type Redact, redactAll, redactRest } from '../report/redaction/redact.ts';

/** Where traffic comes from: a recording can have placeholders in it that a run of this suite wrote. */
export type TrafficSource = 'recording' | 'live';

/** What is derived of a valid key that nobody told of is no key. */
const shortest = 4;
/** The kind of each key that the profile tells of, and of each role that stands in the place of one in a recording. */
export function kindsOf(secrets: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kindOf = (role: string): string => {
    const kind = role.split(':')[1] ?? role.replace('keys.', '');
    return kind === 'valid' ? 'good' : kind;
  };
  const roles = ['keys.valid', 'keys.deleted', 'keys.depleted', 'keys.foreign', ...secrets.values()];
  return new Map([
    ...[...secrets].flatMap(([key, role]) => (key.length < shortest ? [] : [[key, kindOf(role)] as const])),
    ...roles.map((role) => [`{{${role}}}`, kindOf(role)] as const),
  ]);
}

/** Hides keys that a profile tells of, and those that are found in what is recorded. */
export interface KeyHiding {
  /** The redaction of an exchange in which those texts stand where keys do. */
  readonly of: (found: readonly string[]) => Redact;
  /** A value with every key in its texts hidden that was found until now, in whichever exchange. */
  readonly all: <T>(value: T) => T;
}

/** So many of the keys that were found last are remembered, and so many are looked for at once. */
const [remembered, atOnce] = [1_000, 100];
/** So many texts of one exchange are looked for: whoever sends more than a browser does can't slow others down. */
const mostOfExchange = 200;
/** A shorter text in the place of a key may stand anywhere else by chance. */
const shortestElsewhere = 8;
/** What begins as keys do, wherever it stands. */
const likeKeys = /\bsk-[\w-]{16,}/g;
const found = 'keys.client';

function hideLikeKeys(text: string): string {
  return text.replace(likeKeys, placeholderOf(found));
}

/** The hiding of one check; `of` does its work when it is first asked for a text. */
export function makeKeyHiding(secrets: ReadonlyMap<string, string>, source: TrafficSource): KeyHiding {
  const known = new Set<string>();
  /** The last redaction of an exchange, and for which texts it is: mostly, the next exchange has the same. */
  let last: { readonly name: string; readonly redact: Redact } | undefined;
  let ofAll: readonly Redact[] | undefined;
  const make = (texts: readonly string[]): Redact => {
    const redact = makeRedact(new Map([...texts.map((text) => [text, found] as const), ...secrets]));
    return (text) => mapText(redact(text), hideLikeKeys);
  };
  const lastOrMake = (texts: readonly string[]): Redact => {
    const name = JSON.stringify(texts);
    if (last?.name !== name) last = { name, redact: make(texts) };
    return last.redact;
  };
  return {
    of(all) {
      const texts = all.slice(0, mostOfExchange);
      for (const text of texts) {
        if (text.length < shortestElsewhere || known.has(text)) continue;
        const [oldest] = known.keys();
        if (known.size >= remembered && oldest !== undefined) known.delete(oldest);
        known.add(text);
        ofAll = undefined;
      }
      let redact: Redact | undefined;
      return (text) => {
        redact ??= source === 'recording' ? redactRest(lastOrMake(texts)) : lastOrMake(texts);
        return redact(text);
      };
    },
    all(value) {
      ofAll ??= chunks([...known], atOnce).map(make);
      return ofAll.reduce((hidden, redact) => redactAll(hidden, redactRest(redact)), value);
    },
  };
}

/** At least one, if with nothing in it. */
function chunks(texts: readonly string[], size: number): string[][] {
  const count = Math.max(1, Math.ceil(texts.length / size));
  return Array.from({ length: count }, (_, index) => texts.slice(index * size, (index + 1) * size));
}
