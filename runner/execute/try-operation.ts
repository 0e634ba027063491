import { readMember } from '../../contract/pointer.ts';
import { billingCodes } from '../../contract/specification.ts';
import type { Operation } from '../catalog/operations.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import { modelOperation } from '../profile/profile.ts';
import {
  type Answer,
  afterEarlier,
  answerOf,
  type Exchange,
  errorMember,
  mayHaveChanged,
  succeeded,
} from '../transport/exchange.ts';
import { type Control, firstStep } from './controls.ts';
import { candidates } from './discover.ts';
import { deliver, type Sender } from './sender.ts';

/** What others need of the try of an operation. */
export interface TriedOperation {
  readonly control: Control;
  /** The exchange that succeeded. */
  readonly answered: Exchange | undefined;
}

/** What trying an operation needs. */
export interface TryParts {
  /** The model list, as far as it is known. */
  readonly listed: readonly string[];
  readonly sender: Sender;
  readonly isFallbackPage: IsFallbackPage;
}

/**
 * Tries an operation in every header, and reports what others need as soon as it is known. Returns the controls that
 * failed, if none succeeded.
 */
export async function tryOperation(
  operation: Operation,
  cases: readonly PlannedCase[],
  parts: TryParts,
  onTried: (tried: TriedOperation) => void,
): Promise<readonly SentControl[]> {
  const { listed, sender } = parts;
  const { controls, record } = sender;
  const without = (control: Control): readonly SentControl[] => {
    onTried({ control, answered: undefined });
    return [];
  };
  const bound = sender.context.profile.operations[operation.id];
  if (!bound) return without({ kind: 'not-offered' });
  const guessed = bound.stated === 'guess';
  // A guessed stream is there where the call is that it streams, whose answer can be recognised.
  const plain = operation.plain === operation.id ? undefined : controls.plain.get(operation.plain);
  if (guessed && plain && plain.kind !== 'succeeded') return without({ kind: 'not-offered' });
  const calls = modelOperation(operation.id);
  const stated = calls && (sender.context.profile.models[calls].good ?? controls.models.get(calls));
  const models =
    calls === undefined || stated
      ? [stated]
      : candidates(calls, listed, sender.context.catalog.fixtures.discovery);
  if (models.length === 0) return without({ kind: 'no-model' });
  const ordered = operation.headers.flatMap((header) =>
    cases.filter((item) => item.attributes.header === header),
  );
  if (ordered.length === 0) return without({ kind: 'presumed' });

  const isGood = (sent: SentControl): boolean => works(sent, guessed, operation);
  const onGood = ({ item, exchange }: SentControl): void => {
    const header = operation.headers.find((name) => name === item.attributes.header) ?? 'bearer';
    onTried({ control: { kind: 'succeeded', header, step: firstStep(item) }, answered: exchange });
  };
  let failed: readonly SentControl[] = [];
  for (const [index, model] of models.entries()) {
    if (calls && model) controls.models.set(calls, model);
    for (const { item, exchange } of failed)
      record.ofNone({ ...exchange, id: `${item.id}#other-model`, attributes: withoutModel(exchange) });
    failed = [];
    const tries = await tryHeaders(ordered, parts, (first) => {
      if (isGood(first)) onGood(first);
    });
    const good = tries.find(isGood);
    if (!good) {
      failed = tries;
      if (index < models.length - 1) continue;
      break;
    }
    if (good !== tries[0]) onGood(good);
    const step = firstStep(good.item);
    for (const { item, exchange } of tries) {
      const settled = await besideControl({ item, exchange }, step, sender);
      if (succeeded(settled.result)) controls.headers.add(`${operation.id} ${item.attributes.header}`);
      record.ofCase(item, [settled]);
    }
    return [];
  }
  for (const { item, exchange } of failed) record.ofCase(item, [exchange]);
  without(failure(failed, guessed));
  return failed;
}

/** Sends the control in each header: in the first one alone, and where an answer came in its time, in all others at once. */
async function tryHeaders(
  [first, ...others]: readonly PlannedCase[],
  { sender, isFallbackPage }: TryParts,
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
  // Where no answer comes in all that time, the header is not what is wrong.
  if (result.kind === 'failure' && result.failure.reason === 'timeout') return [tried];
  return [tried, ...(await Promise.all(others.map(send)))];
}

/** A guessed operation must answer as its protocol does, as some servers answer every path. */
function works({ exchange, isPage }: SentControl, guessed: boolean, operation: Operation): boolean {
  if (isPage || !succeeded(exchange.result)) return false;
  const content = answerOf(exchange)?.content;
  if (!guessed || operation.shows === undefined) return true;
  return content?.kind === 'json' && readMember(content.value, operation.shows) !== undefined;
}

/** A discovered model that failed was perhaps no good one. */
function withoutModel({ attributes: facts }: Exchange): Exchange['attributes'] {
  const { model: _, request: __, ...rest } = facts;
  return rest;
}

/** Whether a response is a page for people; JSON is none, whatever its content type says. */
function isWebPage({ headers, text, content }: Answer): boolean {
  if (content.kind === 'json') return false;
  const type = headers['content-type'] ?? '';
  return /^\s*(text\/html|application\/xhtml)/i.test(type) || /^\s*<(!doctype html|html)\b/i.test(text);
}

/** Finds out whether a success is only the page with which a web application answers every path. */
export type IsFallbackPage = (exchange: Exchange) => Promise<boolean>;

/** Compares pages with the response at a path that no gateway has; asks for that path once, if at all. */
export function makePageCheck(sender: Sender): IsFallbackPage {
  const { catalog, profile } = sender.context;
  let everywhere: Promise<boolean> | undefined;
  const ask = async (header: string): Promise<boolean> => {
    const given = { operation: 'none', path: 'unknown', header, key: 'good' };
    const facts = completeAttributes(given, catalog.operations, profile);
    const exchange = await deliver(sender, { id: 'controls/unknown-path#1', facts });
    sender.record.ofNone(exchange);
    return isSuccessfulPage(exchange);
  };
  return async (exchange) => {
    if (!isSuccessfulPage(exchange)) return false;
    everywhere ??= ask(exchange.attributes.header ?? 'bearer');
    return everywhere;
  };
}

function isSuccessfulPage(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && succeeded(exchange.result) && isWebPage(answer);
}

/** How often a control that fails alone is tried again beside a fresh one. */
const rounds = 2;

/** A header that fails while another succeeds is tried again beside fresh controls, where the failure may pass. */
export async function besideControl(
  { item, exchange }: Pick<SentControl, 'item' | 'exchange'>,
  control: PlannedStep,
  sender: Sender,
): Promise<Exchange> {
  let current = exchange;
  for (let round = 0; round < rounds && mayHaveChanged(current); round += 1) {
    const fresh = await deliver(sender, {
      id: `${item.id}#control`,
      facts: control.attributes,
      isExtra: true,
    });
    sender.record.ofNone(fresh);
    if (!succeeded(fresh.result)) return { ...current, controlAfter: 'failed' };
    const again = await sendFirst(item, sender);
    current = { ...afterEarlier(current, again), controlAfter: 'succeeded' };
  }
  return current;
}

/** Sends the one request of a control. */
export function sendFirst(item: PlannedCase, sender: Sender): Promise<Exchange> {
  return deliver(sender, { id: `${item.id}#1`, facts: firstStep(item).attributes });
}

/** Why the good key was accepted in none of these exchanges of an operation. */
export function failure(tries: readonly SentControl[], guessed: boolean): Control {
  const exchanges = tries.map(({ exchange }) => exchange);
  const [first] = exchanges;
  if (!first || guessed) return { kind: 'not-offered' };
  const all = (...statuses: number[]): boolean =>
    exchanges.every((exchange) => statuses.includes(answerOf(exchange)?.status ?? 0));
  // What is not found there was looked for by an endpoint that exists.
  if (all(404, 405) && !exchanges.some(saysNotFound)) return { kind: 'absent', exchange: first };
  if (all(401, 403)) return { kind: 'refused', exchange: first };
  const page = tries.find(({ isPage }) => isPage);
  if (page) return { kind: 'web-page', exchange: page.exchange };
  return {
    kind: 'failed',
    exchange: exchanges.find((exchange) => ![401, 403].includes(answerOf(exchange)?.status ?? 0)) ?? first,
  };
}

function saysNotFound({ result }: Exchange): boolean {
  return errorMember(result, '/error/code') === billingCodes.notFound;
}

/** A control in one of the headers. */
export interface SentControl {
  readonly item: PlannedCase;
  readonly exchange: Exchange;
  /** Whether it got the page with which a web application answers every path. */
  readonly isPage: boolean;
}
