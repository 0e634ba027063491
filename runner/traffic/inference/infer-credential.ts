import type { Attributes } from '../../catalog/condition.ts';
import { answerOf, type Exchange } from '../../exchange/exchange.ts';
import { findSecretsInHeaders, mayContainSecret } from '../hide-keys.ts';
import type { HeaderLine } from '../recordings/recorded-exchange.ts';
import {
  type FoundKey,
  findKeyAfterScheme,
  findKeysInBody,
  findKeysInCookies,
  findKeysInHeaders,
  type KeyMembers,
} from './find-place.ts';
import type { UrlInference } from './infer-from-url.ts';
import { createMemo, createNumbering } from './memo.ts';

export interface InferredCredential {
  /** The known attributes among `header`, `key` and `keyPrefix`. */
  readonly attributes: Attributes;
  /** The number of different credentials in the three headers of the specification. */
  readonly count: number;
  /** The text of the key, decoded. */
  readonly texts: readonly string[];
}

/** Returns the kind of a key; undefined if neither the profile nor the traffic shows the kind. */
export type ClassifyKey = (text: string) => ClassifiedKey | undefined;

/** The kind of a key, and its source. */
export interface ClassifiedKey {
  /** The kind, such as `good` or `deleted`. */
  readonly kind: string;
  /** Whether the kind follows from the profile, or the text is a known mistake such as `undefined`. */
  readonly isStated: boolean;
}

/** The headers in which the specification allows a key. */
export const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];
/** Matches texts with which recorders replace a key. */
export const placeholder = /redact|\{\{|\}\}|\*{3}|…|^x{4,}$|\$\{?[A-Z_]{3,}|^<.*>$|\[[^[\]]*\]/i;

/** The parts of a request in which a key can be. */
export interface CredentialParts {
  readonly headers: readonly HeaderLine[];
  /** The key in the query. */
  readonly inQuery: UrlInference['key'];
  readonly members: KeyMembers;
  /** Whether another part of the URL may contain a key, such as the user name. */
  readonly mayBeInUrl: boolean;
}

/**
 * Infers the place and the kind of the credential of a request. The place is `none` only if no part of the request can
 * contain a key, and unknown if a part that can contain a key is no known place. `keepsCredentials` means that an
 * `x-api-key` or `x-goog-api-key` that is empty in the recording was also sent empty.
 */
export function inferCredential(
  { headers, inQuery, members, mayBeInUrl }: CredentialParts,
  classifyKey: ClassifyKey,
  keepsCredentials: boolean,
): InferredCredential {
  const lines = headers.filter(([name]) => keyHeaders.includes(name));
  const count = lines.length > 1 ? new Set(lines.map((line) => JSON.stringify(line))).size : lines.length;
  if (count > 1) return { attributes: { header: 'two' }, count, texts: [] };
  const describe = ({ place, key }: FoundKey): InferredCredential => ({
    attributes: { header: place, ...inferKey(key, classifyKey) },
    count,
    texts: [key],
  });
  const unknown = { attributes: {}, count, texts: [] };
  const [line] = lines;
  if (line) {
    const found = readLine(line, classifyKey, keepsCredentials);
    return found ? describe(found) : unknown;
  }
  if (inQuery) return describe({ place: inQuery.place, key: inQuery.value });
  const [found] = [
    ...findKeysInHeaders(headers),
    // Another text in a cookie may be the session of a browser.
    ...findKeysInCookies(headers).filter(({ key }) => classifyKey(key) !== undefined),
    ...findKeysInBody(members),
  ];
  if (found) return describe(found);
  if (
    mayBeInUrl ||
    Object.keys(members).length > 0 ||
    headers.some(([name]) => !keylessHeaders.includes(name))
  )
    return unknown;
  return { attributes: { header: 'none', key: 'none', keyPrefix: 'none' }, count, texts: [] };
}

/** Headers without a key whose names look like those of headers with a key (`mayContainSecret`). */
const keylessHeaders: readonly string[] = [':authority', 'idempotency-key', 'sec-websocket-key'];

/** Returns undefined if a recorder may have replaced or removed the whole value, or if the scheme is unknown. */
function readLine(
  [name, value]: HeaderLine,
  classifyKey: ClassifyKey,
  keepsCredentials: boolean,
): FoundKey | undefined {
  if (name === 'authorization') return readAuthorization(value.trim(), classifyKey);
  return value.trim() === '' && !keepsCredentials ? undefined : { place: name, key: value.trim() };
}

function readAuthorization(value: string, classifyKey: ClassifyKey): FoundKey | undefined {
  const scheme = /^\S*/.exec(value)?.[0] ?? '';
  const rest = value.slice(scheme.length).trim();
  const mayBePlaceholder = placeholder.test(scheme) || (rest !== '' && !/^[a-z][\w-]*$/i.test(scheme));
  if (value === '' || (mayBePlaceholder && classifyKey(value) === undefined)) return undefined;
  if (scheme.toLowerCase() === 'bearer')
    return { place: scheme === 'Bearer' || rest === '' ? 'bearer' : 'lower-case-bearer', key: rest };
  if (rest === '') return { place: 'raw', key: scheme };
  const found = findKeyAfterScheme(value);
  // A recorder may have replaced base64 text.
  return found && placeholder.test(found.key) && classifyKey(found.key) === undefined ? undefined : found;
}

function inferKey(key: string, classifyKey: ClassifyKey): Attributes {
  if (key === '') return { key: 'empty', keyPrefix: 'none' };
  const known = classifyKey(key);
  return {
    ...(known && { key: known.kind }),
    ...inferKeyPrefix(key, known?.isStated === true),
  };
}

/**
 * Infers the attribute `keyPrefix`. The prefix of a word such as `DUMMY` is unknown, since a recorder or a
 * person may have replaced the key with the word.
 */
function inferKeyPrefix(key: string, isListed: boolean): Attributes {
  if (placeholder.test(key)) return {};
  if (key.startsWith('sk-')) return { keyPrefix: 'sk-' };
  const isHash = /^([\w-]+:)?[0-9a-f]+$/i.test(key);
  const isRandom = key.length >= 20 && !isHash && new Set(key).size >= 12 && /\d/.test(key);
  return isListed || isRandom ? { keyPrefix: 'other' } : {};
}

export interface SenderInference {
  readonly credential: InferredCredential;
  /** The texts in the headers and the URL that may be keys or passwords, except texts whose kind is stated. */
  readonly secrets: readonly string[];
  /** Whether the kind of the key is known only from the traffic. */
  readonly isLearned: boolean;
  /** A number that identifies the attributes of the credential and `isLearned` in cache keys. */
  readonly id: number;
}

/**
 * Creates a function that infers the sender of a request. Results are cached, since most requests of a client have
 * the same headers. The headers with the names `ownHeaders`, which the profile adds to each request, contain no key.
 */
export function createInferSender(
  classifyKey: ClassifyKey,
  ownHeaders: readonly string[],
): (
  headers: readonly HeaderLine[],
  url: Pick<UrlInference, 'key' | 'secrets'>,
  members: KeyMembers,
  keepsCredentials: boolean,
) => SenderInference {
  const memo = createMemo<SenderInference>();
  const numberOf = createNumbering();
  return (headers, { key, secrets }, members, keepsCredentials) => {
    const lines = headers.filter(([name]) => mayContainSecret(name));
    return memo(JSON.stringify([lines, key, secrets, members, keepsCredentials]), () => {
      const classified: (ClassifiedKey | undefined)[] = [];
      const credential = inferCredential(
        {
          headers: lines.filter(([name]) => keyHeaders.includes(name) || !ownHeaders.includes(name)),
          inQuery: key,
          members,
          mayBeInUrl: secrets.length > 0,
        },
        (text) => {
          const found = classifyKey(text);
          classified.push(found);
          return found;
        },
        keepsCredentials,
      );
      const isStated = (text: string): boolean => classifyKey(text)?.isStated === true;
      const isLearned = classified.some((found) => found?.isStated === false);
      return {
        credential,
        secrets: [...findSecretsInHeaders(lines), ...secrets, ...credential.texts].filter(
          (text) => !isStated(text),
        ),
        isLearned,
        id: numberOf(JSON.stringify([credential.attributes, isLearned])),
      };
    });
  };
}

/**
 * Returns a copy of a failed call with a `good` key, in which the attribute `header` names the header of the key
 * instead of `any`. Returns undefined for any other exchange, and for a 429, which does not depend on the header.
 */
export function nameKeyHeader(exchange: Exchange): Exchange | undefined {
  const { attributes, request } = exchange;
  const status = answerOf(exchange)?.status ?? 0;
  const isGoodCall = attributes.key === 'good' && attributes.header === 'any';
  const header = isGoodCall && status >= 400 && status !== 429 ? findKeyHeader(request.headers) : undefined;
  if (header === undefined) return undefined;
  return {
    ...exchange,
    attributes: { ...attributes, header: header === 'authorization' ? 'bearer' : header },
  };
}

/**
 * Returns the name of the first key header of the specification that the request has; undefined if the request has no
 * such header.
 */
export function findKeyHeader(headers: Readonly<Record<string, string>>): string | undefined {
  return keyHeaders.find((name) => headers[name] !== undefined);
}

/** Returns the key in a key header; undefined without such a header, or if a recorder may have replaced the key. */
export function readKey({ request: { headers } }: Exchange): string | undefined {
  const text = headers[findKeyHeader(headers) ?? '']?.replace(/^Bearer +/i, '');
  return text === undefined || placeholder.test(text) ? undefined : text;
}

/** Headers that do not change a response, and headers that are compared separately, such as the key headers. */
const neutralHeaders =
  /^(accept(-charset|-encoding|-language)?|authorization|x-api-key|x-goog-api-(key|client)|baggage|cache-control|connection|content-(length|type)|date|dnt|forwarded|host|keep-alive|origin|pragma|priority|referer|te|traceparent|tracestate|transfer-encoding|user-agent|via|(sec|x-b3|x-datadog|x-forwarded|x-stainless)-.*|x-(amzn-trace|client-request|cloud-trace|correlation|real|request|trace)-?(id|ip|context)|[a-z]+-version)$/;

/**
 * Returns the headers that the specification does not define and that may change the response, such as a tenant's ID.
 */
export function listOwnHeaders(headers: Readonly<Record<string, string>>): readonly [string, string][] {
  return Object.entries(headers).filter(([name]) => !neutralHeaders.test(name));
}
