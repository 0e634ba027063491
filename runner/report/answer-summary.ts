import { list, mapping } from '../catalog/mapping.ts';
import { readMember } from '../catalog/pointer.ts';
import { type Answer, answerOf, type Exchange } from '../send/exchange.ts';
import { oneLine } from './one-line.ts';
import type { Redact } from './redact.ts';

/** The most characters of a message that are shown. */
const longest = 160;

/** Where gateways put the message of an error, the most specific first. */
const messagePointers = [
  '/error/message',
  '/error',
  '/message',
  '/detail',
  '/errors/0/message',
  '/error/type',
] as const;

/**
 * The outcome of an exchange in a few words, such as `404 "No such route"`: the status and the gateway's own message, or
 * why no answer came. On one line, with keys redacted.
 */
export function summarizeAnswer(exchange: Exchange, redact: Redact): string {
  const answer = answerOf(exchange);
  if (!answer)
    return exchange.result.kind === 'failure' ? shown(exchange.result.failure.detail, redact) : 'no answer';
  const { location } = answer.headers;
  if (answer.status >= 300 && answer.status < 400 && location !== undefined)
    return `${answer.status} to ${shown(location, redact)}, which is not followed, as a key stays with its host`;
  const message = gatewayMessage(answer).trim();
  return message === '' ? String(answer.status) : `${answer.status} "${shown(message, redact)}"`;
}

/** What a gateway says of an error: the message in its body, or the body itself where it has none. */
function gatewayMessage({ content, text }: Answer): string {
  if (content.kind !== 'json') return text;
  // Some gateways wrap an error in a list.
  const value = Array.isArray(content.value) ? content.value[0] : content.value;
  const messages = messagePointers.map((pointer) => readMember(value, pointer));
  const found = messages.find((message) => typeof message === 'string' && message !== '');
  return typeof found === 'string' ? found : (validationMessage(value) ?? text);
}

/** The first problem of a FastAPI validation error, `{ "detail": [{ "loc": ["body", "model"], "msg": "Field required" }] }`. */
function validationMessage(value: unknown): string | undefined {
  const { loc, msg } = mapping(readMember(value, '/detail/0'));
  return typeof msg === 'string' ? [list(loc).join('.'), msg].filter(Boolean).join(': ') : undefined;
}

/** A text of a gateway; redacted before it is cut, so that no part of a key stays at the cut. */
function shown(text: string, redact: Redact): string {
  return oneLine(redact(text), longest);
}
