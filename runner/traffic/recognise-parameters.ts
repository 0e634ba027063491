import type { Facts } from '../catalog/condition.ts';
import type { Profile, TimeFormat } from '../profile/profile.ts';

/** The facts `record` and `range` of a billing-type request, as far as its parameters tell; `undefined` where they don't. */
export function recogniseParameters(
  values: Readonly<Record<string, string>>,
  { records, timeFormat }: Pick<Profile, 'records' | 'timeFormat'>,
): { readonly record: string | undefined; readonly range: string | undefined } {
  const { request_id: id, start, end } = values;
  return {
    record: id === undefined ? undefined : recordOf(id, records),
    range: start === undefined || end === undefined ? undefined : rangeOf(start, end, timeFormat),
  };
}

/** Those parameters as facts of an operation that takes them. */
export function parameterFacts(operation: string, seen: ReturnType<typeof recogniseParameters>): Facts {
  const record = operation === 'record' ? seen.record : 'none';
  const range = operation === 'usage' ? seen.range : 'none';
  return { ...(record !== undefined && { record }), ...(range !== undefined && { range }) };
}

/** A text that is plainly no UUID is a word; another UUID may be that of a record, or of none. */
function recordOf(id: string, records: Profile['records']): string | undefined {
  if (id === records.own) return 'own';
  if (id === records.foreign) return 'foreign';
  const bare = id.replace(/^urn:uuid:/i, '').replace(/[{}-]/g, '');
  return bare === '' || /^[0-9a-f]{32}$/i.test(bare) ? undefined : 'word';
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
  if (!Number.isNaN(from) && !Number.isNaN(to)) return from > to ? 'reversed' : 'valid';
  if (isNoTime(start) && !Number.isNaN(to)) return 'unparseable-start';
  return isNoTime(end) && !Number.isNaN(from) ? 'unparseable-end' : undefined;
}

/** Whether a text is a time in no format at all. */
function isNoTime(text: string): boolean {
  return (
    /^[a-z_-]{3,}$/i.test(text) && Number.isNaN(Date.parse(text)) && !/^(now|today|yesterday)/i.test(text)
  );
}
