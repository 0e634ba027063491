import { readMember } from '../../common/pointer.ts';
import { type ErrorRows, statusesOf } from '../catalog/errors.ts';
import { matchesModel } from '../catalog/fixtures.ts';
import type { Operation } from '../catalog/operations.ts';
import { isKeyRejected, needsConfirmation } from '../evidence/attribution.ts';
import { type Control, getFirstStep } from '../evidence/controls.ts';
import { type Answer, answerOf, type Exchange, mergeTries, succeeded } from '../exchange/exchange.ts';
import { readAnswer } from '../exchange/reading.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import { findModelOperation } from '../profile/profile.ts';
import { selectCandidates } from './discover.ts';
import { type RoundSender, sendRequest } from './sender.ts';
import { isKeyStillAccepted } from './watch-lockout.ts';

/**
 * The result of the controls of an operation, and the exchange that succeeded. `answered` is undefined if no control
 * succeeded.
 */
export interface OperationControl {
  readonly control: Control;
  readonly answered: Exchange | undefined;
}

export interface OperationTryContext {
  /** The model IDs in the model list of the gateway; empty if the list is not known. */
  readonly listed: readonly string[];
  readonly sender: RoundSender;
  readonly isFallbackPage: IsFallbackPage;
}

/**
 * Sends the controls of an operation, one for each header. If no model is known, tries one listed model after
 * another. Calls `onTried` as soon as the result is known. Resolves to the failed controls if no control succeeded;
 * to an empty list if a control succeeded or no control was sent.
 */
export async function tryOperation(
  operation: Operation,
  cases: readonly PlannedCase[],
  parts: OperationTryContext,
  onTried: (tried: OperationControl) => void,
): Promise<readonly SentControl[]> {
  const { listed, sender } = parts;
  const { controls, record } = sender;
  const finish = (control: Control): readonly SentControl[] => {
    onTried({ control, answered: undefined });
    return [];
  };
  const bound = sender.context.promise.profile.operations[operation.id];
  if (!bound) return finish({ kind: 'not-offered' });
  const guessed = bound.stated === 'guess';
  // A guessed streamed operation exists only if its plain operation exists.
  const plain = operation.plain === operation.id ? undefined : controls.plain.get(operation.plain);
  if (guessed && plain && plain.kind !== 'succeeded') return finish({ kind: 'not-offered' });
  const calls = findModelOperation(operation.id);
  const stated = calls && (sender.context.promise.profile.models[calls].good ?? controls.models.get(calls));
  const { discovery } = sender.context.promise.fixtures;
  const models = calls === undefined || stated ? [stated] : selectCandidates(calls, listed, discovery);
  if (models.length === 0)
    return finish({ kind: 'no-model', pattern: listed.find((id) => matchesModel(discovery.pattern, id)) });
  const ordered = operation.headers.flatMap((header) =>
    cases.filter((item) => item.attributes.header === header),
  );
  if (ordered.length === 0) return finish({ kind: 'presumed' });

  const isGood = (sent: SentControl): boolean => isValidControl(sent, guessed, operation);
  const onGood = ({ item, exchange }: SentControl): void => {
    const header = operation.headers.find((name) => name === item.attributes.header) ?? 'bearer';
    onTried({ control: { kind: 'succeeded', header, step: getFirstStep(item) }, answered: exchange });
  };
  // If no model succeeds, the first, which fits the operation best, represents the failure.
  let failed: readonly SentControl[] = [];
  const setAside = (tries: readonly SentControl[]): void => {
    for (const { item, exchange } of tries)
      record.addOther({ ...exchange, id: `${item.id}#other-model`, attributes: withoutModel(exchange) });
  };
  for (const [index, model] of models.entries()) {
    if (calls && model) controls.models.set(calls, model);
    const tries = await tryHeaders(ordered, parts, (first) => {
      if (isGood(first)) onGood(first);
    });
    const good = tries.find(isGood);
    if (!good) {
      if (index === 0) failed = tries;
      else setAside(tries);
      continue;
    }
    setAside(failed);
    if (good !== tries[0]) onGood(good);
    const step = getFirstStep(good.item);
    for (const { item, exchange } of tries) {
      const settled = await recheckControl({ item, exchange }, step, sender);
      if (succeeded(settled.result)) controls.headers.add(`${operation.id} ${item.attributes.header}`);
      record.setCase(item, [settled]);
    }
    return [];
  }
  if (calls && models[0]) controls.models.set(calls, models[0]);
  for (const { item, exchange } of failed) record.setCase(item, [exchange]);
  finish(classifyFailedControls(failed, guessed, sender.context.promise.errors));
  return failed;
}

async function tryHeaders(
  [first, ...others]: readonly PlannedCase[],
  { sender, isFallbackPage }: OperationTryContext,
  onFirst: (sent: SentControl) => void,
): Promise<readonly SentControl[]> {
  if (!first) return [];
  const send = async (item: PlannedCase): Promise<SentControl> => {
    const exchange = await sendFirst(item, sender);
    return { item, exchange, isPage: await isFallbackPage(exchange) };
  };
  const tried = await send(first);
  onFirst(tried);
  const { result } = tried.exchange;
  // A timeout does not depend on the header, so no other header is tried.
  if (result.kind === 'failure' && result.failure.reason === 'timeout') return [tried];
  return [tried, ...(await Promise.all(others.map(send)))];
}

/**
 * Whether a control succeeded and its response is not a web page that the server returns for every path. For a
 * guessed operation with `shows`, the response must also have the member at `shows`, because some servers return 200
 * for every path.
 */
function isValidControl({ exchange, isPage }: SentControl, guessed: boolean, operation: Operation): boolean {
  if (isPage || !succeeded(exchange.result)) return false;
  const content = answerOf(exchange)?.content;
  if (!guessed || operation.shows === undefined) return true;
  return content?.kind === 'json' && readMember(content.value, operation.shows) !== undefined;
}

/**
 * Returns the attributes of a failed call to a listed model, except `model` and `request`, because the operation
 * possibly does not support the model.
 */
function withoutModel({ attributes }: Exchange): Exchange['attributes'] {
  const { model: _, request: __, ...rest } = attributes;
  return rest;
}

/** Whether a response is a web page. A JSON body is not a web page, even if its content type is HTML. */
function isWebPage({ headers, text, content }: Answer): boolean {
  if (content.kind === 'json') return false;
  const type = headers['content-type'] ?? '';
  return /^\s*(text\/html|application\/xhtml)/i.test(type) || /^\s*<(!doctype html|html)\b/i.test(text);
}

/** Resolves to whether a response is a web page that the server returns with 2xx for every path. */
export type IsFallbackPage = (exchange: Exchange) => Promise<boolean>;

/**
 * Creates a function that detects web pages that the server returns for every path. The function requests an unknown
 * path at most once, and only after a 2xx response that is a web page.
 */
export function createFallbackPageCheck(sender: RoundSender): IsFallbackPage {
  const { promise } = sender.context;
  let everywhere: Promise<boolean> | undefined;
  const requestUnknownPath = async (header: string): Promise<boolean> => {
    const given = { operation: 'none', path: 'unknown', header, key: 'good' };
    const attributes = completeAttributes(given, promise);
    const exchange = await sendRequest(sender, { id: 'controls/unknown-path#1', attributes });
    sender.record.addOther(exchange);
    return isSuccessfulPage(exchange);
  };
  return async (exchange) => {
    if (!isSuccessfulPage(exchange)) return false;
    everywhere ??= requestUnknownPath(exchange.attributes.header ?? 'bearer');
    return everywhere;
  };
}

function isSuccessfulPage(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && succeeded(exchange.result) && isWebPage(answer);
}

/** The maximum number of times that a failed control is sent again after a successful control. */
const maxRechecks = 2;

/**
 * Sends a failed control again while its result needs confirmation, at most twice. Before each attempt, sends
 * `control`, which succeeded before. After a rejection of the valid key, sends only `control` or, if the limit of
 * billable calls is reached, a control that is not billed. Resolves to the exchange with all attempts. `controlAfter`
 * is `failed` if the last `control` failed.
 */
export async function recheckControl(
  { item, exchange }: Pick<SentControl, 'item' | 'exchange'>,
  control: PlannedStep,
  sender: RoundSender,
): Promise<Exchange> {
  const { errors } = sender.context.promise;
  let current = exchange;
  if (isKeyRejected(exchange, errors)) {
    const isAccepted = await isKeyStillAccepted(control, `${item.id}#control`, sender);
    return { ...exchange, controlAfter: isAccepted ? 'succeeded' : 'failed' };
  }
  for (let rechecks = 0; rechecks < maxRechecks && needsConfirmation(current, errors); rechecks += 1) {
    const fresh = await sendRequest(sender, {
      id: `${item.id}#control`,
      attributes: control.attributes,
      isExtra: true,
    });
    sender.record.addOther(fresh);
    if (!succeeded(fresh.result)) return { ...current, controlAfter: 'failed' };
    const again = await sendFirst(item, sender);
    current = { ...mergeTries(current, again), controlAfter: 'succeeded' };
  }
  return current;
}

/** Sends the only request of a control. */
export function sendFirst(item: PlannedCase, sender: RoundSender): Promise<Exchange> {
  return sendRequest(sender, { id: `${item.id}#1`, attributes: getFirstStep(item).attributes });
}

/** Returns the reason why no control of an operation succeeded. A guessed operation counts as not offered. */
export function classifyFailedControls(
  tries: readonly SentControl[],
  guessed: boolean,
  errors: ErrorRows,
): Control {
  const exchanges = tries.map(({ exchange }) => exchange);
  const [first] = exchanges;
  if (!first || guessed) return { kind: 'not-offered' };
  const all = (...statuses: number[]): boolean =>
    exchanges.every((exchange) => statuses.includes(answerOf(exchange)?.status ?? 0));
  const isAnswered = exchanges.some((exchange) => namesOwnStatus(exchange, errors));
  if (all(404, 405) && !isAnswered) return { kind: 'absent', exchange: first };
  if (all(401, 403)) return { kind: 'refused', exchange: first };
  const page = tries.find(({ isPage }) => isPage);
  if (page) return { kind: 'web-page', exchange: page.exchange };
  return {
    kind: 'failed',
    exchange: exchanges.find((exchange) => ![401, 403].includes(answerOf(exchange)?.status ?? 0)) ?? first,
  };
}

/** Whether a 404 is one of section 7.2, so that the endpoint exists, and only the record does not. */
function namesOwnStatus(exchange: Exchange, errors: ErrorRows): boolean {
  const { error } = readAnswer(exchange, errors);
  return error !== undefined && statusesOf(error).includes(answerOf(exchange)?.status ?? 0);
}

/** A control that was sent with one header. */
export interface SentControl {
  readonly item: PlannedCase;
  readonly exchange: Exchange;
  /** Whether the response is a web page that the server returns for every path. */
  readonly isPage: boolean;
}
