import type { Decisions } from './decisions.ts';
import { readParameter } from './routes.ts';
import { toMilliseconds } from './seed.ts';
import { findRecordById } from './state.ts';
import { type Responder, succeed } from './successes.ts';

export const respondWithBalance: Responder = (ctx, decide) => {
  const account = ctx.state.accounts.get(ctx.key?.account ?? '');
  return account
    ? succeed(decide.createBalanceBody(account, ctx), ctx, decide)
    : { kind: 'refused', failure: { kind: 'internal' } };
};

/** Responds with the calls in a time range. A wrong range yields 400 `invalid_request` (7.2). */
export const respondWithUsage: Responder = (ctx, decide) => {
  const times: number[] = [];
  for (const name of ['start', 'end']) {
    const text = decide.parameterOf(name, ctx);
    const time = text === undefined ? undefined : decide.timeOf(text, ctx);
    if (time === undefined) {
      const expected = `present, and a time (${ctx.profile.timeFormat})`;
      return refuseParameter(decide.formatParameterName(name, ctx), expected);
    }
    times.push(time);
  }
  const [start = 0, end = 0] = times;
  if (!decide.isRange(start, end, ctx)) {
    const expected = `no later than \`${decide.formatParameterName('end', ctx)}\``;
    return refuseParameter(decide.formatParameterName('start', ctx), expected);
  }
  const records = ctx.state.records.filter(
    (record) => decide.mayRead(record, ctx) && record.createdAt >= start && record.createdAt <= end,
  );
  return succeed(decide.createUsageBody(records, ctx), ctx, decide);
};

/**
 * Responds with a request record. An ID that is not a UUID yields 400 `invalid_request`. A record that doesn't exist
 * and one of another account yield the same 404 `not_found`, so that clients cannot find out which IDs exist (7.2).
 */
export const respondWithRecord: Responder = (ctx, decide) => {
  const id = decide.parameterOf('request_id', ctx);
  if (id === undefined || !decide.isRequestId(id, ctx))
    return refuseParameter(decide.formatParameterName('request_id', ctx), 'present, and a UUID');
  const record = decide.findRecord(id, ctx);
  return record && decide.mayRead(record, ctx)
    ? succeed(decide.recordBody(record, ctx), ctx, decide)
    : { kind: 'refused', failure: { kind: 'unknown-record' } };
};

const refuseParameter = (name: string, expected: string): ReturnType<Responder> => ({
  kind: 'refused',
  failure: { kind: 'invalid-parameter', name, expected },
});

/** Decisions about billing-type endpoints (2.4, 7.2, 8). */
export const billing = {
  /**
   * Grants a request unless its key exceeds the limit of its operation (8). The profile states the number of requests
   * that does, and the time before which a request no longer counts; without a limit there, every request is granted. A
   * refused request doesn't count, so a client that waits as long as `Retry-After` says is served.
   */
  grantRequest(ctx) {
    const { rateLimit } = ctx.profile;
    if (!rateLimit) return { kind: 'granted' };
    const { granted } = ctx.state;
    const within = toMilliseconds(rateLimit.within, 'rateLimit.within');
    const key = `${ctx.key?.value} ${ctx.operation?.id}`;
    const recent = (granted.get(key) ?? []).filter((time) => ctx.now - time < within);
    const isGranted = recent.length + 1 < rateLimit.requests;
    granted.set(key, isGranted ? [...recent, ctx.now] : recent);
    if (isGranted) return { kind: 'granted' };
    const [oldest = ctx.now] = recent;
    return { kind: 'refused', retryAfter: Math.ceil((oldest + within - ctx.now) / 1000) };
  },

  /** Returns the text of a parameter, from the place that the profile states; undefined if it is missing. */
  parameterOf(name, ctx) {
    if (ctx.match.kind !== 'found') return undefined;
    return readParameter(ctx.match, name, { query: ctx.request.query, body: ctx.body });
  },

  /** Returns the name for error messages: the name in the query, the path in the body, or else the placeholder. */
  formatParameterName(name, ctx) {
    const place = ctx.match.kind === 'found' ? ctx.match.route.parameters.get(name) : undefined;
    if (place?.in === 'query') return place.name;
    return place?.in === 'body' ? place.path.join('.') : name;
  },

  /** Whether a request ID has the form of a UUID (2.4). Any version and upper-case letters are accepted. */
  isRequestId: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),

  /** Finds the record with this ID in any account. Upper-case letters count as lower-case. */
  findRecord: (id, ctx) => findRecordById(ctx.state, id.toLowerCase()),

  /** Whether the account of the key may read a record: only the account that made the call may (7.2). */
  mayRead: (record, ctx) => record.account === ctx.key?.account,

  /** Parses a time in the format of the profile; undefined if the text, the date or the time of day is invalid. */
  timeOf(text, ctx) {
    const { timeFormat } = ctx.profile;
    if (timeFormat === 'unix-seconds') return /^\d{1,11}$/.test(text) ? Number(text) * 1000 : undefined;
    if (timeFormat === 'unix-millis') return /^\d{1,14}$/.test(text) ? Number(text) : undefined;
    const form =
      timeFormat === 'iso-date'
        ? /^\d{4}-\d{2}-\d{2}$/
        : /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
    const time = form.test(text) && isInCalendar(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(time) ? undefined : time;
  },

  /** Whether a time range is valid. It may be empty, but not reversed (7.2). */
  isRange: (start, end) => start <= end,
} satisfies Partial<Decisions>;

// `Date.parse` converts February 30 to March 2.
function isInCalendar(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
