import type { Facts } from '../catalog/condition.ts';
import type { HeaderLine } from './recorded.ts';

/** What a request says of its credential. */
export interface Credential {
  /** `header`, `key` and `keyPrefix`, as far as they are known. */
  readonly facts: Facts;
  /** In how many places a credential stands. */
  readonly count: number;
}

/** Which kind of key a text is; undefined for one that nobody told of. */
export type KindOfKey = (value: string) => string | undefined;

const keyHeaders = ['x-api-key', 'x-goog-api-key'] as const;
/** What recorders put in the place of a key. */
const redacted = /redact|\{\{|\}\}|\*{3}|…|^x{4,}$|\$\{?[A-Z_]{3,}|^<.*>$|\[.*\]/i;

/** Where the credential of a request stands, and what it is. */
export function recogniseCredential(
  headers: readonly HeaderLine[],
  query: string | undefined,
  kindOf: KindOfKey,
): Credential {
  const lines = new Map(headers.map((line) => [JSON.stringify(line), line]));
  const found = [...lines.values()].flatMap(([name, value]): Found[] => {
    if (name === 'authorization') return [readAuthorization(value, kindOf)];
    const header = keyHeaders.find((known) => known === name);
    return header ? [{ header: isBlank(value) ? undefined : header, key: value.trim() }] : [];
  });
  const [first] = found;
  if (found.length > 1) return { facts: { header: 'two' }, count: found.length };
  if (first?.header === undefined && first) return { facts: {}, count: 1 };
  if (first?.header !== undefined)
    return { facts: { header: first.header, ...keyFacts(first.key, kindOf) }, count: 1 };
  if (query !== undefined) return { facts: { header: 'query', ...keyFacts(query, kindOf) }, count: 0 };
  return { facts: { header: 'none', key: 'none', keyPrefix: 'none' }, count: 0 };
}

interface Found {
  /** Undefined where a recorder may have put something in the place of the whole value. */
  readonly header: string | undefined;
  readonly key: string;
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
  const [, scheme = '', rest = ''] = /^(\S*)\s*(.*?)\s*$/s.exec(value) ?? [];
  if (scheme.toLowerCase() === 'bearer')
    return { header: scheme === 'Bearer' || rest === '' ? 'bearer' : 'lower-case-bearer', key: rest };
  if (rest === '') return scheme === '' ? { header: 'bearer', key: '' } : { header: 'raw', key: scheme };
  return { header: 'basic', key: rest };
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
