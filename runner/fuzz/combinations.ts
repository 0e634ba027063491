import type { Catalog } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { Expectation } from '../catalog/expectation.ts';
import { isOperationId } from '../catalog/operations.ts';
import { findRequirements, isObservedOnly } from '../catalog/requirements.ts';
import { type Phase, phases, type Scenario } from '../catalog/scenarios.ts';
import { isFaulty } from '../catalog/several-faults.ts';
import { explainNotApplicable } from '../plan/applicability.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import { isBillable } from '../plan/estimate.ts';
import { selectCovering } from '../plan/expand-axes.ts';
import { findRequirementsOfGenerated } from '../plan/generation.ts';
import { type CaseCandidate, listCandidates } from '../plan/plan.ts';
import { groupBy } from '../text/lists.ts';
import type { GeneratedForm, GeneratorContext } from './generators.ts';
import { type Arbitrary, fc } from './values.ts';

/** A point of a scenario: a request with the attributes in which it differs from a usual one of its operation. */
interface Point {
  readonly operation: string;
  readonly changes: Attributes;
  readonly phase: Phase;
}

/** The points of each scenario for one operation. */
interface Choices {
  readonly isModelCall: boolean;
  readonly scenarios: readonly (readonly Point[])[];
}

/** A generated combination. */
interface CombinedForm extends GeneratedForm, Point {
  readonly phase: Phase;
}

/** One of this number of combinations is a single point, whose attributes the axes of its scenario combine. */
const pointsPerSingle = 4;
/** How often other points are chosen if a combination can't be sent, or is a request of the suites. */
const maxChoices = 100;

/**
 * Returns an arbitrary of points of the scenarios that the suites do not send, and of two points of an operation in one request.
 * It shrinks towards fewer attributes. Undefined if the profile has no point that can be sent.
 */
export function combinations(context: GeneratorContext): Arbitrary<GeneratedForm> | undefined {
  const { catalog, profile } = context;
  const sent = new Set<string>();
  const scenarios = catalog.scenarios.map((scenario) => {
    const candidates = listCandidates(scenario, catalog, profile);
    const points = new Map(candidates.map((candidate) => [candidate, toPoint(candidate, scenario, context)]));
    for (const candidate of selectCovering(candidates, scenario)) {
      const point = points.get(candidate);
      if (point) sent.add(keyOf(point));
    }
    return [...points.values()].filter((point) => point !== undefined);
  });
  const choices = groupBy(scenarios.flat(), ({ operation }) => operation).map(([operation]) => ({
    isModelCall: isOperationId(operation) && catalog.operations[operation].surface === 'model',
    scenarios: scenarios
      .map((points) => points.filter((point) => point.operation === operation))
      .filter((points) => points.length > 0),
  }));
  const first = firstDefined(scenarios.flat(), (point) => formOf(point, context));
  return first && new Combinations(choices, sent, first, context);
}

/** Billing-type endpoints may have a rate limit, and the model list has little to combine. */
const weighted = (choices: readonly Choices[]): Choices[] =>
  choices.flatMap((choice) => (choice.isModelCall ? [choice, choice] : [choice]));

class Combinations extends fc.Arbitrary<CombinedForm> {
  readonly #operations: readonly Choices[];
  readonly #sent: ReadonlySet<string>;
  readonly #fallback: CombinedForm;
  readonly #context: GeneratorContext;

  constructor(
    choices: readonly Choices[],
    sent: ReadonlySet<string>,
    fallback: CombinedForm,
    context: GeneratorContext,
  ) {
    super();
    this.#operations = weighted(choices);
    this.#sent = sent;
    this.#fallback = fallback;
    this.#context = context;
  }

  override generate(random: fc.Random): fc.Value<CombinedForm> {
    const isSingle = random.nextInt(1, pointsPerSingle) === 1;
    for (let choice = 0; choice < maxChoices; choice += 1) {
      const { scenarios } = pick(this.#operations, random);
      const one = pick(pick(scenarios, random), random);
      const point = isSingle ? one : merge(one, pick(pick(scenarios, random), random), this.#context);
      const form = point && !this.#sent.has(keyOf(point)) && formOf(point, this.#context);
      if (form) return new fc.Value(form, undefined);
    }
    return new fc.Value(this.#fallback, undefined);
  }

  override canShrinkWithoutContext(_: unknown): _ is CombinedForm {
    return false;
  }

  override shrink(form: CombinedForm): fc.Stream<fc.Value<CombinedForm>> {
    const smaller = listReductions(form, this.#context).flatMap((changes) => {
      const reduced = formOf({ ...form, changes }, this.#context);
      return reduced ? [new fc.Value(reduced, undefined)] : [];
    });
    return fc.Stream.of(...smaller);
  }
}

function pick<T>(items: readonly T[], random: fc.Random): T {
  const item = items[random.nextInt(0, items.length - 1)];
  if (item === undefined) throw new Error('No item to choose from.');
  return item;
}

function keyOf({ operation, changes }: Point): string {
  const entries = Object.entries(changes).map((entry) => entry.join('='));
  return [operation, ...entries.sort()].join(' ');
}

/**
 * Returns a point that consists of one request, or undefined. Requests in a row are left out, since they depend on each other or
 * on a control of their own, and so are controls, bursts and repeated requests.
 */
function toPoint(
  { given }: CaseCandidate,
  { steps, times, alone, pool, phase }: Scenario,
  { catalog, profile }: GeneratorContext,
): Point | undefined {
  const { operation = 'none', ...own } = { ...given, ...steps[0]?.attributes };
  const isOne = steps.length === 1 && times === 1 && !alone && !pool && phase !== 'controls';
  if (!isOne || !isOperationId(operation)) return undefined;
  const usual = completeAttributes({ operation }, catalog.operations, profile);
  const attributes = completeAttributes({ operation, ...own }, catalog.operations, profile);
  const changes = Object.fromEntries(Object.entries(own).filter(([name, value]) => usual[name] !== value));
  const isDefined =
    !isObservedOnly(attributes, catalog) &&
    !explainNotApplicable(attributes, profile) &&
    (hasFault(attributes, catalog) || mustSucceed(attributes, catalog));
  return isDefined && Object.keys(changes).length > 0 ? { operation, changes, phase } : undefined;
}

function hasFault(attributes: Attributes, { attributes: { parts } }: Catalog): boolean {
  return parts.some((part) => isFaulty(part, attributes));
}

/** Whether a `must` requires success. Without it, a gateway may reject the request, which then has a second fault. */
function mustSucceed(attributes: Attributes, { requirements }: Catalog): boolean {
  return findRequirements(attributes, requirements).some(
    ({ level, over, then }) => level === 'must' && over === 'case' && isSuccess(then),
  );
}

function isSuccess(then: Expectation): boolean {
  return then.kind === 'status' && !then.status.negated && then.status.members.every((one) => one === '2xx');
}

/**
 * Merges two points. If both have changes of the same part of a request, only those attributes are taken from the other one that
 * belong to no part, such as `accept`. Returns undefined if nothing is added, or if the points can't be combined.
 */
function merge(one: Point, other: Point, context: GeneratorContext): Point | undefined {
  const ofParts = namesOfParts(context);
  const areApart = ofParts.every(
    (names) => !names.some((name) => name in one.changes) || !names.some((name) => name in other.changes),
  );
  const added = Object.entries(other.changes).filter(
    ([name]) => !(name in one.changes) && (areApart || !ofParts.flat().includes(name)),
  );
  if (added.length === 0) return undefined;
  const changes = { ...one.changes, ...Object.fromEntries(added) };
  const phase = phases.indexOf(one.phase) > phases.indexOf(other.phase) ? one.phase : other.phase;
  const merged = { operation: one.operation, changes, phase };
  return isReadable(merged, context) ? merged : undefined;
}

function namesOfParts({ catalog: { attributes } }: GeneratorContext): string[][] {
  return attributes.parts.map((part) => part.attributes.map(({ name }) => name));
}

const wholeBodyFaults = ['unparseable', 'empty-body', 'non-object'];

/** Whether the gateway can read the model, the stream parameter and the key that a body contains, although it is faulty. */
function isReadable({ operation: id, changes }: Point, { catalog, profile }: GeneratorContext): boolean {
  if (!isOperationId(id)) return false;
  const { fault = 'none', member, model = 'good', streamed, header } = changes;
  const isInPath = /\{\+?model\}/.test(profile.operations[id]?.path ?? '');
  const namesModel = model !== 'good' && !isInPath;
  if (member === 'model') return !namesModel;
  const isStreamed = streamed === 'true' && catalog.operations[id].streams === 'parameter';
  return !wholeBodyFaults.includes(fault) || !(namesModel || isStreamed || header === 'body-member');
}

/** Returns the request of a point, or undefined if it may be billed or if no `must` defines its response. */
function formOf(point: Point, { catalog, profile }: GeneratorContext): CombinedForm | undefined {
  const { operation, changes, phase } = point;
  const attributes = completeAttributes({ operation, ...changes }, catalog.operations, profile);
  const isDefined =
    !isBillable(attributes) &&
    !isObservedOnly(attributes, catalog) &&
    !explainNotApplicable(attributes, profile) &&
    findRequirementsOfGenerated(attributes, catalog.requirements).length > 0;
  return isDefined ? { operation, changes, phase, attributes, combined: changes } : undefined;
}

/** Lists the changes of a point without those of one part, or with the first header if the operation accepts the key in its header. */
function listReductions({ changes, attributes }: CombinedForm, context: GeneratorContext): Attributes[] {
  const ofParts = namesOfParts(context);
  const others = Object.keys(changes).filter((name) => !ofParts.flat().includes(name));
  const header = attributes.accepted === 'true' && changes.key !== undefined ? [['header']] : [];
  return [...ofParts, ...others.map((name) => [name]), ...header]
    .filter((names) => names.some((name) => name in changes))
    .map((names) => Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name))));
}

function firstDefined<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
