import type { Facts } from '../catalog/condition.ts';
import type { Profile, TimeFormat } from '../profile/profile.ts';

/** The facts `record` and `range` of a billing-type request, as far as its parameters tell; `undefined` where they don't. */
export function inferParameters(
  values: Readonly<Record<string, string>>,
  { records, timeFormat }: Pick<Profile, 'records' | 'timeFormat'>,
  inPath: readonly string[],
): { readonly record: string | undefined; readonly range: string | undefined } {
  const { request_id: id, start, end } = values;
  return {
    record: id === undefined ? undefined : recordOf(id, records, inPath.includes('request_id')),
    range: start === undefined || end === undefined ? undefined : rangeOf(start, end, timeFormat),
  };
}

/** Those parameters as facts of an operation that takes them. */
export function parameterFacts(operation: string, seen: ReturnType<typeof inferParameters>): Facts {
  const record = operation === 'record' ? seen.record : 'none';
  const range = operation === 'usage' ? seen.range : 'none';
  return { ...(record !== undefined && { record }), ...(range !== undefined && { range }) };
}

/**
 * A text that is plainly no UUID is a word; another UUID may be that of a record, or of none. In a path, a word may be
 * the name of another endpoint, so that there only what was meant as a UUID is one.
 */
function recordOf(id: string, records: Profile['records'], isInPath: boolean): string | undefined {
  if (id === records.own) return 'own';
  if (id === records.foreign) return 'foreign';
  const bare = id.replace(/^urn:uuid:/i, '').replace(/[\s{}()"'-]/g, '');
  if (bare === '' || /^[0-9a-f]{32}$/i.test(bare) || isReplaced(id)) return undefined;
  return isInPath && !/^[0-9a-z]{6,}(-[0-9a-z]{3,}){3,}$/i.test(id) ? undefined : 'word';
}

/** What a recorder, or our own redaction, may have put in the place of something else. */
function isReplaced(text: string): boolean {
  return /\{\{|redact|\*{3}|[<[][^<[]*[>\]]/i.test(text);
}

const parsers: Readonly<Record<TimeFormat, (text: string) => number>> = {
  'unix-seconds': (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN),
  'unix-millis': (text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN),
  'iso-date': (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN),
  'iso-datetime': (text) => (/^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN),
};

/** Undefined where a time is in another format than the profile's: a gateway may take it. */
function rangeOf(start: string, end: string, format: TimeFormat): string | undefined {
  const parse = parsers[format];
  const [from, to] = [parse(start), parse(end)];
  if (!Number.isNaN(from) && !Number.isNaN(to)) {
    if (from <= to) return 'valid';
    return isComparable(start, end, format) ? 'reversed' : undefined;
  }
  if (isNoTime(start) && !Number.isNaN(to)) return 'unparseable-start';
  return isNoTime(end) && !Number.isNaN(from) ? 'unparseable-end' : undefined;
}

/** Seconds and milliseconds, or times with and without their zone, may be mixed up by a client and told apart by a gateway. */
function isComparable(start: string, end: string, format: TimeFormat): boolean {
  if (format === 'iso-datetime') return hasZone(start) === hasZone(end);
  return format === 'iso-date' || Number(start) < 100 * Number(end);
}

function hasZone(time: string): boolean {
  return /(z|[+-]\d\d:?\d\d)$/i.test(time);
}

/** Words that some interfaces take for a time, or for none at all. */
const timeWords = new Set(
  (
    'now today yesterday tomorrow ago last latest first earliest next this current previous prev begin beginning start ' +
    'end min max all any ever inf infinity noon midnight second minute hour day week weekend month quarter year decade ' +
    'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april ' +
    'may june july august september october november december null none undefined nan oldest newest recent default auto'
  ).split(' '),
);

/** Whether a text is a time in no format at all. */
function isNoTime(text: string): boolean {
  const words = text.toLowerCase().split(/[-_]/);
  return (
    /^[a-z_-]{3,}$/i.test(text) &&
    Number.isNaN(Date.parse(text)) &&
    !words.some((word) => timeWords.has(word) || timeWords.has(word.replace(/s$/, '')))
  );
}
