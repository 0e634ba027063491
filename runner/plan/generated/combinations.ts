import { groupBy } from '../../../common/lists.ts';
import type { CatalogData } from '../../catalog/catalog.ts';
import type { Attributes } from '../../catalog/condition.ts';
import { requiresSuccess } from '../../catalog/expectation.ts';
import { isOperationId } from '../../catalog/operations.ts';
import { findRequirements, isObservedOnly } from '../../catalog/requirements.ts';
import { type Phase, phases, type Scenario } from '../../catalog/scenarios.ts';
import { isInvalidPart } from '../../catalog/several-faults.ts';
import { findRequirementsOfGenerated } from '../../exchange/generation.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { explainNotApplicable } from '../applicability.ts';
import { completeAttributes } from '../complete-attributes.ts';
import { isBillable, mustAcceptKey } from '../estimate.ts';
import { type CaseCandidate, listCandidates } from '../expand-axes.ts';
import type { GeneratedForm } from './generators.ts';
import { type Arbitrary, fc } from './values.ts';

/** The operation and the phase of a request, and the attributes whose values differ from a usual request. */
interface Point {
  readonly operation: string;
  readonly changes: Attributes;
  readonly phase: Phase;
}

interface CombinationContext {
  readonly promise: GatewayPromise;
  /** The keys (`keyOf`) of the points that a default run sends. */
  readonly sent: ReadonlySet<string>;
  /**
   * The values, such as `accept=any`, that the suites combine with an accepted key. With other values, such as
   * headers of proxies, the specification does not necessarily require the gateway to accept the key.
   */
  readonly withAcceptedKey: ReadonlySet<string>;
}

/** The points of one operation, grouped by the changed part of the request, and then by scenario. */
interface Choices {
  readonly isModelCall: boolean;
  readonly parts: readonly (readonly (readonly Point[])[])[];
}

type CombinedForm = GeneratedForm & Point;

/** On average, one in `pointsPerSingle` searches looks for a single point. All other searches merge two points. */
const pointsPerSingle = 4;
/** The maximum number of attempts to find a new request that can be sent, in total and for one operation. */
const [maxChoices, choicesPerOperation] = [100, 10];

/**
 * Returns an arbitrary of requests that a default run does not send: a point of a scenario, or two merged points of
 * an operation. If the search finds no request, the arbitrary generates the first point that can be sent. The
 * arbitrary shrinks towards fewer attributes. Returns undefined if no point can be sent with this profile.
 */
export function generateCombinations(promise: GatewayPromise): Arbitrary<GeneratedForm> | undefined {
  const sent = new Set<string>();
  const scenarios = promise.scenarios.map((scenario) => {
    const candidates = listCandidates(scenario, promise);
    const points = new Map(candidates.map((candidate) => [candidate, toPoint(candidate, scenario, promise)]));
    for (const [{ isDefault }, point] of points) if (isDefault && point) sent.add(keyOf(point));
    return [...points.values()].filter((point) => point !== undefined);
  });
  const points = scenarios.flat();
  const withKey = points.filter((point) => mustAcceptKey(attributesOf(point, promise)));
  const withAcceptedKey = new Set(withKey.flatMap(valuesOf));
  const context = { promise, sent, withAcceptedKey };
  const ofParts = namesOfParts(promise);
  const names = new Set(points.flatMap(({ changes }) => Object.keys(changes)));
  const others = [...names].filter((name) => !ofParts.flat().includes(name)).map((name) => [name]);
  const choices = groupBy(points, ({ operation }) => operation).map(([operation]) => ({
    isModelCall: isOperationId(operation) && promise.operations[operation].surface === 'model',
    parts: withoutEmpty(
      [...ofParts, ...others].map((part) =>
        withoutEmpty(
          scenarios.map((own) =>
            own.filter(
              (point) => point.operation === operation && part.some((name) => name in point.changes),
            ),
          ),
        ),
      ),
    ),
  }));
  for (const point of points) {
    const form = formOf(point, context);
    if (form) return new Combinations(choices, form, context);
  }
  return undefined;
}

class Combinations extends fc.Arbitrary<CombinedForm> {
  readonly #operations: readonly Choices[];
  readonly #fallback: CombinedForm;
  readonly #context: CombinationContext;

  constructor(choices: readonly Choices[], fallback: CombinedForm, context: CombinationContext) {
    super();
    // Model calls are chosen twice as often: billing-type endpoints may have a rate limit, and the model list has few
    // attributes.
    this.#operations = choices.flatMap((choice) => (choice.isModelCall ? [choice, choice] : [choice]));
    this.#fallback = fallback;
    this.#context = context;
  }

  override generate(random: fc.Random): fc.Value<CombinedForm> {
    const isSingle = random.nextInt(1, pointsPerSingle) === 1;
    let { parts } = pick(this.#operations, random);
    for (let choice = 1; choice <= maxChoices; choice += 1) {
      if (choice % choicesPerOperation === 0) ({ parts } = pick(this.#operations, random));
      const one = pickPoint(parts, random);
      const point = isSingle ? one : merge(one, pickPoint(parts, random), this.#context.promise);
      const form = point && !this.#context.sent.has(keyOf(point)) && formOf(point, this.#context);
      if (form) return new fc.Value(form, undefined);
    }
    return new fc.Value(this.#fallback, undefined);
  }

  override canShrinkWithoutContext(_: unknown): _ is CombinedForm {
    return false;
  }

  override shrink(form: CombinedForm): fc.Stream<fc.Value<CombinedForm>> {
    const smaller = listReductions(form, this.#context.promise)
      .map((changes) => formOf({ ...form, changes }, this.#context))
      .filter((reduced) => reduced !== undefined);
    return fc.Stream.of(...smaller.map((reduced) => new fc.Value(reduced, undefined)));
  }
}

function pick<T>(items: readonly T[], random: fc.Random): T {
  const item = items[random.nextInt(0, items.length - 1)];
  if (item === undefined) throw new Error('The list of items is empty. Pass at least one item.');
  return item;
}

/** Chooses a part of the request, a scenario that changes this part, and a point; each with equal probability. */
function pickPoint(parts: Choices['parts'], random: fc.Random): Point {
  return pick(pick(pick(parts, random), random), random);
}

function withoutEmpty<T>(lists: readonly (readonly T[])[]): (readonly T[])[] {
  return lists.filter((items) => items.length > 0);
}

function keyOf(point: Point): string {
  return [point.operation, ...valuesOf(point).sort()].join(' ');
}

function valuesOf({ changes }: Pick<Point, 'changes'>): string[] {
  return Object.entries(changes).map((entry) => entry.join('='));
}

function attributesOf(
  { operation, changes }: Pick<Point, 'operation' | 'changes'>,
  promise: GatewayPromise,
): Attributes {
  return completeAttributes({ operation, ...changes }, promise);
}

/** Returns the point of a case of one independent, unusual request with a defined response; otherwise undefined. */
function toPoint(
  { given }: CaseCandidate,
  { steps, times, alone, pool, phase }: Scenario,
  promise: GatewayPromise,
): Point | undefined {
  const { operation = 'none', ...own } = { ...given, ...steps[0]?.attributes };
  const isOne = steps.length === 1 && times === 1 && !alone && !pool && phase !== 'controls';
  if (!isOne || !isOperationId(operation)) return undefined;
  const usual = completeAttributes({ operation }, promise);
  const attributes = attributesOf({ operation, changes: own }, promise);
  const changes = Object.fromEntries(Object.entries(own).filter(([name, value]) => usual[name] !== value));
  const isInvalid = promise.attributes.parts.some((part) => isInvalidPart(part, attributes));
  const isDefined = !isObservedOnly(attributes, promise) && (isInvalid || mustSucceed(attributes, promise));
  const canBeSent = Object.keys(changes).length > 0 && !explainNotApplicable(attributes, promise.profile);
  return isDefined && canBeSent ? { operation, changes, phase } : undefined;
}

/** Whether a requirement of level `must` requires a 2xx response to a request with these attributes. */
function mustSucceed(attributes: Attributes, { requirements }: GatewayPromise): boolean {
  return findRequirements(attributes, requirements).some(
    ({ level, over, then }) => level === 'must' && over === 'case' && requiresSuccess(then),
  );
}

/**
 * Merges two points of an operation. If both points change the same part of a request, only the attributes of `other`
 * that belong to no part, such as `accept`, are added. Returns undefined if nothing is added, or if the points cannot
 * be combined.
 */
function merge(one: Point, other: Point, promise: GatewayPromise): Point | undefined {
  const ofParts = namesOfParts(promise);
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
  return isReadable(merged, promise) ? merged : undefined;
}

function namesOfParts({ attributes }: Pick<CatalogData, 'attributes'>): string[][] {
  return attributes.parts.map((part) => part.attributes.map(({ name }) => name));
}

const wholeBodyFaults = ['unparseable', 'empty-body', 'non-object'];

/** Whether an invalid part of the body leaves the model, the stream parameter and the key of the request readable. */
function isReadable({ operation: id, changes }: Point, { operations, profile }: GatewayPromise): boolean {
  if (!isOperationId(id)) return false;
  const { fault = 'none', member, model = 'good', streamed, header } = changes;
  const isInPath = /\{\+?model\}/.test(profile.operations[id]?.path ?? '');
  const namesModel = model !== 'good' && !isInPath;
  if (member === 'model') return !namesModel;
  const isStreamed = streamed === 'true' && operations[id].streams === 'parameter';
  return !wholeBodyFaults.includes(fault) || !(namesModel || isStreamed || header === 'body-member');
}

/**
 * Returns the request of a point; undefined if the request may be billed, cannot be sent, or has no defined response.
 */
function formOf(point: Point, context: CombinationContext): CombinedForm | undefined {
  const { promise, withAcceptedKey } = context;
  const { operation, changes, phase } = point;
  const attributes = attributesOf(point, promise);
  const isDefined =
    !isBillable(attributes) &&
    !isObservedOnly(attributes, promise) &&
    (!mustAcceptKey(attributes) || valuesOf(point).every((value) => withAcceptedKey.has(value))) &&
    !explainNotApplicable(attributes, promise.profile) &&
    findRequirementsOfGenerated(attributes, promise.requirements).length > 0;
  return isDefined ? { operation, changes, phase, attributes, combined: changes } : undefined;
}

/**
 * Lists smaller sets of changes: without the changes of one part, without one other attribute, or with the key in the
 * usual header.
 */
function listReductions({ changes, attributes }: CombinedForm, promise: GatewayPromise): Attributes[] {
  const ofParts = namesOfParts(promise);
  const others = Object.keys(changes).filter((name) => !ofParts.flat().includes(name));
  const header = attributes.accepted === 'true' && changes.key !== undefined ? [['header']] : [];
  return [...ofParts, ...others.map((name) => [name]), ...header]
    .filter((names) => names.some((name) => name in changes))
    .map((names) => Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name))));
}
