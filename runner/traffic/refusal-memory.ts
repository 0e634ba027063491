import type { ErrorRows } from '../catalog/errors.ts';
import { answerOf, isSuccess, readErrorMember } from '../exchange/exchange.ts';
import { readAnswer } from '../exchange/reading.ts';
import type { EmittedExchange } from '../judge/emitted-exchange.ts';
import { identifyRequest, maxPauseMs } from './detect-retries.ts';
import { readKey } from './inference/infer-credential.ts';

const maxStored = 200;
/** The maximum total length of the bodies of a stored exchange, in characters. */
const maxLength = 64 * 1024;
/**
 * Bodies that name something outside of the request: a URL that the gateway may fetch, or a stored file, response,
 * conversation or cache. The gateway may have refused it because that was not there yet.
 */
const reference = /:\/\/|"(?:id|[^"\\]*_ids?|[^"\\]*Ids?|cached[^"\\]*|container|conversation)"\s*:/;

/**
 * Creates a memory of the requests that the gateway refused as invalid: with 400 and an error about the request, not
 * about the model, the key or the account. The returned function stores such an exchange. It returns the last stored
 * one if this exchange has the same request with the same key, and began after the refusal, at most `maxPauseMs` later:
 * what the gateway offers will hardly have changed in this time. Call it once for each exchange.
 */
export function createRefusalMemory<Item extends EmittedExchange>(
  errors: ErrorRows,
): (item: Item) => Item | undefined {
  const stored = new Map<string, Item>();
  return (item) => {
    const { exchange, base, isWhole } = item;
    const answer = answerOf(exchange);
    if (!answer || !isWhole || exchange.attributes.surface !== 'model') return undefined;
    const { kind, error } = readAnswer(exchange, errors);
    const isRefused = answer.status === 400 && error?.about === 'request';
    // What a body that is not recorded, or a 2xx with a sign of an error, says is not known.
    const hasType = typeof readErrorMember(exchange.result, '/error/type') === 'string';
    const isClear = isSuccess(answer.status) ? kind === 'success' : hasType;
    if (!isClear || (!isRefused && stored.size === 0)) return undefined;
    const { body = '' } = exchange.request;
    if (body.length + answer.text.length > maxLength || reference.test(body)) return undefined;
    // Requests with the same placeholder of a recorder may belong to different accounts.
    if (!readKey(exchange)?.startsWith('sk-')) return undefined;
    const key = `${base} ${identifyRequest(exchange, { isExact: true })}`;
    const before = stored.get(key);
    if (isRefused) {
      stored.delete(key);
      stored.set(key, item);
      const [oldest] = stored.keys();
      if (oldest !== undefined && stored.size > maxStored) stored.delete(oldest);
    }
    if (!before) return undefined;
    const { startedAt, durationMs } = before.exchange;
    const gapMs = exchange.startedAt - (startedAt + durationMs);
    return gapMs >= 0 && gapMs <= maxPauseMs && exchange.startedAt > startedAt ? before : undefined;
  };
}
