import { completeFacts } from '../plan/complete-facts.ts';
import { deliver, type Sender } from './deliver.ts';
import { type Answer, answerOf, type Exchange, succeeded } from './exchange.ts';
import type { CaseRecord } from './send-case.ts';

/** Whether a response is a page for people; JSON is none, whatever its content type says. */
function isWebPage({ headers, text, content }: Answer): boolean {
  if (content.kind === 'json') return false;
  const type = headers['content-type'] ?? '';
  return /^\s*(text\/html|application\/xhtml)/i.test(type) || /^\s*<(!doctype html|html)\b/i.test(text);
}

/** Finds out whether a success is only the page with which a web application answers every path. */
export type IsFallbackPage = (exchange: Exchange) => Promise<boolean>;

/** Compares pages with the response at a path that no gateway has; asks for that path once, if at all. */
export function makePageCheck(sender: Sender, record: CaseRecord): IsFallbackPage {
  const { catalog, profile } = sender.context;
  let everywhere: Promise<boolean> | undefined;
  const ask = async (header: string): Promise<boolean> => {
    const given = { operation: 'none', path: 'unknown', header, key: 'good' };
    const facts = completeFacts(given, catalog.operations, profile);
    const exchange = await deliver(sender, { id: 'controls/unknown-path#1', facts });
    record.ofNone(exchange);
    return isSuccessfulPage(exchange);
  };
  return async (exchange) => {
    if (!isSuccessfulPage(exchange)) return false;
    everywhere ??= ask(exchange.facts.header ?? 'bearer');
    return everywhere;
  };
}

function isSuccessfulPage(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && succeeded(exchange.result) && isWebPage(answer);
}
