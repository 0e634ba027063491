import { createHash } from 'node:crypto';
import { readMember } from '../../contract/pointer.ts';
import type { Finding } from '../judge/finding.ts';
import {
  type Answer,
  answerOf,
  type Exchange,
  type Result,
  type WireRequest,
} from '../transport/exchange.ts';
import { formatCurlLine, formatCurlLines } from './curl/curl-line.ts';
import type { KeyVariables } from './curl/shell.ts';
import { formatFinding } from './findings.ts';
import { type Redact, redactAll } from './redaction/redact.ts';
import type { AnswerReport, Body, ExchangeReport, FindingReport } from './report.ts';

/** The maximum number of characters of a body in a report. */
const bodyLimit = 64 * 1024;
const secretHeaders = ['set-cookie', 'cookie', 'proxy-authorization'];

/** The settings with which exchanges are described. */
export interface DescribeContext {
  readonly baseUrl: string;
  readonly redact: Redact;
  readonly keyVariables: KeyVariables;
}

/** Returns an exchange for a report, with keys redacted and a curl line that repeats the request. */
export function describeExchange(exchange: Exchange, context: DescribeContext): ExchangeReport {
  const { redact } = context;
  const { model, controlAfter, earlier } = exchange;
  const answer = answerOf(exchange);
  const earlierAnswers = earlier.flatMap((result) =>
    result.kind === 'answer' ? [describeAnswer(result.answer, redact)] : [],
  );
  return {
    id: exchange.id,
    attributes: exchange.attributes,
    ...(model !== undefined && { model: redact(model) }),
    ...(controlAfter !== undefined && { controlAfter }),
    ...(exchange.generatedRequest && { generatedRequest: exchange.generatedRequest }),
    startedAt: new Date(exchange.startedAt).toISOString(),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    ...describeSent(exchange, context),
    response: answer ? describeAnswer(answer, redact) : null,
    failure: exchange.result.kind === 'failure' ? redactAll(exchange.result.failure, redact) : null,
    earlier: earlier.map(statusOf),
    ...(earlierAnswers.length > 0 && { earlierAnswers }),
    traceId: answer ? redactOrNull(readTraceId(exchange), redact) : null,
  };
}

function describeSent(
  { request, previous }: Exchange,
  context: DescribeContext,
): Pick<ExchangeReport, 'request' | 'previous' | 'curl'> {
  const own = describeRequest(request, context);
  if (!previous) return own;
  const sent = { request: own.request, previous: describeRequest(previous, context).request };
  return { ...sent, curl: formatCurlLines(sent, context.keyVariables) };
}

function describeAnswer(
  { status, headers, text, size, content, pieces }: Answer,
  redact: Redact,
): AnswerReport {
  const body = truncateBody(redact(text), size);
  return {
    status,
    headers: redactAll(withoutSecrets(headers), redact),
    body: content.kind === 'unreadable' ? { ...body, unreadable: redact(content.reason) } : body,
    pieces,
  };
}

/** Returns a request for a report, with keys redacted and a curl line that repeats the request. */
export function describeRequest(
  { method, path, headers, body }: WireRequest,
  context: DescribeContext,
): Pick<ExchangeReport, 'request' | 'curl'> {
  const { baseUrl, redact, keyVariables } = context;
  const user = userOf(headers.authorization ?? '');
  const request = {
    ...redactAll({ method, url: baseUrl + path, headers, ...(user !== undefined && { user }) }, redact),
    body: body === undefined ? null : truncateBody(redact(body), Buffer.byteLength(body)),
  };
  return { request, curl: formatCurlLine(request, keyVariables) };
}

/**
 * Decodes `name:password` of the scheme `Basic`. Returns undefined for any other value, or if the text has characters
 * outside printable ASCII.
 */
function userOf(authorization: string): string | undefined {
  const [, credentials] = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const text = credentials === undefined ? '' : Buffer.from(credentials, 'base64').toString('utf8');
  return text.includes(':') && /^[\x20-\x7e]*$/.test(text) ? text : undefined;
}

/**
 * Returns the trace ID of the response: the header `x-trace-id`, or else the string `trace_id` in the body. Returns
 * undefined if neither exists.
 */
export function readTraceId(exchange: Exchange): string | undefined {
  const answer = answerOf(exchange);
  const header = answer?.headers['x-trace-id'];
  if (header) return header;
  const body = answer?.content.kind === 'json' ? readMember(answer.content.value, '/trace_id') : undefined;
  return typeof body === 'string' ? body : undefined;
}

function redactOrNull(text: string | undefined, redact: Redact): string | null {
  return text === undefined ? null : redact(text);
}

function statusOf(result: Result): number | null {
  return result.kind === 'answer' ? result.answer.status : null;
}

/**
 * Truncates a body for a report. The text must already be redacted, so that no part of a key remains at the end of the
 * truncated text.
 */
function truncateBody(text: string, bytes: number): Body {
  if (text.length <= bodyLimit) return { text, bytes };
  return {
    text: text.slice(0, bodyLimit).toWellFormed(),
    bytes,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secretHeaders.includes(name) ? '{{redacted}}' : value]),
  );
}

/** The number of characters after which a text in a finding is truncated. */
const longest = 500;

/**
 * Returns a finding for a report. Each text of the finding is first redacted and then truncated, so that no part of a
 * key remains at the end.
 */
export function describeFinding(
  { exchange, finding }: { readonly exchange: string; readonly finding: Finding },
  redact: Redact,
): FindingReport {
  const shown = redactAll(finding, (text) => {
    const redacted = redact(text);
    return redacted.length > longest ? `${redacted.slice(0, longest).toWellFormed()}…` : redacted;
  });
  return { exchange, message: formatFinding(shown), finding: shown };
}
