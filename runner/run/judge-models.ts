import type { Catalog } from '../catalog/catalog.ts';
import { operationIds } from '../catalog/operations.ts';
import { type Controls, makeControls } from '../execute/controls.ts';
import type { Sender } from '../execute/deliver.ts';
import { executeModel, type ModelExecution } from '../execute/execute-model.ts';
import { buildContext } from '../execute/request-context.ts';
import { assess, type JudgedCase } from '../judge/assess.ts';
import { makeRounds, type RepeatedCase } from '../judge/merge-rounds.ts';
import { type ModelPlan, type ModelTemplates, planModel } from '../plan/model-cases.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { ChosenModel } from '../plan/select-models.ts';
import { type ModelOperation, modelOperation, type Profile } from '../profile/profile.ts';
import type { BuildContext } from '../request/build-request.ts';
import { concurrently } from '../transport/concurrently.ts';
import { judgingMeanwhile, judgingWith } from './round.ts';

/** What the cases of listed models need. */
export interface ModelRunParts {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly keys: BuildContext['keys'];
  readonly models: readonly ChosenModel[];
  readonly templates: ModelTemplates;
  /** Requests at once, over all models. */
  readonly concurrency: number;
  /** How often every case is sent. */
  readonly rounds: number;
  readonly onCase: ((item: JudgedCase) => void) | undefined;
  /** Takes in what became of a model as soon as that is known, which is in no order. */
  readonly take: (judged: JudgedModel) => void;
}

/** A model with what became of its cases. */
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
 * Sends and judges the cases of each model, several models at once and each by itself, and lets go of them; `gateway`
 * is what good calls of the gateway showed before.
 */
export async function judgeModels(
  parts: ModelRunParts,
  sender: Omit<Sender, 'context'>,
  gateway: Controls,
): Promise<void> {
  const { catalog, profile, keys, models, templates, concurrency, take } = parts;
  const context = buildContext(catalog, profile, keys, gateway);
  const lanes = Math.max(1, Math.min(concurrency, models.length));
  const inLane = Math.max(1, Math.floor(concurrency / lanes));
  await concurrently(lanes, [...models.entries()], async ([index, model]) => {
    const own = model.operations.filter((operation) => context.model(operation, 'good') === model.id);
    const operations = model.operations.filter((operation) => !own.includes(operation));
    const planned = planModel(templates, model.id, operations, context.workingHeader);
    const rounds = makeRounds();
    for (let round = 0; round < parts.rounds && (round === 0 || !sender.stop.stopped()); round += 1) {
      rounds.add(await judgeOnce(planned, { ...model, operations }, inLane, parts, sender, gateway));
    }
    take({ index, id: model.id, operations, own, cases: rounds.cases() });
  });
}

async function judgeOnce(
  planned: ModelPlan,
  model: ChosenModel,
  concurrency: number,
  { catalog, profile, keys, onCase }: ModelRunParts,
  sender: Omit<Sender, 'context'>,
  gateway: Controls,
): Promise<JudgedCase[]> {
  const controls = makeControls();
  const context = buildContext(catalog, profileOfModel(profile, model), keys, controls);
  const judging = judgingWith(catalog, context, planned.sent);
  const meanwhile = judgingMeanwhile(planned.cases, judging, onCase);
  const execution = await executeModel(planned, { ...sender, context }, gateway, controls, {
    concurrency,
    stated: model.stated,
    isDue: meanwhile.isDue,
    onCase: meanwhile.onCase,
  });
  const fitting = planned.cases.map((item) => withoutUnfit(item, execution, model.operations, profile));
  return assess({ cases: fitting }, execution, judging(execution.exchanges), meanwhile.judged);
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
    modelOperation(item.facts.operation ?? 'none') ?? (unfit.size === operations.length ? any : undefined);
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
