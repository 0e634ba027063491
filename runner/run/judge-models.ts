import { operationIds } from '../catalog/operations.ts';
import type { Controls } from '../execute/controls.ts';
import { executeModel, type ModelExecution } from '../execute/execute-model.ts';
import { concurrently } from '../execute/rate-limiter.ts';
import {
  buildContext,
  type Connection,
  openSender,
  type RequestSource,
  type Sender,
} from '../execute/sender.ts';
import { type JudgedCase, judgeCases } from '../judge/judge-cases.ts';
import { makeRounds, type RepeatedCase } from '../judge/merge-rounds.ts';
import { type ModelPlan, type ModelTemplates, planModel } from '../plan/model-cases.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { ChosenModel } from '../plan/select-models.ts';
import { type ModelOperation, modelOperation, type Profile } from '../profile/profile.ts';
import { judgeEach, judgingOf, withCalledModels } from './round.ts';

/** What the cases of listed models need. */
export interface ModelRunParts extends Omit<RequestSource, 'draw'> {
  readonly models: readonly ChosenModel[];
  readonly templates: ModelTemplates;
  /** How often every case is sent. */
  readonly rounds: number;
  readonly onCase: ((item: JudgedCase) => void) | undefined;
  /** Called with each model as soon as it is judged, in any order. */
  readonly take: (judged: JudgedModel) => void;
}

/** A model with the outcomes of its cases. */
export interface JudgedModel {
  /** Its place in the list of those that were chosen. */
  readonly index: number;
  readonly id: string;
  /** The operations that were tried with it. */
  readonly operations: readonly ModelOperation[];
  /** Those whose cases without a model's name are about it. */
  readonly own: readonly ModelOperation[];
  readonly cases: readonly RepeatedCase[];
}

/**
 * Sends and judges the cases of each model, several models concurrently and each by itself, and does not keep them;
 * `gateway` is what good calls of the gateway showed before.
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
  const inLane = { ...connection, concurrency: Math.max(1, Math.floor(concurrency / lanes)) };
  await concurrently(lanes, [...models.entries()], async ([index, model]) => {
    const own = model.operations.filter((operation) => context.model(operation, 'good') === model.id);
    const operations = model.operations.filter((operation) => !own.includes(operation));
    const planned = planModel(templates, model.id, operations, context.workingHeader);
    const rounds = makeRounds();
    for (let round = 0; round < parts.rounds && (round === 0 || !connection.stop.stopped()); round += 1) {
      const sender = openSender(inLane, {
        ...parts,
        profile: profileOfModel(parts.profile, { ...model, operations }),
      });
      rounds.add(await judgeRound(planned, { ...model, operations }, sender, { ...parts, gateway }));
    }
    take({ index, id: model.id, operations, own, cases: rounds.cases() });
  });
}

async function judgeRound(
  planned: ModelPlan,
  model: ChosenModel,
  sender: Sender,
  { profile, onCase, gateway }: ModelRunParts & { readonly gateway: Controls },
): Promise<JudgedCase[]> {
  const judging = judgingOf(sender, planned.sent);
  const execution = await executeModel(planned, sender, {
    gateway,
    stated: model.stated,
    onCase: onCase && judgeEach(planned.cases, judging, onCase),
  });
  const fitting = planned.cases.map((item) => withoutUnfit(item, execution, model.operations, profile));
  return judgeCases({ cases: fitting }, execution, withCalledModels(judging, execution));
}

/**
 * A case of an operation that proved not to be for the model is none that the model could break. A profile that names a
 * good model of the operation has nothing more to say of it.
 */
function withoutUnfit(
  item: PlannedCase,
  { unfit }: ModelExecution,
  operations: readonly ModelOperation[],
  { models }: Profile,
): PlannedCase {
  const [any] = unfit.keys();
  const calls =
    modelOperation(item.attributes.operation ?? 'none') ??
    (unfit.size === operations.length ? any : undefined);
  const reason = calls && unfit.get(calls);
  if (calls === undefined || reason === undefined) return item;
  return { ...item, notApplicable: { reason, add: models[calls].good ? undefined : `models.${calls}.good` } };
}

/** The profile of a gateway that has this model alone. */
function profileOfModel(profile: Profile, { id, operations }: ChosenModel): Profile {
  const models = { ...profile.models };
  for (const operation of operations) models[operation] = { ...models[operation], good: id };
  const bound = { ...profile.operations };
  for (const name of operationIds) {
    const calls = modelOperation(name);
    const own = calls && operations.includes(calls) ? profile.operations[name] : undefined;
    // That the operation is there, the gateway showed before.
    bound[name] = own && { ...own, stated: 'profile' };
  }
  return { ...profile, models, operations: bound };
}
