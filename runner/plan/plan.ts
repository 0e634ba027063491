import type { Catalog } from '../catalog/catalog.ts';
import { type Attributes, type Condition, evaluate } from '../catalog/condition.ts';
import { comparesExchanges } from '../catalog/expectation.ts';
import { isOperationId, type Operation, type OperationId } from '../catalog/operations.ts';
import { findRequirements, type Requirement, type UncheckedClause } from '../catalog/requirements.ts';
import { type GatewayChange, type Phase, phases, type Scenario } from '../catalog/scenarios.ts';
import type { Profile } from '../profile/profile.ts';
import {
  explainCaseNotApplicable,
  listModelSegments,
  listNeeds,
  type NotApplicable,
} from './applicability.ts';
import { completeAttributes, getOperationAttributes } from './complete-attributes.ts';
import { type Candidate, expandAxes, selectCovering } from './expand-axes.ts';
import { type ExpectedResponse, listExpectedResponses } from './expected-responses.ts';
import type { GeneratedNumber, GeneratedParts } from './generation.ts';

/** One request of a case. */
export interface PlannedStep {
  readonly attributes: Attributes;
  /** Whether it must succeed before the other steps are sent; it is not judged itself. */
  readonly control: boolean;
  readonly expects: readonly ExpectedResponse[];
  /** The change that is made at the gateway before the request is sent. */
  readonly before?: GatewayChange | undefined;
  /** The generated parts of the request; undefined if its attributes define all of it. */
  readonly generated?: GeneratedParts | undefined;
}

/** A requirement that is judged in a case, and the steps that it applies to. */
export interface Check {
  readonly requirement: Requirement;
  readonly steps: readonly number[];
}

/** One point on the axes of a scenario. */
export interface PlannedCase {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  readonly phase: Phase;
  readonly alone: boolean;
  readonly attributes: Attributes;
  readonly steps: readonly PlannedStep[];
  readonly checks: readonly Check[];
  readonly observes: readonly UncheckedClause[];
  readonly pool:
    | { readonly over: 'operation' | 'run'; readonly operation: OperationId | undefined }
    | undefined;
  /** The number of a generated request; undefined for any other case. */
  readonly drawn?: GeneratedNumber | undefined;
  /** Why the profile does not allow the case, which is then planned and counted, but not sent. */
  readonly notApplicable: NotApplicable | undefined;
}

/** The cases to send and to judge, in the order of the report. */
export interface Plan {
  readonly cases: readonly PlannedCase[];
}

/** Whether a case is judged and counted. Other cases only observe points that the specification leaves open. */
export function hasChecks({ checks }: PlannedCase): boolean {
  return checks.length > 0;
}

/**
 * Plans all cases of the suites for a profile. With `thorough`, a scenario has a case for every combination of its values instead
 * of a selection that covers all pairs.
 */
export function plan(
  catalog: Catalog,
  profile: Profile,
  { thorough = false }: { readonly thorough?: boolean } = {},
): Plan {
  const { requirements, uncheckedClauses } = catalog;
  const context: PlanContext = {
    catalog,
    profile,
    requirements: requirements.filter(({ over }) => over === 'case'),
    observable: uncheckedClauses.flatMap((entry) => (entry.when ? [{ entry, when: entry.when }] : [])),
  };
  const cases = catalog.scenarios.flatMap((scenario) => {
    const candidates = listCandidates(scenario, catalog, profile);
    const selected = thorough ? candidates : selectCovering(candidates, scenario);
    return selected
      .flatMap((candidate) => repeatForModels(candidate, profile))
      .map((candidate) => planCase(scenario, candidate, context));
  });
  return sortByPhase(cases);
}

/** Sorts the cases by phase and returns them as a plan. The order within a phase stays. */
export function sortByPhase(cases: readonly PlannedCase[]): Plan {
  return { cases: phases.flatMap((phase) => cases.filter((item) => item.phase === phase)) };
}

interface PlanContext {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly requirements: readonly Requirement[];
  readonly observable: readonly { readonly entry: UncheckedClause; readonly when: Condition }[];
}

/** A point of a scenario that can be sent, with the id of its case and the attributes that the scenario sets. */
export interface CaseCandidate extends Candidate {
  readonly id: string;
  readonly given: Attributes;
  /** All attributes of the request. */
  readonly attributes: Attributes;
}

/** Lists the points of a scenario that can be sent. */
export function listCandidates(scenario: Scenario, catalog: Catalog, profile: Profile): CaseCandidate[] {
  const limited = profile.rateLimit?.operation ?? 'usage';
  const bind = (text: string): string => (text === 'limited' ? limited : text);
  const variesHeader = scenario.axes.some(
    ({ name, values }) => name === 'header' && values.some((value) => value.name === 'any'),
  );
  return expandAxes(scenario, catalog).flatMap(({ names, attributes, values }) => {
    const given = Object.fromEntries(
      Object.entries({ ...scenario.send, ...attributes }).map(([name, value]) => [name, bind(value)]),
    );
    const { operation: id = 'none', header = 'any', streamed } = given;
    const operation = isOperationId(id) ? catalog.operations[id] : undefined;
    if (streamed !== undefined && operation && !canStream(operation, streamed)) return [];
    const complete = completeAttributes(given, catalog.operations, profile);
    if (scenario.where && evaluate(scenario.where, complete) !== true) return [];
    // The value `any` represents the first header.
    if (variesHeader && header === operation?.headers[0]) return [];
    const usual = ['header=any', `streamed=${operation?.streams === 'always'}`, 'given=none'];
    const parts = names
      .filter((name) => !usual.includes(name))
      .map((name) => name.replace(/^operation=limited$/, `operation=${limited}`));
    return [
      {
        id: [scenario.suite, scenario.id, ...parts].join('/'),
        isPreset: scenario.presets.has(parts.join('/')),
        given,
        attributes: complete,
        values,
        needs: listNeeds(complete),
        isUsual:
          (variesHeader || streamed !== undefined) &&
          (!variesHeader || header === 'any') &&
          (streamed === undefined || usual.includes(`streamed=${streamed}`)),
      },
    ];
  });
}

/** Repeats a point for each model that the profile lists for its kind of model. */
function repeatForModels(candidate: CaseCandidate, profile: Profile): readonly CaseCandidate[] {
  const segments = listModelSegments(candidate.given, profile);
  return (
    segments?.map((segment, index) => ({
      ...candidate,
      id: `${candidate.id}/${segment}`,
      given: { ...candidate.given, modelNumber: String(index + 1) },
    })) ?? [candidate]
  );
}

/** Whether a call of the operation can have this value of the attribute `streamed`. */
function canStream({ streams }: Operation, streamed: string): boolean {
  return streams === 'parameter' || (streams === 'always') === (streamed === 'true');
}

function planCase(
  scenario: Scenario,
  { id, given }: CaseCandidate,
  { catalog, profile, requirements, observable }: PlanContext,
): PlannedCase {
  const complete = (attributes: Attributes): Attributes =>
    completeAttributes(attributes, catalog.operations, profile);
  const common = {
    id,
    suite: scenario.suite,
    about: scenario.about,
    phase: scenario.phase,
    alone: scenario.alone,
  };
  if (scenario.pool) return planPool({ ...common, attributes: given }, scenario.pool, catalog, profile);

  const { overlapping, times } = scenario;
  const sending = { overlapping: String(overlapping), repeated: String(times > 1 && !overlapping) };
  const once = scenario.steps.map(({ control, before, attributes: own }) => {
    const attributes = complete({ ...given, ...sending, ...own });
    const applicable = control ? [] : findRequirements(attributes, requirements);
    const expects = listExpectedResponses(applicable.map(({ then }) => then));
    return { step: { attributes, control, expects, ...(before && { before }) }, applicable };
  });
  const planned = Array.from({ length: times }, () => once).flat();
  const steps = planned.map(({ step }) => step);
  const checks = mergeInOrder(
    requirements,
    once.map(({ applicable }) => applicable),
  )
    .map((requirement) => ({
      requirement,
      steps: [...planned.keys()].filter((index) => planned[index]?.applicable.includes(requirement)),
    }))
    .filter(({ requirement, steps }) => steps.length > (comparesExchanges(requirement.then) ? 1 : 0));
  const observed = observable.filter(({ when }) =>
    once.some(({ step: { control, attributes } }) => !control && evaluate(when, attributes) === true),
  );
  return {
    ...common,
    attributes: steps.at(-1)?.attributes ?? given,
    steps,
    checks,
    observes: observed.map(({ entry }) => entry),
    pool: undefined,
    notApplicable: explainCaseNotApplicable({ steps, pool: undefined }, profile),
  };
}

function mergeInOrder(
  all: readonly Requirement[],
  lists: readonly (readonly Requirement[])[],
): readonly Requirement[] {
  const [only = []] = lists;
  if (lists.length < 2) return only;
  const found = [...new Set(lists.flat())];
  return all.flatMap(({ id }) => found.filter((item) => item.id === id));
}

function planPool(
  common: Pick<PlannedCase, 'id' | 'suite' | 'about' | 'phase' | 'alone' | 'attributes'>,
  over: 'operation' | 'run',
  catalog: Catalog,
  profile: Profile,
): PlannedCase {
  const id = common.attributes.operation ?? '';
  const operation = isOperationId(id) ? id : undefined;
  const attributes = operation ? getOperationAttributes(catalog.operations[operation]) : {};
  const checks = catalog.requirements
    .filter((requirement) => requirement.over === over && evaluate(requirement.when, attributes) !== false)
    .map((requirement) => ({ requirement, steps: [] }));
  const pool = { over, operation };
  return {
    ...common,
    attributes,
    steps: [],
    checks,
    observes: [],
    pool,
    notApplicable: explainCaseNotApplicable({ steps: [], pool }, profile),
  };
}
