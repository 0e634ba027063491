import { listPlacesIn } from '../../catalog/attributes.ts';
import type { Attributes } from '../../catalog/condition.ts';
import { answerOf, type Exchange } from '../../exchange/exchange.ts';
import { findSecretsInHeaders, mayContainSecret } from '../hide-keys.ts';
import type { HeaderLine } from '../recordings/recorded-exchange.ts';
import type { UrlInference } from './infer-from-url.ts';
import { createMemo, createNumbering } from './memo.ts';

export interface InferredCredential {
  /** The known attributes among `header`, `key` and `keyPrefix`. */
  readonly attributes: Attributes;
  /** The number of different credentials in the three headers of the specification. */
  readonly count: number;
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

/**
 * Infers the place and the kind of the credential of a request. `inQuery` is the key in the query. `keepsCredentials`
 * means that an `x-api-key` or `x-goog-api-key` that is empty in the recording was also sent empty.
 */
export function inferCredential(
  headers: readonly HeaderLine[],
  inQuery: UrlInference['key'],
  classifyKey: ClassifyKey,
  keepsCredentials: boolean,
): InferredCredential {
  const lines = headers.filter(([name]) => keyHeaders.includes(name));
  const count = lines.length > 1 ? new Set(lines.map((line) => JSON.stringify(line))).size : lines.length;
  if (count > 1) return { attributes: { header: 'two' }, count };
  const [line] = lines;
  if (line) {
    const { header, key } = readLine(line, classifyKey, keepsCredentials);
    return { attributes: header === undefined ? {} : { header, ...inferKey(key, classifyKey) }, count };
  }
  if (inQuery)
    return { attributes: { header: inQuery.place, ...inferKey(inQuery.value, classifyKey) }, count: 0 };
  // Some gateways also accept keys in headers that the specification does not define.
  for (const { place, name } of listPlacesIn('headers').filter(({ template }) => template === '{key}')) {
    const [, value] = headers.find(([own]) => own === name) ?? [];
    if (value !== undefined)
      return { attributes: { header: place, ...inferKey(value.trim(), classifyKey) }, count: 0 };
  }
  return { attributes: { header: 'none', key: 'none', keyPrefix: 'none' }, count: 0 };
}

interface AuthHeader {
  /** The attribute `header`; undefined if a recorder may have replaced or removed the whole value. */
  readonly header: string | undefined;
  readonly key: string;
}

function readLine(
  [name, value]: HeaderLine,
  classifyKey: ClassifyKey,
  keepsCredentials: boolean,
): AuthHeader {
  if (name === 'authorization') return readAuthorization(value, classifyKey);
  return { header: isBlank(value) && !keepsCredentials ? undefined : name, key: value.trim() };
}

/** Whether a recorder may have replaced the scheme together with the key. */
function isPlaceholder(value: string): boolean {
  const [scheme = '', ...rest] = value.trim().split(/\s+/);
  return placeholder.test(scheme) || (rest.length > 0 && !/^[a-z][\w-]*$/i.test(scheme));
}

function isBlank(value: string): boolean {
  return value.trim() === '';
}

function readAuthorization(value: string, classifyKey: ClassifyKey): AuthHeader {
  if (isBlank(value) || (isPlaceholder(value) && classifyKey(value.trim()) === undefined))
    return { header: undefined, key: value.trim() };
  const scheme = /^\S*/.exec(value)?.[0] ?? '';
  const rest = value.slice(scheme.length).trim();
  if (scheme.toLowerCase() === 'bearer')
    return { header: scheme === 'Bearer' || rest === '' ? 'bearer' : 'lower-case-bearer', key: rest };
  if (rest === '') return scheme === '' ? { header: 'bearer', key: '' } : { header: 'raw', key: scheme };
  return { header: scheme.toLowerCase() === 'token' ? 'token' : 'basic', key: rest };
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
 * the same headers.
 */
export function createInferSender(
  classifyKey: ClassifyKey,
): (
  headers: readonly HeaderLine[],
  url: Pick<UrlInference, 'key' | 'secrets'>,
  keepsCredentials: boolean,
) => SenderInference {
  const memo = createMemo<SenderInference>();
  const numberOf = createNumbering();
  return (headers, { key, secrets }, keepsCredentials) => {
    const lines = headers.filter(([name]) => mayContainSecret(name));
    return memo(JSON.stringify([lines, key, secrets, keepsCredentials]), () => {
      const classified: (ClassifiedKey | undefined)[] = [];
      const credential = inferCredential(
        lines,
        key,
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
        secrets: [...findSecretsInHeaders(lines), ...secrets].filter((text) => !isStated(text)),
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

/** Headers that do not change a response, and headers that are compared separately, such as the key headers. */
const neutralHeaders =
  /^(accept(-charset|-encoding|-language)?|authorization|x-api-key|x-goog-api-(key|client)|baggage|cache-control|connection|content-(length|type)|date|dnt|forwarded|host|keep-alive|origin|pragma|priority|referer|te|traceparent|tracestate|transfer-encoding|user-agent|via|(sec|x-b3|x-datadog|x-forwarded|x-stainless)-.*|x-(amzn-trace|client-request|cloud-trace|correlation|real|request|trace)-?(id|ip|context)|[a-z]+-version)$/;

/**
 * Returns the headers that the specification does not define and that may change the response, such as a tenant's ID.
 */
export function listOwnHeaders(headers: Readonly<Record<string, string>>): readonly [string, string][] {
  return Object.entries(headers).filter(([name]) => !neutralHeaders.test(name));
}
