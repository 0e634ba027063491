import type { TimeFormat } from '../../../common/profile-values.ts';
import { listPlacesIn } from '../../catalog/attributes.ts';
import type { Attributes } from '../../catalog/condition.ts';
import type { Profile } from '../../profile/profile.ts';
import { findSecretsInUrl } from '../hide-keys.ts';
import type { RecordedExchange } from '../recordings/recorded-exchange.ts';
import { createOperationMatcher, type OperationMatch, parseUrl } from './match-operation.ts';
import { createMemo, createNumbering } from './memo.ts';

export interface UrlInference {
  /** The key in the query (`value`), and the value of the attribute `header` for its parameter (`place`). */
  readonly key: { readonly place: string; readonly value: string } | undefined;
  readonly secrets: readonly string[];
  readonly match: OperationMatch | undefined;
  readonly attributes: Attributes;
  /**
   * Whether the query contains only parameters of the operation and parameters for keys; true if no operation matches.
   */
  readonly isPlain: boolean;
  /** A number that identifies `attributes` and `isPlain` in cache keys. */
  readonly id: number;
}

/** Infers attributes from a URL. Calls `readBody` only if the profile states the body of an operation. */
export type InferFromUrl = (request: RecordedExchange['request'], readBody: () => unknown) => UrlInference;

/**
 * Creates a function that infers attributes from URLs. Results for short URLs are cached, unless the profile states
 * the body of an operation.
 */
export function createInferFromUrl(profile: Profile): InferFromUrl {
  const { match: matchOperation, readsBodies } = createOperationMatcher(profile);
  const memo = createMemo<UrlInference>();
  const numberOf = createNumbering();
  const keyParameters = new Map(listPlacesIn('query').map(({ name, place }) => [name, place]));
  return ({ method, url }, readBody) => {
    const infer = (): UrlInference => {
      const parsed = parseUrl(url);
      const match = matchOperation({ method, url, parsed }, readBody);
      const attributes = match
        ? selectParameterAttributes(match.operation, inferParameters(match.values, profile, match.inPath))
        : {};
      const isPlain = match?.extraParameters.every((name) => keyParameters.has(name)) ?? true;
      return {
        key: parsed && findKey(parsed.searchParams, keyParameters),
        secrets: findSecretsInUrl(parsed),
        match,
        attributes,
        isPlain,
        id: numberOf(JSON.stringify([attributes, isPlain])),
      };
    };
    return readsBodies ? infer() : memo(`${method.length} ${method} ${url}`, infer);
  };
}

function findKey(query: URLSearchParams, places: ReadonlyMap<string, string>): UrlInference['key'] {
  const [name, place] = [...places].find(([own]) => query.has(own)) ?? [];
  return place === undefined || name === undefined ? undefined : { place, value: query.get(name) ?? '' };
}

/** Infers the attributes `record` and `range` from the values of placeholders. An unknown attribute is undefined. */
export function inferParameters(
  values: Readonly<Record<string, string>>,
  { records, timeFormat }: Pick<Profile, 'records' | 'timeFormat'>,
  inPath: readonly string[],
): { readonly record: string | undefined; readonly range: string | undefined } {
  const { request_id: id, start, end } = values;
  return {
    record: id === undefined ? undefined : inferRecord(id, records, inPath.includes('request_id')),
    range: start === undefined || end === undefined ? undefined : inferRange(start, end, timeFormat),
  };
}

/**
 * Returns the known attributes `record` and `range`, with `none` for a parameter that the operation does not accept.
 */
export function selectParameterAttributes(
  operation: string,
  inferred: ReturnType<typeof inferParameters>,
): Attributes {
  const record = operation === 'record' ? inferred.record : 'none';
  const range = operation === 'usage' ? inferred.range : 'none';
  return { ...(record !== undefined && { record }), ...(range !== undefined && { range }) };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const uuidWithLineBreak = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[\r\n]+$/i;

/**
 * Infers the attribute `record` from an ID. In a query or body, most texts that are plainly not a UUID count as
 * `word`. The result for an unknown UUID is undefined, since the UUID may belong to a record. In a path, a plain word
 * may be the name of another endpoint, so only a text with groups like those of a UUID counts as a `word`.
 */
function inferRecord(id: string, records: Profile['records'], isInPath: boolean): string | undefined {
  if (id === records.own) return 'own';
  if (id === records.foreign) return 'foreign';
  // A path with an empty ID belongs to another endpoint.
  if (id === '') return isInPath ? undefined : 'empty';
  if (uuidWithLineBreak.test(id)) return 'line-break-behind';
  const bare = id.replace(/^urn:uuid:/i, '').replace(/[\s{}()"'-]/g, '');
  if (/^[0-9a-f-]{33,}$/i.test(id) && bare.length === 32 && !uuid.test(id)) return 'dashes-elsewhere';
  if (bare === '' || /^[0-9a-f]{32}$/i.test(bare) || mayBePlaceholder(id)) return undefined;
  return isInPath && !/^[0-9a-z]{6,}(-[0-9a-z]{3,}){3,}$/i.test(id) ? undefined : 'word';
}

function mayBePlaceholder(text: string): boolean {
  return /\{\{|redact|\*{3}|[<[][^<[]*[>\]]/i.test(text);
}

const parsers: Readonly<Record<TimeFormat, (text: string) => number>> = {
  'unix-seconds': (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN),
  'unix-millis': (text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN),
  'iso-date': (text) =>
    /^\d{4}-\d\d-\d\d$/.test(text) && !isAbsentDate(text, 'iso-date') ? Date.parse(text) : Number.NaN,
  'iso-datetime': (text) =>
    /^\d{4}-\d\d-\d\dT/.test(text) && !isAbsentDate(text, 'iso-datetime') ? Date.parse(text) : Number.NaN,
};

/**
 * Whether a text is a Unix time or a date, followed by letters. A short number with a letter, such as `30d`, may be a
 * duration instead.
 */
function isTimeWithLetters(text: string, format: TimeFormat): boolean {
  return format.startsWith('unix')
    ? /^\d{10,13}[a-z]+$/i.test(text)
    : /^\d{4}-\d\d-\d\d[a-su-y]+$/i.test(text);
}

/** Whether the date in a time does not exist, such as February 30. */
function isAbsentDate(text: string, format: TimeFormat): boolean {
  const [, date = '', day = ''] = /^(\d{4}-\d\d-(\d\d))(T|$)/.exec(text) ?? [];
  if (format.startsWith('unix') || date === '') return false;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).getUTCDate() !== Number(day);
}

/**
 * Infers the attribute `range`; undefined if the gateway may accept a time in another format, or if the order
 * of the times is uncertain.
 */
function inferRange(start: string, end: string, format: TimeFormat): string | undefined {
  const parse = parsers[format];
  const [from, to] = [parse(start), parse(end)];
  if (!Number.isNaN(from) && !Number.isNaN(to)) {
    if (from <= to) return 'valid';
    return isComparable(start, end, format) ? 'reversed' : undefined;
  }
  if (!Number.isNaN(to) && isNeverTime(start)) return 'unparseable-start';
  if (!Number.isNaN(to) && isTimeWithLetters(start, format)) return 'letters-behind-start';
  if (!Number.isNaN(to) && isAbsentDate(start, format)) return 'no-such-date-start';
  if (Number.isNaN(from)) return undefined;
  if (isNeverTime(end)) return 'unparseable-end';
  if (isTimeWithLetters(end, format)) return 'letters-behind-end';
  return isAbsentDate(end, format) ? 'no-such-date-end' : undefined;
}

/** Whether two times can be compared: their units seem to be the same, and both or neither have a time zone. */
function isComparable(start: string, end: string, format: TimeFormat): boolean {
  if (format === 'iso-datetime') return hasZone(start) === hasZone(end);
  return format === 'iso-date' || Number(start) < 100 * Number(end);
}

function hasZone(time: string): boolean {
  return /(z|[+-]\d\d:?\d\d)$/i.test(time);
}

/** Words that some interfaces accept as a time or as the open end of a range. */
const timeWords = new Set(
  (
    'now today yesterday tomorrow ago last latest first earliest next this current previous prev begin beginning start ' +
    'end min max all any ever inf infinity noon midnight second minute hour day week weekend month quarter year decade ' +
    'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april ' +
    'may june july august september october november december null none undefined nan oldest newest recent default auto'
  ).split(' '),
);

function isNeverTime(text: string): boolean {
  const words = text.toLowerCase().split(/[-_]/);
  return (
    /^[a-z_-]{3,}$/i.test(text) &&
    Number.isNaN(Date.parse(text)) &&
    !words.some((word) => timeWords.has(word) || timeWords.has(word.replace(/s$/, '')))
  );
}
