import type { Catalog } from '../catalog/catalog.ts';
import { type Condition, evaluate, type Facts } from '../catalog/condition.ts';
import { comparesExchanges } from '../catalog/expectation.ts';
import type { Requirement, UncheckedEntry } from '../catalog/ledger.ts';
import { isOperationId, type OperationId } from '../catalog/operations.ts';
import { type Phase, phases, type Scenario } from '../catalog/scenarios.ts';
import type { Profile } from '../profile/profile.ts';
import { type NotApplicable, notApplicable, operationNotOffered } from './applicability.ts';
import { completeFacts, operationFacts } from './complete-facts.ts';
import { expandAxes } from './expand-axes.ts';
import { makeFindHolding } from './find-holding.ts';
import type { Drawing, DrawNumber } from './generation.ts';

/** One request of a case. */
export interface PlannedStep {
  readonly facts: Facts;
  readonly control: boolean;
  /** What was drawn of it at random; undefined of what its facts alone make. */
  readonly drawing?: Drawing | undefined;
}

/** A requirement that a case must show to be kept, and the steps that it speaks of. */
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
  readonly facts: Facts;
  readonly steps: readonly PlannedStep[];
  readonly obligations: readonly Obligation[];
  /** Points that the specification leaves open and that this case lets one see. */
  readonly observes: readonly UncheckedEntry[];
  readonly pool:
    | { readonly over: 'operation' | 'run'; readonly operation: OperationId | undefined }
    | undefined;
  /** Set where the request was drawn at random. */
  readonly drawn?: DrawNumber | undefined;
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
  const due = {
    requirements: makeFindHolding(
      catalog.ledger.requirements.filter(({ over }) => over === 'case'),
      ({ when }) => when,
    ),
    observed: makeFindHolding(
      catalog.ledger.unchecked.filter(({ when }) => when !== undefined),
      ({ when }) => when ?? everything,
    ),
  };
  const cases = catalog.scenarios.flatMap((scenario) =>
    expandAxes(scenario, catalog).flatMap((point) => planCase(scenario, point, catalog, profile, due)),
  );
  return inPhases(cases);
}

/** The cases as a plan: by their phases, and in each as they are given. */
export function inPhases(cases: readonly PlannedCase[]): Plan {
  return { cases: phases.flatMap((phase) => cases.filter((item) => item.phase === phase)) };
}

const everything: Condition = { facts: [], anyOf: [], answer: undefined };

/** What is held against a request of those facts. */
interface Due {
  readonly requirements: (facts: Facts) => readonly Requirement[];
  readonly observed: (facts: Facts) => readonly UncheckedEntry[];
}

function planCase(
  scenario: Scenario,
  point: { readonly names: readonly string[]; readonly facts: Facts },
  catalog: Catalog,
  profile: Profile,
  due: Due,
): PlannedCase[] {
  const limited = profile.rateLimit?.operation ?? 'usage';
  const bind = (text: string): string =>
    text === 'limited' ? limited : text.replace('operation=limited', `operation=${limited}`);
  const given = Object.fromEntries(
    Object.entries({ ...scenario.send, ...point.facts }).map(([name, value]) => [name, bind(value)]),
  );
  const complete = (facts: Facts): Facts => completeFacts(facts, catalog.operations, profile);
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

  const repeats = Array.from({ length: scenario.times }, () => scenario.steps).flat();
  const steps = repeats.map((step) => ({
    facts: complete({ ...given, ...(scenario.times > 1 && { repeated: 'true' }), ...step.facts }),
    control: step.control,
  }));
  const judged = steps.map((step, index) => ({ ...step, index })).filter((step) => !step.control);
  const called = judged.map(({ facts }) => due.requirements(facts));
  const obligations = inOrder(catalog.ledger.requirements, called)
    .map((requirement) => ({
      requirement,
      steps: judged.filter((_, at) => called[at]?.includes(requirement)).map(({ index }) => index),
    }))
    .filter(({ requirement, steps }) => steps.length > (comparesExchanges(requirement.then) ? 1 : 0));
  return [
    {
      ...common,
      facts: steps.at(-1)?.facts ?? given,
      steps,
      obligations,
      observes: inOrder(
        catalog.ledger.unchecked,
        judged.map(({ facts }) => due.observed(facts)),
      ),
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
  const facts = operation ? operationFacts(catalog.operations[operation]) : {};
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
