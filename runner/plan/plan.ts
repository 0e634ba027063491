import type { Catalog } from '../catalog/catalog.ts';
import { type Attributes, type Condition, evaluate } from '../catalog/condition.ts';
import { comparesExchanges } from '../catalog/expectation.ts';
import { isOperationId, type Operation, type OperationId } from '../catalog/operations.ts';
import { findRequirements, type Requirement, type UncheckedClause } from '../catalog/requirements.ts';
import { type GatewayChange, type Phase, phases, type Scenario } from '../catalog/scenarios.ts';
import type { Profile } from '../profile/profile.ts';
import { explainCaseNotApplicable, listModelSegments, type NotApplicable } from './applicability.ts';
import { completeAttributes, getOperationAttributes } from './complete-attributes.ts';
import { bindLimited, expandAxes } from './expand-axes.ts';
import { type ExpectedResponse, listExpectedResponses } from './expected-responses.ts';
import type { GeneratedNumber, GeneratedParts } from './generation.ts';

/** One request of a case. */
export interface PlannedStep {
  readonly attributes: Attributes;
  /** Whether the step is a control: it must succeed before the other steps are sent, and is not judged. */
  readonly control: boolean;
  readonly expects: readonly ExpectedResponse[];
  /** The change that is made at the gateway before the request is sent. */
  readonly before?: GatewayChange | undefined;
  /** The generated parts of the request; undefined if the attributes define the whole request. */
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
 * Plans all cases of the suites for a profile. By default, a scenario has a selection of cases that covers all
 * pairs of values. With `thorough`, it has a case for every combination of values.
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
    return listCandidates(scenario, catalog, profile, { onlyDefault: !thorough })
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

/** A point of a scenario that can be sent, with the id of its case. */
export interface CaseCandidate {
  readonly id: string;
  /** Whether a default run has the case. */
  readonly isDefault: boolean;
  /** The index of its value on each axis. */
  readonly values: readonly number[];
  /** The attributes that the scenario sets. */
  readonly given: Attributes;
  /** All attributes of the request. */
  readonly attributes: Attributes;
}

/** Lists the points of a scenario that can be sent; with `onlyDefault`, those of a default run. */
export function listCandidates(
  scenario: Scenario,
  catalog: Catalog,
  profile: Profile,
  { onlyDefault = false }: { readonly onlyDefault?: boolean } = {},
): CaseCandidate[] {
  const variesHeader = scenario.axes.some(
    ({ name, values }) => name === 'header' && values.some((value) => value.name === 'any'),
  );
  const { send, axes } = bindLimited(scenario, profile.rateLimit?.operation ?? 'usage');
  const sending = describeSending(scenario);
  return expandAxes({ ...scenario, axes }, catalog).flatMap(({ names, attributes, values }) => {
    const given = { ...send, ...attributes };
    const { operation: id = 'none', header = 'any', streamed }: Attributes = given;
    const operation = isOperationId(id) ? catalog.operations[id] : undefined;
    if (streamed !== undefined && operation && !canStream(operation, streamed)) return [];
    // The value `any` represents the first header.
    if (variesHeader && header === operation?.headers[0]) return [];
    const usual = ['header=any', `streamed=${operation?.streams === 'always'}`, 'given=none'];
    const parts = names.filter((name) => !usual.includes(name));
    const isDefault = scenario.defaultCases?.has(parts.join('/')) ?? true;
    if (onlyDefault && !isDefault) return [];
    const complete = completeAttributes({ ...given, ...sending }, catalog.operations, profile);
    if (scenario.where && evaluate(scenario.where, complete) !== true) return [];
    return [
      {
        id: [scenario.suite, scenario.id, ...parts].join('/'),
        isDefault,
        given,
        attributes: complete,
        values,
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
      attributes: { ...candidate.attributes, modelNumber: String(index + 1) },
    })) ?? [candidate]
  );
}

function describeSending({ overlapping, times }: Scenario): Attributes {
  return { overlapping: String(overlapping), repeated: String(times > 1 && !overlapping) };
}

/** Whether a call of the operation can have this value of the attribute `streamed`. */
function canStream({ streams }: Operation, streamed: string): boolean {
  return streams === 'parameter' || (streams === 'always') === (streamed === 'true');
}

function planCase(
  scenario: Scenario,
  { id, given, attributes: usual }: CaseCandidate,
  { catalog, profile, requirements, observable }: PlanContext,
): PlannedCase {
  const common = {
    id,
    suite: scenario.suite,
    about: scenario.about,
    phase: scenario.phase,
    alone: scenario.alone,
  };
  if (scenario.pool) return planPool({ ...common, attributes: given }, scenario.pool, catalog, profile);

  const once = scenario.steps.map(({ control, before, attributes: own }) => {
    const attributes =
      Object.keys(own).length === 0
        ? usual
        : completeAttributes({ ...given, ...describeSending(scenario), ...own }, catalog.operations, profile);
    const applicable = control ? [] : findRequirements(attributes, requirements);
    const expects = listExpectedResponses(applicable.map(({ then }) => then));
    return { step: { attributes, control, expects, ...(before && { before }) }, applicable };
  });
  const planned = Array.from({ length: scenario.times }, () => once).flat();
  const steps = planned.map(({ step }) => step);
  const stepsOf = new Map<Requirement, number[]>();
  for (const [index, { applicable }] of planned.entries())
    for (const requirement of applicable)
      stepsOf.set(requirement, [...(stepsOf.get(requirement) ?? []), index]);
  // The requirements of one step are in order.
  const found = once.length === 1 ? [...stepsOf.keys()] : inOrder(requirements, [...stepsOf.keys()]);
  const checks = found
    .map((requirement) => ({ requirement, steps: stepsOf.get(requirement) ?? [] }))
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

/** Sorts requirements in the order of `all`. Several may have the same id, but different expectations. */
function inOrder(all: readonly Requirement[], found: readonly Requirement[]): readonly Requirement[] {
  const order = new Map(all.map(({ id }, index) => [id, index]));
  return [...found].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
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
