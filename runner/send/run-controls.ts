import { type Operation, type OperationId, operationIds } from '../catalog/operations.ts';
import { readMember } from '../catalog/pointer.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import { modelOperation } from '../profile/profile.ts';
import { type Control, type Controls, isHeaderControl } from './controls.ts';
import { deliver, type Sender } from './deliver.ts';
import { candidates, listedModels } from './discover.ts';
import { answerOf, type Exchange, isTransient, saysUnavailable, succeeded } from './exchange.ts';
import type { CaseRecord } from './send-case.ts';

/** How often a header that fails alone is tried again beside a fresh control. */
const rounds = 2;

/**
 * Tries the good key on every operation, in each accepted header, with a few discovered models where the profile
 * names none; the first header that succeeds serves all other cases. Then tries each streamed call.
 */
export async function runControls(
  cases: readonly PlannedCase[],
  sender: Sender,
  controls: Controls,
  record: CaseRecord,
): Promise<void> {
  const { operations } = sender.context.catalog;
  let listed: readonly string[] = [];
  const tryOne = async (id: OperationId): Promise<void> => {
    const own = cases.filter(
      (item) => isHeaderControl(item) && item.facts.operation === id && !item.notApplicable,
    );
    const { control, answered } = await tryOperation(operations[id], own, listed, sender, controls, record);
    controls.plain.set(id, control);
    const answer = id === 'models' && answered ? answerOf(answered) : undefined;
    if (answer?.content.kind === 'json') listed = listedModels(answer.content.value);
  };
  const trying = new Map<OperationId, Promise<void>>();
  /** Tries an operation once, after the one that it takes its model from. */
  const tried = (id: OperationId): Promise<void> => {
    const before = givesModel(id, sender);
    const own = trying.get(id) ?? (before ? tried(before).then(() => tryOne(id)) : tryOne(id));
    trying.set(id, own);
    return own;
  };
  const streams = cases.filter(
    (item) => item.phase === 'controls' && !isHeaderControl(item) && !item.notApplicable,
  );
  await Promise.all([
    ...operationIds.map(tried),
    ...streams.map(async (item) => {
      const id = streamOf(item);
      await Promise.all([tried(operations[id].plain), tried(id)]);
      await tryStream(item, sender, controls, record);
    }),
  ]);
}

/** A stream asks for the model that the plain call chose, and where none is stated, one is chosen of the list. */
function givesModel(id: OperationId, { context }: Sender): OperationId | undefined {
  const { plain } = context.catalog.operations[id];
  if (plain !== id) return plain;
  const calls = modelOperation(id);
  return calls === undefined || context.profile.models[calls].good !== undefined ? undefined : 'models';
}

interface Tried {
  readonly control: Control;
  /** The exchange that succeeded. */
  readonly answered: Exchange | undefined;
}

async function tryOperation(
  operation: Operation,
  cases: readonly PlannedCase[],
  listed: readonly string[],
  sender: Sender,
  controls: Controls,
  record: CaseRecord,
): Promise<Tried> {
  const bound = sender.context.profile.operations[operation.id];
  if (!bound) return { control: { kind: 'not-offered' }, answered: undefined };
  // A guessed stream is there where the call is that it streams, whose answer can be recognised.
  const plain = operation.plain === operation.id ? undefined : controls.plain.get(operation.plain);
  if (bound.stated === 'guess' && plain && plain.kind !== 'succeeded')
    return { control: { kind: 'not-offered' }, answered: undefined };
  const calls = modelOperation(operation.id);
  const stated = calls && (sender.context.profile.models[calls].good ?? controls.models.get(calls));
  const models =
    calls === undefined || stated
      ? [stated]
      : candidates(calls, listed, sender.context.catalog.fixtures.discovery);
  if (models.length === 0) return { control: { kind: 'no-model' }, answered: undefined };
  const ordered = operation.headers.flatMap((header) => cases.filter((item) => item.facts.header === header));
  if (ordered.length === 0) return { control: { kind: 'presumed' }, answered: undefined };

  let failed: Awaited<ReturnType<typeof tryHeaders>> = [];
  for (const [index, model] of models.entries()) {
    if (calls && model) controls.models.set(calls, model);
    for (const { item, exchange } of failed)
      record.ofNone({ ...exchange, id: `${item.id}#other-model`, facts: withoutModel(exchange) });
    failed = [];
    const tries = await tryHeaders(ordered, sender);
    const good = tries.find(({ exchange }) => works(exchange, bound.stated === 'guess', operation));
    if (!good) {
      failed = tries;
      if (index < models.length - 1) continue;
      break;
    }
    const step = firstStep(good.item);
    const header = operation.headers.find((name) => name === good.item.facts.header) ?? 'bearer';
    for (const { item, exchange } of tries) {
      const settled = await besideControl(item, exchange, step, sender, record);
      if (succeeded(settled.result)) controls.headers.add(`${operation.id} ${item.facts.header}`);
      record.ofCase(item, [settled]);
    }
    return { control: { kind: 'succeeded', header, step }, answered: good.exchange };
  }
  for (const { item, exchange } of failed) record.ofCase(item, [exchange]);
  return {
    control: failure(
      failed.map(({ exchange }) => exchange),
      bound.stated === 'guess',
    ),
    answered: undefined,
  };
}

/** Sends the control in each header: in the first one alone, and where an answer came in its time, in all others at once. */
async function tryHeaders(
  [first, ...others]: readonly PlannedCase[],
  sender: Sender,
): Promise<readonly { readonly item: PlannedCase; readonly exchange: Exchange }[]> {
  if (!first) return [];
  const send = async (item: PlannedCase) => ({ item, exchange: await sendStep(item, sender) });
  const tried = await send(first);
  const { result } = tried.exchange;
  // Where no answer comes in all that time, the header is not what is wrong.
  if (result.kind === 'failure' && result.failure.reason === 'timeout') return [tried];
  return [tried, ...(await Promise.all(others.map(send)))];
}

/** A header that fails while another succeeds is tried again beside fresh controls, where the failure may pass. */
async function besideControl(
  item: PlannedCase,
  exchange: Exchange,
  control: PlannedStep,
  sender: Sender,
  record: CaseRecord,
): Promise<Exchange> {
  let current = exchange;
  for (
    let round = 0;
    round < rounds && (isTransient(current.result) || saysUnavailable(current.result));
    round += 1
  ) {
    const fresh = await deliver(sender, { id: `${item.id}#control`, facts: control.facts });
    record.ofNone(fresh);
    if (!succeeded(fresh.result)) return { ...current, controlAfter: 'failed' };
    const again = await sendStep(item, sender);
    current = {
      ...again,
      earlier: [...current.earlier, current.result, ...again.earlier],
      controlAfter: 'succeeded',
    };
  }
  return current;
}

async function tryStream(
  item: PlannedCase,
  sender: Sender,
  controls: Controls,
  record: CaseRecord,
): Promise<void> {
  const id = streamOf(item);
  const plain = controls.plain.get(sender.context.catalog.operations[id].plain);
  const own = controls.plain.get(id);
  if (plain?.kind !== 'succeeded' || own?.kind === 'not-offered' || own?.kind === 'no-model') return;
  const exchange = await besideControl(item, await sendStep(item, sender), plain.step, sender, record);
  record.ofCase(item, [exchange]);
  const control: Control = succeeded(exchange.result)
    ? { kind: 'succeeded', header: plain.header, step: firstStep(item) }
    : failure([exchange], false);
  controls.streamed.set(id, control);
}

function streamOf({ facts }: PlannedCase): OperationId {
  return operationIds.find((known) => known === facts.operation) ?? 'chat';
}

/** A guessed operation must answer as its protocol does, as some servers answer every path. */
function works(exchange: Exchange, guessed: boolean, operation: Operation): boolean {
  if (!succeeded(exchange.result)) return false;
  const content = answerOf(exchange)?.content;
  if (!guessed || operation.shows === undefined) return true;
  return content?.kind === 'json' && readMember(content.value, operation.shows) !== undefined;
}

function failure(exchanges: readonly Exchange[], guessed: boolean): Control {
  const [first] = exchanges;
  if (!first || guessed) return { kind: 'not-offered' };
  const all = (...statuses: number[]): boolean =>
    exchanges.every((exchange) => statuses.includes(answerOf(exchange)?.status ?? 0));
  if (all(404, 405)) return { kind: 'absent', exchange: first };
  if (all(401, 403)) return { kind: 'refused', exchange: first };
  return {
    kind: 'failed',
    exchange: exchanges.find((exchange) => ![401, 403].includes(answerOf(exchange)?.status ?? 0)) ?? first,
  };
}

function sendStep(item: PlannedCase, sender: Sender): Promise<Exchange> {
  return deliver(sender, { id: `${item.id}#1`, facts: firstStep(item).facts });
}

function firstStep(item: PlannedCase): PlannedStep {
  const [step] = item.steps;
  if (!step) throw new Error(`The case ${item.id} sends nothing.`);
  return step;
}

/** A discovered model that failed was perhaps no good one. */
function withoutModel({ facts }: Exchange): Exchange['facts'] {
  const { model: _, request: __, ...rest } = facts;
  return rest;
}
