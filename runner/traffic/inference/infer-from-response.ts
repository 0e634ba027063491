import { isNeverAccepted } from '../../catalog/attributes.ts';
import type { Attributes } from '../../catalog/condition.ts';
import type { ErrorRow, ErrorRows } from '../../catalog/errors.ts';
import { isSuccess } from '../../exchange/exchange.ts';
import { type ReadableExchange, readAnswer } from '../../exchange/reading.ts';
import { readTextAt } from '../../judge/locate.ts';
import { mustAcceptKey } from '../../plan/estimate.ts';

const refusedModels = ['unlisted', 'unsupported', 'unavailable', 'mismatched'];

/** The parts of a response from which attributes are inferred. */
export interface ResponseSummary {
  /** The status of the response; 0 if no response was received. */
  readonly status: number;
  /** The error of `specs/errors.yaml` that the response names. */
  readonly error: ErrorRow | undefined;
  /** Whether the response has a string `error.type`, known or not. */
  readonly hasType: boolean;
  readonly isErrorIn2xx: boolean;
  /** Whether the status is at least 400 and the type or the message contains `model`, ignoring case. */
  readonly namesModel: boolean;
}

export function summarizeResponse(exchange: ReadableExchange, errors: ErrorRows): ResponseSummary {
  const { kind, error } = readAnswer(exchange, errors);
  const { result } = exchange;
  if (result.kind === 'failure')
    return { status: 0, error, hasType: false, isErrorIn2xx: false, namesModel: false };
  const { status } = result.answer;
  const texts = ['/error/type', '/error/message'].map((at) => readTextAt(result.answer, at));
  return {
    status,
    error,
    hasType: (texts[0] ?? '') !== '',
    isErrorIn2xx: kind === 'unclear' || kind === 'error-in-success',
    namesModel: status >= 400 && texts.some((text) => /model/i.test(text ?? '')),
  };
}

/**
 * Returns the attributes of a request, completed with the attributes that only the response shows. If the kind of the
 * key is not known, the key counts as wrong after a 401, and as good after most other responses. A key of an unknown
 * kind counts as good in a place where the gateway must reject every key. After a 2xx without an error, an unknown
 * model counts as good, and a request without a known invalid part usually counts as valid. An error type shows the
 * invalid part that the gateway found. If these inferred attributes lead to a violation, the exchange violates some
 * requirement even if the true attributes differ.
 */
export function inferFromResponse(
  known: Attributes,
  response: ResponseSummary,
  isPlain: boolean,
): Attributes {
  const { status, error } = response;
  const isFaulty = known.fault !== undefined && known.fault !== 'none';
  const implied = isFaulty ? undefined : error?.shows;
  const mustBeRefused = known.header !== undefined && known.accepted === 'false';
  const isValid = isCompleted(response, mustBeRefused) || status === 401 || implied?.key !== undefined;
  // A model of the profile may no longer be available. The error type of the gateway then decides which status
  // the response must have.
  const stated = known.model === 'good' ? (implied?.model ?? known.model) : known.model;
  // Both the body and an unknown model can be wrong, and the gateway may report either.
  const mayBeAboutModel = error?.about === 'model' || (response.namesModel && known.member !== 'model');
  const model = stated ?? implied?.model ?? (isValid || (isFaulty && !mayBeAboutModel) ? 'good' : undefined);
  // The error in a 2xx response may be about the key.
  const isAmbiguous = isSuccess(status) && !isFaulty && !isValid;
  const keyKind =
    known.key ??
    (isAmbiguous ? undefined : inferKeyFromStatus(known, status, isFaulty || implied !== undefined));
  // A key of the profile may have been deleted. Even then, a 401 must have the error type for the header of the key.
  const hasWrongType = status === 401 && mustAcceptKey(known) && !matchesHeader(response, known.header);
  const key = hasWrongType ? 'unknown' : keyKind === 'good' ? (implied?.key ?? keyKind) : keyKind;
  const isGood = key === 'good' || key === 'depleted' || key === 'foreign';
  const header = isGood && known.accepted === 'true' ? 'any' : known.header;
  const attributes: Record<string, string> = { ...dropUncertainOwner(known) };
  if (key !== undefined) attributes.key = key;
  if (model !== undefined) attributes.model = model;
  if (header !== undefined) attributes.header = header;
  if (isFaulty || refusedModels.includes(model ?? '') || hasInvalidParameter(attributes))
    attributes.request = 'invalid';
  // A model that the profile does not list may be free of charge. An account without a balance can then call the
  // model.
  else if (known.key === 'depleted' && known.model === undefined && implied === undefined) return attributes;
  else if (isValid || (isPlain && isFullyKnown(attributes))) attributes.request = 'valid';
  return attributes;
}

/** Whether a 401 has the error type for a wrong key in this header, or no error type. */
function matchesHeader({ hasType, error }: ResponseSummary, header: string | undefined): boolean {
  return !hasType || error?.refuses.some((own) => own === header) === true;
}

/**
 * Whether the gateway fulfilled the request: the response is a 2xx without an error. If the gateway must refuse the
 * request because of its key header, every 2xx response counts as fulfilment, whatever its body contains.
 */
function isCompleted({ status, isErrorIn2xx }: ResponseSummary, mustBeRefused: boolean): boolean {
  return isSuccess(status) && (mustBeRefused || !isErrorIn2xx);
}

/** Removes the attribute `record` if its value depends on the account of a key whose kind is not known. */
function dropUncertainOwner(known: Attributes): Attributes {
  const isOwned = known.record === 'own' || known.record === 'foreign';
  if (!isOwned || known.key !== undefined) return known;
  const { record: _, ...rest } = known;
  return rest;
}

/**
 * Returns the kind of a key according to the response; undefined if the status does not show the kind. A 403, 404 or
 * 405 shows nothing about the key, unless another invalid part explains the status (`isExplained`).
 */
function inferKeyFromStatus(known: Attributes, status: number, isExplained: boolean): string | undefined {
  if (known.header === undefined || status === 0) return undefined;
  // In a place where the gateway must refuse every key, such as the query, even a valid key must be refused.
  if (isNeverAccepted(known.header)) return 'good';
  if (status === 401) return 'unknown';
  // A proxy in front of the gateway may send these statuses without checking the key.
  if (status < 200 || (status >= 300 && status < 400)) return undefined;
  return isExplained || ![403, 404, 405].includes(status) ? 'good' : undefined;
}

function hasInvalidParameter({ record = 'none', range = 'none' }: Attributes): boolean {
  return !['own', 'none'].includes(record) || !['valid', 'none'].includes(range);
}

/**
 * Whether the body, the model and the parameters are known, and neither the version header nor the content type is
 * wrong.
 */
function isFullyKnown({ fault, model, record, range, version = '', contentType = '' }: Attributes): boolean {
  const isKnown = [fault, model, record, range].every((value) => value !== undefined);
  return isKnown && ['sent', 'none'].includes(version) && ['json', 'none'].includes(contentType);
}
