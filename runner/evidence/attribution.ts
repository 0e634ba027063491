import type { ErrorRows } from '../catalog/errors.ts';
import { isListedModel } from '../exchange/exchange.ts';
import {
  isRefused,
  isTransientResult,
  type ReadableExchange,
  readAnswer,
  readKind,
} from '../exchange/reading.ts';

/**
 * Whether controls must confirm the result before judging, because the condition of the gateway may have changed
 * since the last control succeeded. Transient results need confirmation. If the operation accepts the header of the
 * key, the following results also need confirmation:
 * - a 2xx response that contains only an error (`isErrorInSuccess`)
 * - after a request with the valid key: an error about an account without a balance
 * - after a request with the valid or the depleted key: an error about an unavailable model that may be listed
 */
export function needsConfirmation(exchange: ReadableExchange, errors: ErrorRows): boolean {
  if (isTransientResult(exchange.result)) return true;
  const { key, model, accepted } = exchange.attributes;
  if (accepted !== 'true') return false;
  if (isErrorInSuccess(exchange)) return true;
  const { error } = readAnswer(exchange, errors);
  if (key === 'good' && error?.about === 'account') return true;
  return (key === 'good' || key === 'depleted') && isListedModel(model) && error?.about === 'model';
}

/**
 * Whether a valid model call, or a valid request for the balance or the usage, got a 2xx response that contains only
 * an error. Only requests with the valid key in an accepted header count. Requests of a burst do not count.
 */
export function isErrorInSuccess(exchange: ReadableExchange): boolean {
  const { request, key, accepted, burst } = exchange.attributes;
  const isGoodCall = request === 'valid' && key === 'good' && accepted === 'true' && burst !== 'true';
  return isGoodCall && readKind(exchange) === 'error-in-success';
}

/**
 * Whether the gateway refused the valid key in a header that the operation accepts. A 402 that does not name the
 * balance may mean any state of the key or its account.
 */
export function isKeyRejected(exchange: ReadableExchange, errors: ErrorRows): boolean {
  const { key, accepted } = exchange.attributes;
  if (key !== 'good' || accepted !== 'true') return false;
  const { kind, about, error } = readAnswer(exchange, errors);
  return isRefused({ kind }) && (about === 'key' || (about === 'account' && error?.about !== 'account'));
}
