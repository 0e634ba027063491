import { type OperationId, operationIds } from '../catalog/operations.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { modelOperation } from '../profile/profile.ts';
import { answerOf, succeeded } from '../transport/exchange.ts';
import { type Control, firstStep, isHeaderControl } from './controls.ts';
import { listedModels } from './discover.ts';
import { explainFailures } from './explain-failures.ts';
import type { Sender } from './sender.ts';
import {
  besideControl,
  failure,
  makePageCheck,
  type SentControl,
  sendFirst,
  tryOperation,
} from './try-operation.ts';

/**
 * Tries the good key on every operation, in each accepted header, with a few discovered models where the profile
 * names none; the first header that succeeds serves all other cases. Then tries each streamed call.
 */
export async function runControls(cases: readonly PlannedCase[], sender: Sender): Promise<void> {
  const { controls } = sender;
  const { operations } = sender.context.catalog;
  let listed: readonly string[] = [];
  const isFallbackPage = makePageCheck(sender);
  const failed = new Map<OperationId, readonly SentControl[]>();
  const tryOne = async (id: OperationId, tellKnown: () => void): Promise<void> => {
    const own = cases.filter(
      (item) => isHeaderControl(item) && item.attributes.operation === id && !item.notApplicable,
    );
    const failures = await tryOperation(
      operations[id],
      own,
      { listed, sender, isFallbackPage },
      ({ control, answered }) => {
        controls.plain.set(id, control);
        const answer = id === 'models' && answered ? answerOf(answered) : undefined;
        if (answer?.content.kind === 'json') listed = listedModels(answer.content.value);
        tellKnown();
      },
    );
    if (failures.length > 0) failed.set(id, failures);
  };
  const trying = new Map<OperationId, Trying>();
  /** Tries an operation once, after the one that it takes its model from. */
  const tried = (id: OperationId): Trying => {
    const before = givesModel(id, sender);
    const own =
      trying.get(id) ??
      begin(async (tellKnown) => {
        if (before) await tried(before).known;
        await tryOne(id, tellKnown);
      });
    trying.set(id, own);
    return own;
  };
  const streams = cases.filter(
    (item) => item.phase === 'controls' && !isHeaderControl(item) && !item.notApplicable,
  );
  await Promise.all([
    ...operationIds.map((id) => tried(id).done),
    ...streams.map(async (item) => {
      const id = streamOf(item);
      await Promise.all([tried(operations[id].plain).known, tried(id).known]);
      await tryStream(item, sender);
    }),
  ]);
  await explainFailures(failed, sender);
}

/**
 * A stream asks for the model that the plain call chose, and where none is stated, one is chosen of the list; whether a
 * guessed stream is there, the plain call tells.
 */
function givesModel(id: OperationId, { context: { catalog, profile } }: Sender): OperationId | undefined {
  const { plain } = catalog.operations[id];
  const calls = modelOperation(id);
  const isStated = calls === undefined || profile.models[calls].good !== undefined;
  if (plain !== id) return isStated && profile.operations[id]?.stated !== 'guess' ? undefined : plain;
  return isStated ? undefined : 'models';
}

/** The try of an operation: what it is for others is known before it was tried in every header. */
interface Trying {
  readonly known: Promise<void>;
  readonly done: Promise<void>;
}

function begin(act: (tellKnown: () => void) => Promise<void>): Trying {
  let tellKnown = (): void => undefined;
  const known = new Promise<void>((resolve) => {
    tellKnown = resolve;
  });
  return { known, done: act(tellKnown) };
}

async function tryStream(item: PlannedCase, sender: Sender): Promise<void> {
  const { controls, record } = sender;
  const id = streamOf(item);
  const plain = controls.plain.get(sender.context.catalog.operations[id].plain);
  const own = controls.plain.get(id);
  if (plain?.kind !== 'succeeded' || own?.kind === 'not-offered' || own?.kind === 'no-model') return;
  const exchange = await besideControl({ item, exchange: await sendFirst(item, sender) }, plain.step, sender);
  record.ofCase(item, [exchange]);
  const control: Control = succeeded(exchange.result)
    ? { kind: 'succeeded', header: plain.header, step: firstStep(item) }
    : failure([{ item, exchange, isPage: false }], false);
  controls.streamed.set(id, control);
}

function streamOf({ attributes: facts }: PlannedCase): OperationId {
  return operationIds.find((known) => known === facts.operation) ?? 'chat';
}
