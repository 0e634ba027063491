import type { Catalog } from '../catalog/catalog.ts';
import { type Attributes, type Condition, evaluate } from '../catalog/condition.ts';
import { comparesExchanges } from '../catalog/expectation.ts';
import { type Requirement, requirementsFor, type UncheckedEntry } from '../catalog/ledger.ts';
import { isOperationId, type OperationId } from '../catalog/operations.ts';
import { type Phase, phases, type Scenario } from '../catalog/scenarios.ts';
import type { Profile } from '../profile/profile.ts';
import { type NotApplicable, notApplicable, operationNotOffered } from './applicability.ts';
import { completeAttributes, getOperationAttributes } from './complete-attributes.ts';
import { type AxisPoint, expandAxes } from './expand-axes.ts';
import { type ExpectedResponse, expectedResponses } from './expected-responses.ts';
import type { GeneratedNumber, GeneratedParts } from './generation.ts';

/** One request of a case. */
export interface PlannedStep {
  readonly facts: Attributes;
  /** Whether it must succeed before the other steps are sent; it is not judged itself. */
  readonly control: boolean;
  /** The responses that satisfy the checks of this step. */
  readonly expects: readonly ExpectedResponse[];
  /** The parts of the request that were generated; undefined if its facts define all of it. */
  readonly drawing?: GeneratedParts | undefined;
}

/** A requirement that is checked in a case, and the steps that it applies to. */
export interface Obligation {
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
  readonly facts: Attributes;
  readonly steps: readonly PlannedStep[];
  readonly obligations: readonly Obligation[];
  /** Points that the specification leaves open and that this case lets one see. */
  readonly observes: readonly UncheckedEntry[];
  readonly pool:
    | { readonly over: 'operation' | 'run'; readonly operation: OperationId | undefined }
    | undefined;
  /** Set where the request was drawn at random. */
  readonly drawn?: GeneratedNumber | undefined;
  /** Set where the profile lacks what the case needs; it is then planned and counted, but not sent. */
  readonly notApplicable: NotApplicable | undefined;
}

/** What will be sent and judged, in the order of the report. */
export interface Plan {
  readonly cases: readonly PlannedCase[];
}

/** Whether a case is judged and counted; others only let one see what the specification leaves open. */
export function isJudged({ obligations }: PlannedCase): boolean {
  return obligations.length > 0;
}

/** Every case that the suites make of this profile; pure. */
export function plan(catalog: Catalog, profile: Profile): Plan {
  const { requirements, unchecked } = catalog.ledger;
  const context: PlanContext = {
    catalog,
    profile,
    requirements: requirements.filter(({ over }) => over === 'case'),
    observable: unchecked.flatMap((entry) => (entry.when ? [{ entry, when: entry.when }] : [])),
  };
  const cases = catalog.scenarios.flatMap((scenario) =>
    expandAxes(scenario, catalog).flatMap((point) => planCase(scenario, point, context)),
  );
  return inPhases(cases);
}

/** The cases as a plan: by their phases, and in each as they are given. */
export function inPhases(cases: readonly PlannedCase[]): Plan {
  return { cases: phases.flatMap((phase) => cases.filter((item) => item.phase === phase)) };
}

interface PlanContext {
  readonly catalog: Catalog;
  readonly profile: Profile;
  /** The requirements on the exchanges of a case. */
  readonly requirements: readonly Requirement[];
  /** The open points of the specification that a request can show. */
  readonly observable: readonly { readonly entry: UncheckedEntry; readonly when: Condition }[];
}

function planCase(
  scenario: Scenario,
  point: AxisPoint,
  { catalog, profile, requirements, observable }: PlanContext,
): PlannedCase[] {
  const limited = profile.rateLimit?.operation ?? 'usage';
  const bind = (text: string): string =>
    text === 'limited' ? limited : text.replace('operation=limited', `operation=${limited}`);
  const given = Object.fromEntries(
    Object.entries({ ...scenario.send, ...point.attributes }).map(([name, value]) => [name, bind(value)]),
  );
  const complete = (facts: Attributes): Attributes => completeAttributes(facts, catalog.operations, profile);
  if (scenario.where && evaluate(scenario.where, complete(given)) !== true) return [];
  const id = bind([scenario.suite, scenario.id, ...point.names].join('/'));
  const common = {
    id,
    suite: scenario.suite,
    about: scenario.about,
    phase: scenario.phase,
    alone: scenario.alone,
  };
  if (scenario.pool) return [planPool({ ...common, facts: given }, scenario.pool, catalog, profile)];

  const once = scenario.steps.map(({ control, attributes: own }) => {
    const facts = complete({ ...given, ...(scenario.times > 1 && { repeated: 'true' }), ...own });
    const applicable = control ? [] : requirementsFor(facts, requirements);
    const expects = expectedResponses(applicable.map(({ then }) => then));
    return { step: { facts, control, expects }, applicable };
  });
  const planned = Array.from({ length: scenario.times }, () => once).flat();
  const steps = planned.map(({ step }) => step);
  const obligations = inOrder(
    requirements,
    planned.map(({ applicable }) => applicable),
  )
    .map((requirement) => ({
      requirement,
      steps: [...planned.keys()].filter((index) => planned[index]?.applicable.includes(requirement)),
    }))
    .filter(({ requirement, steps }) => steps.length > (comparesExchanges(requirement.then) ? 1 : 0));
  const observed = observable.filter(({ when }) =>
    once.some(({ step: { control, facts } }) => !control && evaluate(when, facts) === true),
  );
  return [
    {
      ...common,
      facts: steps.at(-1)?.facts ?? given,
      steps,
      obligations,
      observes: observed.map(({ entry }) => entry),
      pool: undefined,
      notApplicable: firstDefined(steps.map((step) => notApplicable(step.facts, profile))),
    },
  ];
}

/** What any of the lists has, each of which is in the order of all. */
function inOrder<T>(all: readonly T[], lists: readonly (readonly T[])[]): readonly T[] {
  const [only = []] = lists;
  return lists.length > 1 ? all.filter((item) => lists.some((list) => list.includes(item))) : only;
}

function planPool(
  common: Pick<PlannedCase, 'id' | 'suite' | 'about' | 'phase' | 'alone' | 'facts'>,
  over: 'operation' | 'run',
  catalog: Catalog,
  profile: Profile,
): PlannedCase {
  const id = common.facts.operation ?? '';
  const operation = isOperationId(id) ? id : undefined;
  const facts = operation ? getOperationAttributes(catalog.operations[operation]) : {};
  const obligations = catalog.ledger.requirements
    .filter((requirement) => requirement.over === over && evaluate(requirement.when, facts) !== false)
    .map((requirement) => ({ requirement, steps: [] }));
  return {
    ...common,
    facts,
    steps: [],
    obligations,
    observes: [],
    pool: { over, operation },
    notApplicable: operation ? operationNotOffered(operation, profile) : undefined,
  };
}

function firstDefined<T>(items: readonly (T | undefined)[]): T | undefined {
  return items.find((item) => item !== undefined);
}
