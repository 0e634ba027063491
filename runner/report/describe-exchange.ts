import { readMember } from '../../common/pointer.ts';
import {
  type Answer,
  answerOf,
  type Exchange,
  type Result,
  type TransportFailure,
  type WireRequest,
} from '../exchange/exchange.ts';
import { type Finding, formatFinding } from '../judge/finding.ts';
import { formatCurl } from './curl/curl-line.ts';
import { describePreparations } from './describe-preparations.ts';
import { type DescribeContext, describeBody, describeWireRequest } from './describe-request.ts';
import { type Redact, redactAll } from './redaction/redact.ts';
import type { AnswerReport, ExchangeReport, FindingReport } from './report.ts';

export type { DescribeContext } from './describe-request.ts';

const secretHeaders = ['set-cookie', 'cookie', 'proxy-authorization'];

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
    ...describeRequest(exchange.request, context, exchange),
    response: answer ? describeAnswer(answer, redact) : null,
    failure: exchange.result.kind === 'failure' ? describeFailure(exchange.result.failure, redact) : null,
    earlier: earlier.map(statusOf),
    ...(earlierAnswers.length > 0 && { earlierAnswers }),
    traceId: answer ? redactOrNull(readTraceId(exchange), redact) : null,
  };
}

function describeAnswer(
  { status, headers, text, size, content, pieces }: Answer,
  redact: Redact,
): AnswerReport {
  const body = describeBody(text, { bytes: size, of: 'response' }, redact);
  return {
    status,
    headers: redactAll(withoutSecrets(headers), redact),
    body: content.kind === 'unreadable' ? { ...body, unreadable: redact(content.reason) } : body,
    pieces,
  };
}

function describeFailure(
  { reason, detail, cutStatus }: TransportFailure,
  redact: Redact,
): NonNullable<ExchangeReport['failure']> {
  return { reason, detail: redact(detail), ...(cutStatus !== undefined && { cutStatus }) };
}

/** Returns a request for a report, with what it depends on, and the curl lines that repeat both. */
export function describeRequest(
  request: WireRequest,
  context: DescribeContext,
  { before = [], attributes = {} }: Partial<Pick<Exchange, 'before' | 'attributes'>> = {},
): Pick<ExchangeReport, 'request' | 'before' | 'curl'> {
  const described = {
    request: describeWireRequest(request, context),
    ...(before.length > 0 && { before: describePreparations(before, context) }),
  };
  return { ...described, curl: formatCurl({ ...described, attributes }, context.keyVariables) };
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

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secretHeaders.includes(name) ? '{{redacted}}' : value]),
  );
}

/** The number of characters after which a text in a finding is truncated. */
const longest = 500;

/** Returns a finding for a report, with keys redacted and long texts truncated. */
export function describeFinding(
  { exchange, finding }: { readonly exchange: string; readonly finding: Finding },
  redact: Redact,
): FindingReport {
  const shown = redactAll(finding, (text) =>
    text.length > longest ? `${redact(text, longest).toWellFormed()}…` : redact(text),
  );
  return { exchange, message: formatFinding(shown), finding: shown };
}
