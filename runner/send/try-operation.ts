import type { Operation } from '../catalog/operations.ts';
import { readMember } from '../catalog/pointer.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { modelOperation } from '../profile/profile.ts';
import { besideControl, firstStep, sendFirst } from './beside-control.ts';
import type { Control, Controls } from './controls.ts';
import type { Sender } from './deliver.ts';
import { candidates } from './discover.ts';
import { answerOf, type Exchange, succeeded } from './exchange.ts';
import { failure } from './failed-control.ts';
import type { CaseRecord } from './send-case.ts';

/** What others need of the try of an operation. */
export interface Tried {
  readonly control: Control;
  /** The exchange that succeeded. */
  readonly answered: Exchange | undefined;
}

/** A control in one of the headers. */
interface Sent {
  readonly item: PlannedCase;
  readonly exchange: Exchange;
}

/** Tries an operation in every header; tells once what others need, in the moment in which it is known. */
export async function tryOperation(
  operation: Operation,
  cases: readonly PlannedCase[],
  listed: readonly string[],
  sender: Sender,
  controls: Controls,
  record: CaseRecord,
  tell: (tried: Tried) => void,
): Promise<void> {
  const without = (control: Control): void => tell({ control, answered: undefined });
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
  const ordered = operation.headers.flatMap((header) => cases.filter((item) => item.facts.header === header));
  if (ordered.length === 0) return without({ kind: 'presumed' });

  const isGood = ({ exchange }: Sent): boolean => works(exchange, guessed, operation);
  const tellGood = ({ item, exchange }: Sent): void => {
    const header = operation.headers.find((name) => name === item.facts.header) ?? 'bearer';
    tell({ control: { kind: 'succeeded', header, step: firstStep(item) }, answered: exchange });
  };
  let failed: readonly Sent[] = [];
  for (const [index, model] of models.entries()) {
    if (calls && model) controls.models.set(calls, model);
    for (const { item, exchange } of failed)
      record.ofNone({ ...exchange, id: `${item.id}#other-model`, facts: withoutModel(exchange) });
    failed = [];
    const tries = await tryHeaders(ordered, sender, (first) => {
      if (isGood(first)) tellGood(first);
    });
    const good = tries.find(isGood);
    if (!good) {
      failed = tries;
      if (index < models.length - 1) continue;
      break;
    }
    if (good !== tries[0]) tellGood(good);
    const step = firstStep(good.item);
    for (const { item, exchange } of tries) {
      const settled = await besideControl(item, exchange, step, sender, record);
      if (succeeded(settled.result)) controls.headers.add(`${operation.id} ${item.facts.header}`);
      record.ofCase(item, [settled]);
    }
    return;
  }
  for (const { item, exchange } of failed) record.ofCase(item, [exchange]);
  without(
    failure(
      failed.map(({ exchange }) => exchange),
      guessed,
    ),
  );
}

/** Sends the control in each header: in the first one alone, and where an answer came in its time, in all others at once. */
async function tryHeaders(
  [first, ...others]: readonly PlannedCase[],
  sender: Sender,
  onFirst: (sent: Sent) => void,
): Promise<readonly Sent[]> {
  if (!first) return [];
  const send = async (item: PlannedCase): Promise<Sent> => ({
    item,
    exchange: await sendFirst(item, sender),
  });
  const tried = await send(first);
  onFirst(tried);
  const { result } = tried.exchange;
  // Where no answer comes in all that time, the header is not what is wrong.
  if (result.kind === 'failure' && result.failure.reason === 'timeout') return [tried];
  return [tried, ...(await Promise.all(others.map(send)))];
}

/** A guessed operation must answer as its protocol does, as some servers answer every path. */
function works(exchange: Exchange, guessed: boolean, operation: Operation): boolean {
  if (!succeeded(exchange.result)) return false;
  const content = answerOf(exchange)?.content;
  if (!guessed || operation.shows === undefined) return true;
  return content?.kind === 'json' && readMember(content.value, operation.shows) !== undefined;
}

/** A discovered model that failed was perhaps no good one. */
function withoutModel({ facts }: Exchange): Exchange['facts'] {
  const { model: _, request: __, ...rest } = facts;
  return rest;
}
