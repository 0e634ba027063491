import type { Context } from '../gateway/context.ts';
import { readParameter } from '../gateway/routes.ts';
import { toMilliseconds } from '../gateway/seed.ts';
import { findRecordById, type RequestRecord } from '../gateway/state.ts';

/**
 * Returns the text of a parameter of a billing-type endpoint; undefined if the parameter is missing. The profile
 * determines the place of the parameter.
 */
export function parameterOf(name: string, ctx: Context): string | undefined {
  if (ctx.match.kind !== 'found') return undefined;
  return readParameter(ctx.match, name, { query: ctx.request.query, body: ctx.body });
}

/**
 * Returns the name of a parameter for error messages: the name in the query, the path in the body, or else `name`, the
 * placeholder.
 */
export function formatParameterName(name: string, ctx: Context): string {
  const place = ctx.match.kind === 'found' ? ctx.match.route.parameters.get(name) : undefined;
  if (place?.in === 'query') return place.name;
  return place?.in === 'body' ? place.path.join('.') : name;
}

/** Whether a request ID has the form of a UUID (2.4). Any version and upper-case letters are accepted. */
export function isRequestId(text: string, _ctx: Context): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * Finds the record with this ID in any account; undefined if no record has the ID. Upper-case letters count as
 * lower-case.
 */
export function findRecord(id: string, ctx: Context): RequestRecord | undefined {
  return findRecordById(ctx.state, id.toLowerCase());
}

/** Whether the account of the key may read a record: true only for the account that made the call (7.2). */
export function mayRead(record: RequestRecord, ctx: Context): boolean {
  return record.account === ctx.key?.account;
}

/**
 * Parses a time parameter into milliseconds since 1970-01-01 UTC. Returns undefined if the text does not have the
 * time format of the profile, or if the date or the time of day does not exist.
 */
export function timeOf(text: string, ctx: Context): number | undefined {
  const { timeFormat } = ctx.profile;
  if (timeFormat === 'unix-seconds') return /^\d{1,11}$/.test(text) ? Number(text) * 1000 : undefined;
  if (timeFormat === 'unix-millis') return /^\d{1,14}$/.test(text) ? Number(text) : undefined;
  const form =
    timeFormat === 'iso-date'
      ? /^\d{4}-\d{2}-\d{2}$/
      : /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
  const time = form.test(text) && isInCalendar(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

// `Date.parse` converts February 30 to March 2.
function isInCalendar(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Whether a time range is valid. A range may be empty, but not reversed (7.2). Both ends are in milliseconds. */
export function isRange(start: number, end: number, _ctx: Context): boolean {
  return start <= end;
}

/**
 * How long a key is refused after the key exceeded the limit, in milliseconds. `Retry-After` contains this time,
 * rounded up to a whole second.
 */
const refusedFor = 200;

/**
 * Grants a billing-type request to the key, or returns the number of whole seconds to wait before the next attempt
 * (8). The profile states the number of requests with which a key exceeds the limit. Without a rate limit in the
 * profile, all requests are granted. The refusals end after 200 ms, and the count then starts again at zero. A run
 * that has just exceeded the limit therefore does not delay the next run.
 */
export function grantRequest(
  ctx: Context,
): { readonly kind: 'granted' } | { readonly kind: 'refused'; readonly retryAfter: number } {
  const { rateLimit } = ctx.profile;
  if (!rateLimit) return { kind: 'granted' };
  const { frequency } = ctx.state;
  const within = toMilliseconds(rateLimit.within, 'rateLimit.within');
  const key = ctx.key?.value ?? '';
  const { granted, refusedUntil } = frequency.get(key) ?? { granted: [], refusedUntil: 0 };
  const retryAfter = Math.ceil(refusedFor / 1000);
  if (ctx.now < refusedUntil) return { kind: 'refused', retryAfter };
  const recent = granted.filter((time) => ctx.now - time < within);
  if (recent.length + 1 < rateLimit.requests) {
    frequency.set(key, { granted: [...recent, ctx.now], refusedUntil });
    return { kind: 'granted' };
  }
  frequency.set(key, { granted: [], refusedUntil: ctx.now + refusedFor });
  return { kind: 'refused', retryAfter };
}
