import { groupBy } from '../../common/lists.ts';
import { operationIds } from '../catalog/operations.ts';
import type { Controls } from '../evidence/controls.ts';
import { type JudgedCase, judgeCases } from '../judge/judge-cases.ts';
import { createRounds } from '../judge/merge-rounds.ts';
import { type ModelPlan, type ModelTemplates, planModel } from '../plan/model-cases.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { ChosenModel } from '../plan/select-models.ts';
import { findModelOperation, type ModelOperation, type Profile } from '../profile/profile.ts';
import type { ModelCases } from '../report/aggregate-models.ts';
import { executeModel, type ModelExecution } from '../send/execute-model.ts';
import { forEachUntilStopped } from '../send/rate-limiter.ts';
import {
  buildContext,
  type Connection,
  openRoundSender,
  type RequestSource,
  type RoundSender,
} from '../send/sender.ts';
import { type CaseListener, createCaseContext, judgeEach } from './round.ts';

/** A model with the key of the models that have the same cases; see `groupModel`. */
export interface PlannedModel extends ChosenModel {
  readonly group: string;
}

export interface ModelRunParts extends RequestSource {
  readonly models: readonly PlannedModel[];
  readonly templates: ModelTemplates;
  readonly rounds: number;
  readonly onCase: CaseListener | undefined;
  /** Called with each model after all of its cases were judged. The order of the models varies. */
  readonly take: (judged: ModelCases) => void;
}

/**
 * Sends and judges the cases of each model, several models concurrently. Passes each model to `take`, without keeping
 * all exchanges in memory. After a stop, passes the models that were not reached in groups with the same cases.
 * `gateway` contains the results of the controls that were sent before.
 */
export async function judgeModels(
  parts: ModelRunParts,
  connection: Connection,
  gateway: Controls,
): Promise<void> {
  const { models, templates, take } = parts;
  const { concurrency } = connection;
  const context = buildContext(parts, gateway);
  const lanes = Math.max(1, Math.min(concurrency, models.length));
  /** The operations for which the run already uses the model, so that the cases of the suites test it, and the others. */
  const splitOperations = ({
    id,
    operations,
  }: ChosenModel): Pick<ModelCases<ModelOperation>, 'own' | 'operations'> => {
    const own = operations.filter((operation) => context.model(operation, 'good') === id);
    return { own, operations: operations.filter((operation) => !own.includes(operation)) };
  };
  const inLane = { ...connection, concurrency: Math.max(1, Math.floor(concurrency / lanes)) };
  const left = models.entries();
  const judgeAlike = async (model: PlannedModel, alike: ModelCases['models']): Promise<void> => {
    const { own, operations } = splitOperations(model);
    const planned = planModel(templates, model.id, operations, context.workingHeader);
    const rounds = createRounds();
    for (let round = 0; round < parts.rounds && (round === 0 || !connection.stop.stopped()); round += 1) {
      const profile = limitToModel(parts.promise.profile, { ...model, operations });
      const sender = openRoundSender(inLane, { ...parts, promise: { ...parts.promise, profile } });
      rounds.add(await judgeRound(planned, { ...model, operations }, sender, { ...parts, gateway }));
    }
    take({ models: alike, operations, own, cases: rounds.cases() });
  };
  await Promise.all(
    Array.from({ length: lanes }, () =>
      forEachUntilStopped(left, connection.stop, ([index, model]) =>
        judgeAlike(model, [{ index, id: model.id }]),
      ),
    ),
  );
  const unreached = groupBy([...left], ([, model]) => `${model.group} ${splitOperations(model).own.join()}`);
  for (const [, [first, ...others]] of unreached)
    if (first)
      await judgeAlike(
        first[1],
        [first, ...others].map(([index, { id }]) => ({ index, id })),
      );
}

/**
 * Returns a listener that judges a case before calling `onCase`. The function that `onCase` receives keeps no exchanges
 * in memory.
 */
function judgeImmediately(onCase: CaseListener): CaseListener {
  return (id, judge) => {
    const judged = { ...judge(), exchanges: [] };
    onCase(id, () => judged);
  };
}

async function judgeRound(
  planned: ModelPlan,
  model: ChosenModel,
  sender: RoundSender,
  { promise: { profile }, onCase, gateway }: ModelRunParts & { readonly gateway: Controls },
): Promise<JudgedCase[]> {
  const judging = createCaseContext(sender, planned.sent);
  const execution = await executeModel(planned, sender, {
    gateway,
    stated: model.stated,
    onCase: onCase && judgeEach(planned.cases, judging, judgeImmediately(onCase)),
  });
  const cases = planned.cases.map((item) => markIfRejected(item, execution, model.operations, profile));
  return judgeCases({ cases }, execution, judging);
}

/**
 * Marks a case as not applicable if its operation rejected the model. A case without a model operation is marked if
 * all operations rejected the model. If the profile already states a `good` model for the operation, the mark names
 * no property to add to the profile.
 */
function markIfRejected(
  item: PlannedCase,
  { unfit }: ModelExecution,
  operations: readonly ModelOperation[],
  { models }: Profile,
): PlannedCase {
  const [any] = unfit.keys();
  const calls =
    findModelOperation(item.attributes.operation ?? 'none') ??
    (unfit.size === operations.length ? any : undefined);
  const reason = calls && unfit.get(calls);
  if (calls === undefined || reason === undefined) return item;
  return { ...item, notApplicable: { reason, add: models[calls].good ? undefined : `models.${calls}.good` } };
}

function limitToModel(profile: Profile, { id, operations }: ChosenModel): Profile {
  const models = { ...profile.models };
  for (const operation of operations) models[operation] = { ...models[operation], good: id };
  const bound = { ...profile.operations };
  for (const name of operationIds) {
    const calls = findModelOperation(name);
    const own = calls && operations.includes(calls) ? profile.operations[name] : undefined;
    // The controls of the gateway showed that the operation exists.
    bound[name] = own && { ...own, stated: 'profile' };
  }
  return { ...profile, models, operations: bound };
}
