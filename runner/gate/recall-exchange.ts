import type { ExchangeReport } from '../report/report.ts';
import { readContent } from '../send/decode.ts';
import type { Content, Exchange, Result } from '../send/exchange.ts';

/** The exchange that a report shows, as far as it can be judged again: keys in it are redacted. */
export function recallExchange(shown: ExchangeReport): Exchange {
  const { method, url, headers, body } = shown.request;
  return {
    id: shown.id,
    facts: shown.facts,
    model: shown.model,
    request: { method, path: url, headers, body: body?.text },
    result: recallResult(shown),
    startedAt: Date.parse(shown.startedAt),
    durationMs: shown.durationMs,
    earlier: [],
    controlAfter: shown.controlAfter,
  };
}

function recallResult({ response, failure }: ExchangeReport): Result {
  if (!response) return { kind: 'failure', failure: { reason: 'other', detail: failure?.detail ?? '' } };
  const { status, headers, body, pieces } = response;
  const unreadable =
    body.unreadable ?? (body.sha256 === undefined ? undefined : 'only its beginning is in the report');
  const content: Content =
    unreadable === undefined ? readContent(body.text) : { kind: 'unreadable', reason: unreadable };
  return { kind: 'answer', answer: { status, headers, text: body.text, size: body.bytes, content, pieces } };
}
