import { groupBy } from '../../common/lists.ts';
import { writeJsonPieces } from '../../common/write-json.ts';
import { notSentReason } from '../exchange/exchange.ts';
import type { Body, CaseReport, ExchangeReport, Report } from '../report/report.ts';
import type { View } from '../view/view.ts';

/**
 * Yields a HAR 1.2 document in pieces. The entries are the exchanges that were sent and the responses to earlier
 * attempts, without duplicates, in the order of their start times. Members that HAR does not define begin with `_`.
 */
export function har({ report }: View): Generator<string> {
  return writeJsonPieces(
    // The members that apply to all entries come first, so that a streaming parser reads these members first.
    {
      log: {
        version: '1.2',
        creator: { name: report.tool.name, version: report.tool.version },
        comment: 'Keys are redacted: each key is replaced by a placeholder such as {{keys.valid}}.',
        _target: report.target,
        _spec: { revision: report.spec.revision },
        _notJudged: report.recording ? [] : report.cases.flatMap(listNotJudged),
        entries: entriesOf(report),
      },
    },
    3,
  );
}

function* entriesOf(report: Report): Generator<object> {
  const cases = new Map(report.cases.map((item) => [item.id, item]));
  const all = [...report.cases.flatMap((item) => item.exchanges), ...report.others].flatMap(attemptsOf);
  // A pooled case shows the exchanges of other cases, so an exchange may occur twice. The controls of all rounds have
  // the same IDs, so the key includes the start time.
  const once = groupBy(all, ({ id, startedAt }) => `${startedAt} ${id}`).flatMap(([, same]) =>
    same.slice(0, 1),
  );
  const sent = once.filter(({ failure }) => failure?.reason !== notSentReason);
  for (const exchange of sent.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)))
    yield describeEntry(exchange, { of: cases.get(caseOf(exchange)), isOurs: !report.recording });
}

/** Returns the case ID that the ID of a step contains; empty for the ID of any other exchange or attempt. */
function caseOf({ id }: ExchangeReport): string {
  const [item = '', step = ''] = id.split('#', 2);
  return /^\d+(@\d+)?$/.test(step) ? item : '';
}

/** An exchange, or an earlier attempt of an exchange, with a note about the time of the attempt. */
interface Attempt extends ExchangeReport {
  readonly comment?: string;
}

/**
 * Returns an exchange for each earlier attempt that received a response, and then the exchange itself. The durations
 * of the earlier attempts are not recorded, so these durations are 0.
 */
function attemptsOf(exchange: ExchangeReport): Attempt[] {
  const { earlierAnswers = [], ...last } = exchange;
  const answered = last.earlier.flatMap((status, index) => (status === null ? [] : [index + 1]));
  const attempts = earlierAnswers.map((response, index) => ({
    ...last,
    id: last.id.replace(/(@\d+)?$/, (round) => `~${answered[index]}${round}`),
    durationMs: 0,
    comment: `An earlier attempt of ${last.id}. The start and the duration of the attempt are not recorded.`,
    response,
    failure: null,
    earlier: [],
  }));
  if (last.earlier.length === 0) return [last];
  const comment = 'The time can include earlier attempts and the pauses between the attempts.';
  return [...attempts, { ...last, comment }];
}

/** Returns the inconclusive and not applicable checks of a case with the reasons, which the entries do not contain. */
function listNotJudged({ id, checks }: CaseReport): object[] {
  return checks
    .filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'not-applicable')
    .map(({ requirement, outcome, reason, add }) => ({ case: id, requirement, outcome, reason, add }));
}

/**
 * Formats an exchange as an entry. `isOurs` is false for recorded traffic. The attributes and the models of recorded
 * requests are inferred and therefore omitted.
 */
function describeEntry(
  exchange: Attempt,
  { of: item, isOurs }: { readonly of: CaseReport | undefined; readonly isOurs: boolean },
): object {
  const { id, startedAt, durationMs, attributes, model, control, controlAfter, traceId, earlier, comment } =
    exchange;
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: describeRequest(exchange.request),
    response: describeResponse(exchange),
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: durationMs, receive: 0 },
    ...(comment !== undefined && { comment }),
    _id: id,
    ...(item && { _case: item.id, _outcome: item.outcome }),
    ...(isOurs && { _attributes: attributes }),
    ...(isOurs && model !== undefined && { _model: model }),
    ...(control && { _control: true }),
    ...(controlAfter !== undefined && { _controlAfter: controlAfter }),
    ...(traceId !== null && { _traceId: traceId }),
    ...(earlier.length > 0 && { _earlier: earlier }),
  };
}

function describeRequest({ method, url, headers, body }: ExchangeReport['request']): object {
  return {
    method,
    ...describeUrl(url),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    headersSize: -1,
    bodySize: body?.bytes ?? 0,
    ...(body && {
      postData: { mimeType: mediaType(headers), text: body.text.toWellFormed(), ...partOf(body) },
    }),
  };
}

function describeResponse({ response, failure }: ExchangeReport): object {
  return {
    status: response?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(response?.headers ?? {}),
    content: {
      size: response?.body.bytes ?? 0,
      mimeType: mediaType(response?.headers ?? {}),
      ...(response && { text: response.body.text, ...partOf(response.body) }),
    },
    ...(response && { _pieces: response.pieces }),
    redirectURL: response?.headers.location ?? '',
    headersSize: -1,
    bodySize: -1,
    ...(failure && { _error: `${failure.reason}: ${failure.detail}` }),
    ...(failure?.cutStatus !== undefined && { _cutStatus: failure.cutStatus }),
  };
}

/**
 * Returns the URL, escaped as RFC 3986 requires, and the query parameters. If the text is not a valid URL, the list of
 * parameters is empty.
 */
function describeUrl(text: string): { url: string; queryString: object[] } {
  if (!URL.canParse(text)) return { url: escapeRest(text), queryString: [] };
  const { origin, pathname, search, hash, searchParams } = new URL(text);
  return {
    url: origin + escapeRest(pathname + search + hash),
    queryString: [...searchParams].map(([name, value]) => ({ name, value })),
  };
}

function escapeRest(text: string): string {
  return text
    .toWellFormed()
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[^\w\-.~:/?@!$&'()*+,;=%]/gu, encodeURIComponent);
}

/** Returns the hash of a body that the report contains only in part, and the reason why a body cannot be judged. */
function partOf({ sha256, unreadable }: Body): object {
  return {
    ...(sha256 !== undefined && { _sha256: sha256 }),
    ...(unreadable !== undefined && { _unreadable: unreadable }),
  };
}

function mediaType(headers: Readonly<Record<string, string>>): string {
  return headers['content-type'] ?? 'x-unknown';
}

function pairs(headers: Readonly<Record<string, string>>): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
