import type { ExchangeReport } from '../report/report.ts';
import { readContent } from '../send/decode.ts';
import type { Content, Exchange, Result } from '../send/exchange.ts';

/** The exchange that a report of a divided run shows, as far as it can be judged again: keys in it are redacted. */
export function recallExchange(shown: ExchangeReport): Exchange {
  const { method, url, headers, body } = shown.request;
  return {
    id: shown.id,
    facts: shown.facts ?? {},
    model: undefined,
    request: { method, path: url, headers, body: body?.text },
    result: recallResult(shown),
    startedAt: Date.parse(shown.startedAt),
    durationMs: shown.durationMs,
    earlier: [],
    controlAfter: undefined,
  };
}

function recallResult({ response, failure }: ExchangeReport): Result {
  if (!response) return { kind: 'failure', failure: { reason: 'other', detail: failure?.detail ?? '' } };
  const { status, headers, body, pieces } = response;
  const content: Content =
    body.sha256 === undefined
      ? readContent(body.text)
      : { kind: 'unreadable', reason: 'only its beginning is in the report' };
  return { kind: 'answer', answer: { status, headers, text: body.text, size: body.bytes, content, pieces } };
}
