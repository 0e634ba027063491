import type { Catalog } from '../catalog/catalog.ts';
import { matchesModel } from '../catalog/fixtures.ts';
import { type Phase, wrongKeyPhases } from '../catalog/scenarios.ts';
import type { Controls } from '../execute/controls.ts';
import { readModelList } from '../execute/discover.ts';
import { type Connection, openRoundSender, type RoundSender } from '../execute/sender.ts';
import { addEstimates, type Estimate, estimate } from '../plan/estimate.ts';
import { type ModelTemplates, planModel } from '../plan/model-cases.ts';
import { type ChosenModel, chooseModels } from '../plan/select-models.ts';
import { type Profile, UsageError } from '../profile/profile.ts';
import { type AggregatedModels, createModelAggregate } from '../report/aggregate-models.ts';
import type { DescribeContext } from '../report/describe-exchange.ts';
import type { BuildContext } from '../request/build-request.ts';
import { pluralize } from '../text/lists.ts';
import { judgeModels } from './judge-models.ts';
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
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly keys: BuildContext['keys'];
  readonly connection: Connection;
  readonly onCase: CaseListener | undefined;
  readonly prepared: PreparedRun;
  readonly templates: ModelTemplates;
  readonly options: Pick<CompleteOptions, 'models' | 'maxBillable' | 'selection' | 'repeat'>;
  readonly describing: DescribeContext;
}

/**
 * Requests the model list, and chooses the models to test. Chooses no models if the list cannot be read. Rejects with a
 * `UsageError` if a pattern matches no model, or if the plan exceeds `maxBillable`.
 */
export async function openListedModels(parts: Parts): Promise<ListedModels> {
  const { catalog, profile, connection, prepared, templates, describing } = parts;
  const { models: patterns = [], maxBillable, selection, repeat } = parts.options;
  const { discovery } = catalog.fixtures;
  const controls = prepared.sent.filter(
    ({ phase, attributes }) => phase === 'controls' && attributes.operation === 'models',
  );
  const list = await readModelList(controls, openRoundSender(connection, parts));
  const listed =
    // Models whose IDs contain a key are left out, because a report could not show the IDs. A pattern is no model.
    list.kind === 'read'
      ? list.ids.filter((id) => describing.redact(id) === id && !matchesModel(discovery.pattern, id))
      : [];
  const all = list.kind === 'read' ? chooseModels(listed, patterns, catalog, profile) : [];
  const { index, of } = selection.shard ?? { index: 1, of: 1 };
  const models = all.filter((_, place) => place % of === index - 1);
  const size = sumSizes(models, templates, repeat);
  const billable = prepared.estimate.billable + size.estimate.billable;
  if (maxBillable !== undefined && billable > maxBillable) {
    throw new UsageError(
      `This run would make ${pluralize(billable, 'call')} that may be billed, including ${size.estimate.billable} for ${pluralize(models.length, 'model')}. The limit is ${maxBillable}. Select fewer models (--models) or cases (--suite, --only, --safe), or raise --max-billable.`,
    );
  }
  const aggregate = createModelAggregate(catalog, describing);
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
        ...(list.kind === 'unread' && { unread: list.reason }),
      }),
  };
}

interface ModelPlanSize {
  readonly estimate: Estimate;
  readonly cases: number;
}

/**
 * Returns the sums of the planned requests and cases of all models, without retries. Includes the request for the model
 * list.
 */
function sumSizes(models: readonly ChosenModel[], templates: ModelTemplates, rounds: number): ModelPlanSize {
  const sizes = new Map<string, ModelPlanSize>();
  const sizeOfOne = ({ id, operations }: ChosenModel): ModelPlanSize => {
    const { sent, cases } = planModel(templates, id, operations);
    return { estimate: estimate(sent, { burst: 0, rounds }), cases: cases.length };
  };
  let total: ModelPlanSize = { estimate: { requests: 1, billable: 0, badKeys: 0 }, cases: 0 };
  for (const model of models) {
    // With `isChosen`, the number of cases can also depend on the ID of the model.
    const key = templates.isChosen ? model.id : model.operations.join();
    const size = sizes.get(key) ?? sizeOfOne(model);
    sizes.set(key, size);
    total = { estimate: addEstimates(total.estimate, size.estimate), cases: total.cases + size.cases };
  }
  return total;
}
