import { groupBy } from '../../common/lists.ts';
import { type Attributes, type Condition, evaluate } from '../catalog/condition.ts';
import { comparesExchanges } from '../catalog/expectation.ts';
import { isOperationId, type OperationId } from '../catalog/operations.ts';
import {
  canApply,
  findRequirements,
  type Requirement,
  type UncheckedClause,
} from '../catalog/requirements.ts';
import { type GatewayChange, type Phase, phases, type Scenario } from '../catalog/scenarios.ts';
import { isAboutSingleFault } from '../catalog/several-faults.ts';
import { createListExpectedResponses, type ExpectedResponse } from '../exchange/expected-responses.ts';
import type { GeneratedNumber, GeneratedParts } from '../exchange/generation.ts';
import type { Profile } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { explainCaseNotApplicable, listModelSegments, type NotApplicable } from './applicability.ts';
import { completeAttributes, getOperationAttributes } from './complete-attributes.ts';
import { type CaseCandidate, listCandidates } from './expand-axes.ts';

export interface PlannedStep {
  readonly attributes: Attributes;
  /** Whether the step is a control. A control must succeed before the later steps are sent, and is not judged. */
  readonly control: boolean;
  /** The forms of response that satisfy the checks. After such a response, the request is not sent again. */
  readonly expects: readonly ExpectedResponse[];
  /** The change to make at the gateway before the request is sent. */
  readonly before?: GatewayChange | undefined;
  /** The generated parts of the request; undefined if the attributes define the whole request. */
  readonly generated?: GeneratedParts | undefined;
}

/** A requirement and the indexes of the steps to which the requirement applies. A pooled case has no steps. */
export interface Check {
  readonly requirement: Requirement;
  readonly steps: readonly number[];
}

/** One case: a combination of the attribute values of a scenario, or a generated request. */
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
  /** The identity of a generated request; undefined for a case of the suites. */
  readonly generatedRequest?: GeneratedNumber | undefined;
  /** The reason why the planned case is not sent; undefined if the case can be sent. */
  readonly notApplicable: NotApplicable | undefined;
}

/** The planned cases, in the order of the report. */
export interface Plan {
  readonly cases: readonly PlannedCase[];
}

/** Whether a case is judged. A case without checks only observes behaviour that the specification leaves open. */
export function hasChecks({ checks }: PlannedCase): boolean {
  return checks.length > 0;
}

/**
 * Plans all cases of the suites for a gateway. By default, a scenario with `defaultCases` has only these cases. With
 * `thorough`, each scenario has all of its cases.
 */
export function plan(
  promise: GatewayPromise,
  { thorough = false }: { readonly thorough?: boolean } = {},
): Plan {
  const { requirements, uncheckedClauses, profile } = promise;
  const context: PlanContext = {
    promise,
    requirements: requirements.filter(({ over }) => over === 'case'),
    ofSingleFaults: requirements.filter(isAboutSingleFault),
    observable: uncheckedClauses.flatMap((entry) => (entry.when ? [{ entry, when: entry.when }] : [])),
    listExpectedResponses: createListExpectedResponses(),
  };
  return sortByPhase(
    promise.scenarios.flatMap((scenario) => {
      const candidates = listCandidates(scenario, promise, { onlyDefault: !thorough }).flatMap((candidate) =>
        repeatForModels(candidate, profile),
      );
      return planScenario(scenario, candidates, context);
    }),
  );
}

/**
 * Plans the cases of a scenario. To save time, first excludes the requirements that cannot apply to any case of the
 * scenario, and then the requirements that cannot apply to any case of an operation.
 */
function planScenario(
  scenario: Scenario,
  candidates: readonly CaseCandidate[],
  context: PlanContext,
): readonly PlannedCase[] {
  const cases = candidates.map((candidate) => ({
    candidate,
    operation: candidate.given.operation ?? 'none',
    requests: listRequests(scenario, candidate, context),
  }));
  const commons = groupBy(cases, ({ operation }) => operation).map(
    ([id, group]) => [id, findCommon(group.flatMap(({ requests }) => requests))] as const,
  );
  const ofScenario = findPossible(context, findCommon(commons.map(([, common]) => common)));
  const possible = new Map(commons.map(([id, common]) => [id, findPossible(ofScenario, common)]));
  return cases.map(({ candidate, operation, requests }) =>
    planCase(scenario, candidate, requests, possible.get(operation) ?? ofScenario),
  );
}

function findCommon(requests: readonly Attributes[]): Attributes {
  return Object.fromEntries(
    Object.entries(requests[0] ?? {}).filter(([name, value]) =>
      requests.every((attributes) => attributes[name] === value),
    ),
  );
}

/** Returns the context with only those `requirements` and `observable` clauses that can apply to the attributes. */
function findPossible(context: PlanContext, common: Attributes): PlanContext {
  return {
    ...context,
    requirements: context.requirements.filter((requirement) => canApply(requirement, common)),
    observable: context.observable.filter(({ when }) => evaluate(when, common) !== false),
  };
}

/** Returns a plan of the cases, sorted by phase. Within a phase, the order of the cases does not change. */
export function sortByPhase(cases: readonly PlannedCase[]): Plan {
  const groups = new Map(groupBy(cases, ({ phase }) => phase));
  return { cases: phases.flatMap((phase) => groups.get(phase) ?? []) };
}

interface PlanContext {
  readonly promise: GatewayPromise;
  readonly requirements: readonly Requirement[];
  /** The requirements that can define the response to a request with one invalid part. */
  readonly ofSingleFaults: readonly Requirement[];
  readonly observable: readonly { readonly entry: UncheckedClause; readonly when: Condition }[];
  readonly listExpectedResponses: ReturnType<typeof createListExpectedResponses>;
}

/** Returns the candidate, or one copy for each model if the profile lists several models for the role. */
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

function listRequests(
  scenario: Scenario,
  { given }: CaseCandidate,
  { promise }: PlanContext,
): readonly Attributes[] {
  return scenario.steps.map(({ attributes: own }) => completeAttributes({ ...given, ...own }, promise));
}

function planCase(
  { suite, about, phase, alone, pool, steps: ofScenario, times }: Scenario,
  { id, given }: CaseCandidate,
  requests: readonly Attributes[],
  { promise, requirements, ofSingleFaults, observable, listExpectedResponses }: PlanContext,
): PlannedCase {
  if (pool) return planPool({ id, suite, about, phase, alone, attributes: given }, pool, promise);

  const once = ofScenario.map(({ control, before }, index) => {
    const attributes = requests[index] ?? given;
    const applicable = control ? [] : findRequirements(attributes, requirements, ofSingleFaults);
    const expects = listExpectedResponses(applicable.map(({ then }) => then));
    return { step: { attributes, control, expects, before }, applicable };
  });
  const planned = Array.from({ length: times }, () => once).flat();
  const steps = planned.map(({ step }) => step);
  const stepsOf = new Map<Requirement, number[]>();
  for (const [index, { applicable }] of planned.entries())
    for (const requirement of applicable) {
      const known = stepsOf.get(requirement);
      if (known) known.push(index);
      else stepsOf.set(requirement, [index]);
    }
  // If the scenario has only one step, the requirements are already in order.
  const found = once.length === 1 ? [...stepsOf.keys()] : inOrder(requirements, [...stepsOf.keys()]);
  const observed = observable.filter(({ when }) =>
    once.some(({ step: { control, attributes } }) => !control && evaluate(when, attributes) === true),
  );
  return {
    id,
    suite,
    about,
    phase,
    alone,
    attributes: steps.at(-1)?.attributes ?? given,
    steps,
    checks: found
      .map((requirement) => ({ requirement, steps: stepsOf.get(requirement) ?? [] }))
      .filter(({ requirement, steps }) => steps.length > (comparesExchanges(requirement.then) ? 1 : 0)),
    observes: observed.map(({ entry }) => entry),
    pool: undefined,
    notApplicable: explainCaseNotApplicable({ steps, pool: undefined }, promise.profile),
  };
}

/** Sorts requirements in the order of `all`. Several requirements can have the same ID but different expectations. */
function inOrder(all: readonly Requirement[], found: readonly Requirement[]): readonly Requirement[] {
  const order = new Map(all.map(({ id }, index) => [id, index]));
  return [...found].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

function planPool(
  common: Pick<PlannedCase, 'id' | 'suite' | 'about' | 'phase' | 'alone' | 'attributes'>,
  over: 'operation' | 'run',
  promise: GatewayPromise,
): PlannedCase {
  const id = common.attributes.operation ?? '';
  const operation = isOperationId(id) ? id : undefined;
  const attributes = operation ? getOperationAttributes(promise.operations[operation]) : {};
  const checks = promise.requirements
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
    notApplicable: explainCaseNotApplicable({ steps: [], pool }, promise.profile),
  };
}
