import type { Body, CaseReport, ExchangeReport, Report } from './report.ts';
import { writeJson } from './write-json.ts';

/** The report's exchanges as HAR 1.2, each once, in the order in which they were sent; what is ours begins with `_`. */
export function har(report: Report): string {
  const cases = new Map(report.cases.map((item) => [item.id, item]));
  const all = [...report.cases.flatMap((item) => item.exchanges), ...report.others];
  // A pooled case shows exchanges of other cases; the controls of every round have the same ids.
  const once = new Map(all.map((exchange) => [`${exchange.startedAt} ${exchange.id}`, exchange]));
  const entries = [...once.values()]
    .filter(({ failure }) => failure?.reason !== 'held-back')
    .sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
    .map((exchange) => entry(exchange, cases.get(exchange.id.split('#')[0] ?? '')));
  return writeJson({
    log: {
      version: '1.2',
      creator: { name: report.tool.name, version: report.tool.version },
      entries,
      comment: 'Keys are redacted: a role such as {{keys.valid}} stands in the place of each.',
      _target: report.target,
      _spec: report.spec,
    },
  });
}

function entry(exchange: ExchangeReport, item: CaseReport | undefined): object {
  const { id, startedAt, durationMs, traceId, earlier } = exchange;
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: describeRequest(exchange.request),
    response: describeResponse(exchange),
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: durationMs, receive: 0 },
    _id: id,
    ...(item && { _case: item.id, _facts: item.facts, _outcome: item.outcome }),
    ...(traceId !== null && { _traceId: traceId }),
    ...(earlier.length > 0 && { _earlier: earlier }),
  };
}

function describeRequest({ method, url, headers, body }: ExchangeReport['request']): object {
  return {
    method,
    ...address(url),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    headersSize: -1,
    bodySize: body?.bytes ?? 0,
    ...(body && { postData: { mimeType: mediaType(headers), text: body.text, ...partOf(body) } }),
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
    redirectURL: response?.headers.location ?? '',
    headersSize: -1,
    bodySize: -1,
    ...(failure && { _error: `${failure.reason}: ${failure.detail}` }),
  };
}

/** The address as a URI of RFC 3986, which is stricter than what the Web sends, and its parameters. */
function address(text: string): { url: string; queryString: object[] } {
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

/** The hash of a body of which the report has the beginning only. */
function partOf({ sha256 }: Body): object {
  return sha256 === undefined ? {} : { _sha256: sha256 };
}

function mediaType(headers: Readonly<Record<string, string>>): string {
  return headers['content-type'] ?? 'x-unknown';
}

function pairs(headers: Readonly<Record<string, string>>): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
