import { pluralize } from '../../common/lists.ts';
import { matchesModel } from '../catalog/fixtures.ts';
import { type Phase, wrongKeyPhases } from '../catalog/scenarios.ts';
import type { Controls } from '../evidence/controls.ts';
import type { Stop } from '../exchange/stop.ts';
import { addEstimates, type Estimate, estimate } from '../plan/estimate.ts';
import { groupModel, type ModelTemplates, planModel } from '../plan/model-cases.ts';
import { chooseModels, fitModel } from '../plan/select-models.ts';
import { UsageError } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { type AggregatedModels, createModelAggregate } from '../report/aggregate-models.ts';
import type { DescribeContext } from '../report/describe-exchange.ts';
import type { BuildContext } from '../request/build-request.ts';
import { type ModelListResult, readModelList } from '../send/discover.ts';
import { forEachUntilStopped } from '../send/rate-limiter.ts';
import { type Connection, openRoundSender, type RoundSender } from '../send/sender.ts';
import { judgeModels, type PlannedModel } from './judge-models.ts';
import type { CompleteOptions } from './options.ts';
import type { PreparedRun } from './prepare.ts';
import type { CaseListener } from './round.ts';
import type { PlannedModels } from './run-event.ts';

/** The listed models to test in a run, after the model list was read. */
export interface ListedModels {
  readonly planned: PlannedModels;
  readonly estimate: Estimate;
  /**
   * Judges the models before the first phase with wrong keys, because the gateway may block this address after wrong
   * keys.
   */
  readonly before: (phase: Phase, sender: RoundSender) => Promise<void>;
  /** Judges the models unless `before` already did. A run can end before the phases with wrong keys. */
  readonly finish: (controls: Controls) => Promise<void>;
  readonly close: () => AggregatedModels;
}

interface Parts {
  readonly promise: GatewayPromise;
  readonly keys: BuildContext['keys'];
  readonly connection: Connection;
  readonly onCase: CaseListener | undefined;
  readonly prepared: PreparedRun;
  readonly templates: ModelTemplates;
  readonly options: Pick<CompleteOptions, 'models' | 'maxModels' | 'maxBillable' | 'shard' | 'repeat'>;
  readonly describing: DescribeContext;
}

/**
 * Requests the model list, and chooses the models to test: none if the list cannot be read, or if the run is stopped
 * before all are planned. Rejects with a `UsageError` if a pattern matches no model, or if the plan exceeds `maxModels`
 * or `maxBillable`.
 */
export async function openListedModels(parts: Parts): Promise<ListedModels> {
  const { promise, connection, prepared, templates, describing } = parts;
  const { models: patterns = [], maxModels, maxBillable, shard, repeat } = parts.options;
  const { discovery } = promise.fixtures;
  const controls = prepared.sent.filter(
    ({ phase, attributes }) => phase === 'controls' && attributes.operation === 'models',
  );
  const list = await readModelList(controls, openRoundSender(connection, parts));
  const listed = list.kind === 'read' ? list.ids.filter((id) => !matchesModel(discovery.pattern, id)) : [];
  const canShow = (id: string): boolean => describing.redact(id) === id;
  const all = list.kind === 'read' ? chooseModels(listed, { patterns, most: maxModels, canShow }) : [];
  const { index, of } = shard ?? { index: 1, of: 1 };
  const ids = all.filter((_, place) => place % of === index - 1);
  const planned: PlannedModel[] = [];
  await forEachUntilStopped(ids.values(), connection.stop, (id) => {
    const model = fitModel(id, promise);
    planned.push({ ...model, group: groupModel(templates, model) });
  });
  const isPlanned = planned.length === ids.length;
  const models = isPlanned ? planned : [];
  const unread = explainUnread(list, isPlanned ? undefined : connection.stop.stopped());
  const size = sumSizes(models, templates, repeat);
  const billable = prepared.estimate.billable + size.estimate.billable;
  if (maxBillable !== undefined && billable > maxBillable) {
    throw new UsageError(
      `This run would make ${pluralize(billable, 'call')} that may be billed, including ${size.estimate.billable} for ${pluralize(models.length, 'model')}. The limit is ${maxBillable}. Select fewer models (--models) or cases (--suite, --only, --safe), or raise --max-billable.`,
    );
  }
  const aggregate = createModelAggregate(promise, describing);
  let begun = false;
  const judgeAll = async (own: Connection, controls: Controls): Promise<void> => {
    if (begun) return;
    begun = true;
    await judgeModels({ ...parts, models, rounds: repeat, take: aggregate.take }, own, controls);
  };
  return {
    planned: { listed: listed.length, chosen: models.length, cases: size.cases },
    estimate: size.estimate,
    before: async (phase, sender) => {
      if (wrongKeyPhases.includes(phase)) await judgeAll(sender, sender.controls);
    },
    finish: (controls) => judgeAll(connection, controls),
    close: () =>
      aggregate.close({
        patterns,
        listed: listed.length,
        chosen: all.length,
        ...(unread !== undefined && { unread }),
      }),
  };
}

function explainUnread(list: ModelListResult, stop: Stop | undefined): string | undefined {
  if (list.kind === 'unread') return list.reason;
  return stop && `The run was stopped before it had planned the cases of the models. ${stop.reason}`;
}

interface ModelPlanSize {
  readonly estimate: Estimate;
  readonly cases: number;
}

/**
 * Returns the sums of the planned requests and cases of all models, without retries. Includes the request for the model
 * list.
 */
function sumSizes(models: readonly PlannedModel[], templates: ModelTemplates, rounds: number): ModelPlanSize {
  const sizes = new Map<string, ModelPlanSize>();
  const sizeOfOne = ({ id, operations }: PlannedModel): ModelPlanSize => {
    const { sent, cases } = planModel(templates, id, operations);
    return { estimate: estimate(sent, { burst: 0, rounds }), cases: cases.length };
  };
  let total: ModelPlanSize = { estimate: { requests: 1, billable: 0, badKeys: 0 }, cases: 0 };
  for (const model of models) {
    const size = sizes.get(model.group) ?? sizeOfOne(model);
    sizes.set(model.group, size);
    total = { estimate: addEstimates(total.estimate, size.estimate), cases: total.cases + size.cases };
  }
  return total;
}
