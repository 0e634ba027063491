import { isNeverAccepted } from '../../catalog/attributes.ts';
import type { Attributes } from '../../catalog/condition.ts';
import { isAboutOneResponse } from '../../catalog/expectation.ts';
import { listExpectedResponses } from '../../exchange/expected-responses.ts';
import {
  findRequirementsOfGenerated,
  type GeneratedKind,
  type GeneratedNumber,
  generatedKinds,
} from '../../exchange/generation.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { isBillable } from '../estimate.ts';
import { jsonTypes } from '../expand-axes.ts';
import type { Plan, PlannedCase } from '../plan.ts';
import { generateCombinations } from './combinations.ts';
import { type GeneratedForm, generators, type PatternKind } from './generators.ts';
import { type Arbitrary, fc } from './values.ts';

/** A generated case with the arbitrary and the seed that generate the same case again. */
export interface GeneratedCase {
  readonly planned: PlannedCase;
  readonly arbitrary: Arbitrary<GeneratedForm>;
  readonly number: GeneratedNumber;
  /** With this seed, the first value of the arbitrary is the case. */
  readonly seed: number;
}

/**
 * Generates `count` cases. Each case is modelled on a case of the plan, or made from points of the scenarios. Returns
 * an empty list if nothing can be generated. The n-th request depends only on the seed, the plan and the promise.
 */
export function generateCases(
  plan: Plan,
  { count, seed }: { readonly count: number; readonly seed: number },
  promise: GatewayPromise,
): GeneratedCase[] {
  const slots = interleave(slotsOf(plan, promise));
  if (slots.length === 0) return [];
  return Array.from({ length: count }, (_, index) =>
    generateCase({ seed, n: index + 1, count }, slots, promise),
  );
}

/**
 * A kind of generated request. `choose` returns an arbitrary and its pattern: the default attributes and phase of the
 * generated request. `selected` is an integer of 0 or more. The index of the pattern is `selected` modulo the number
 * of patterns.
 */
interface Slot {
  readonly kind: GeneratedKind;
  readonly choose: (selected: number) => Pick<Choice, 'arbitrary' | 'pattern'>;
}

interface Choice {
  readonly arbitrary: Arbitrary<GeneratedForm>;
  readonly pattern: Pick<PlannedCase, 'attributes' | 'phase'>;
}

function slotsOf(plan: Plan, promise: GatewayPromise): Slot[] {
  const modelled = patternsOf(plan).map(([kind, [first, ...rest]]): Slot => {
    const choose: Slot['choose'] = (selected) => {
      const pattern = [first, ...rest][selected % (rest.length + 1)] ?? first;
      return { pattern, arbitrary: generators[kind](pattern.attributes, promise) };
    };
    return { kind, choose };
  });
  const arbitrary = generateCombinations(promise);
  const pattern = { attributes: {}, phase: 'requests' } as const;
  return arbitrary
    ? [...modelled, { kind: 'combination', choose: () => ({ arbitrary, pattern }) }]
    : modelled;
}

/**
 * The number of times that each kind occurs in one cycle. Kinds with many possible invalid parts occur more often.
 * Requests to billing-type endpoints are rare, since these endpoints may have a rate limit.
 */
const shares: Readonly<Record<GeneratedKind, number>> = {
  body: 7,
  malformed: 3,
  value: 2,
  model: 3,
  record: 1,
  range: 1,
  prompt: 2,
  'header-name': 1,
  key: 3,
  combination: 7,
};

function interleave(slots: readonly Slot[]): Slot[] {
  const rounds = Array.from({ length: Math.max(...Object.values(shares)) }, (_, round) => round);
  return rounds.flatMap((round) => slots.filter(({ kind }) => shares[kind] > round));
}

function generateCase(
  number: GeneratedNumber,
  slots: readonly Slot[],
  promise: GatewayPromise,
): GeneratedCase {
  const { seed, n } = number;
  const own = hashPair(seed, n);
  const slot = slots[(n - 1) % slots.length];
  if (!slot)
    throw new Error('The list of slots is empty, so no request can be generated. Pass at least one slot.');
  const { kind } = slot;
  const { arbitrary, pattern } = slot.choose(hashPair(own, 1) >>> 0);
  const [form] = fc.sample(arbitrary, { seed: own, numRuns: 1 });
  if (!form)
    throw new Error(
      `The generator of the kind "${kind}" returned no request. Check the \`arbitrary\` of this kind.`,
    );
  const complete = numberOf(form, number);
  return {
    planned: planGenerated(kind, pattern, form, complete, promise),
    arbitrary,
    number: complete,
    seed: own,
  };
}

function planGenerated(
  kind: GeneratedKind,
  pattern: Choice['pattern'],
  form: GeneratedForm,
  number: GeneratedNumber,
  promise: GatewayPromise,
): PlannedCase {
  const attributes = { ...pattern.attributes, ...form.attributes };
  const phase = form.phase ?? pattern.phase;
  const requirements = findRequirementsOfGenerated(attributes, promise.requirements);
  const expects = listExpectedResponses(requirements.map(({ then }) => then));
  return {
    id: `fuzz/${kind}/seed=${number.seed}/n=${number.n}`,
    suite: 'fuzz',
    about: `${abouts[kind]}, generated at random.`,
    // A generated request must not be a control, since other cases depend on controls.
    phase: phase === 'controls' ? 'requests' : phase,
    alone: false,
    attributes: attributes,
    steps: [{ attributes: attributes, control: false, expects, generated: form.generated }],
    checks: requirements.map((requirement) => ({ requirement, steps: [0] })),
    observes: [],
    pool: undefined,
    generatedRequest: number,
    notApplicable: undefined,
  };
}

/** Returns the number of a generated request. Adds the combined attributes if the form has combined attributes. */
export function numberOf({ combined }: GeneratedForm, number: GeneratedNumber): GeneratedNumber {
  return combined ? { ...number, combined } : number;
}

const abouts: Readonly<Record<GeneratedKind, string>> = {
  body: 'A body with one invalid member',
  malformed: 'A body with a JSON syntax error',
  value: 'A JSON body that is not an object',
  model: 'A model ID that does not exist, with unusual characters',
  record: 'A `request_id` that does not exist or is not a UUID',
  range: 'A time range that ends before its start, or with an invalid time',
  prompt: 'A valid body with random texts and without a valid credential',
  'header-name': 'The valid key in a header whose name mixes upper and lower case',
  key: 'A key that differs from the valid key in one place',
  combination: 'A combination of attributes that the suites do not send',
};

/** Hashes two numbers to a signed 32-bit integer. */
export function hashPair(a: number, b: number): number {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) | 0;
}

/** The cases on which generated requests are modelled, by kind. */
export type Patterns = readonly (readonly [PatternKind, readonly [PlannedCase, ...PlannedCase[]]])[];

/**
 * Returns the cases of a plan on which generated requests can be modelled, by kind. These cases are applicable, send
 * one request, are not sent alone, and have a `must` on the response.
 */
export function patternsOf({ cases }: Plan): Patterns {
  const candidates = cases.filter(
    (item) =>
      !item.pool &&
      !item.notApplicable &&
      !item.alone &&
      item.steps.length === 1 &&
      item.checks.some(
        ({ requirement }) => requirement.level === 'must' && isAboutOneResponse(requirement.then),
      ),
  );
  return patternKinds.flatMap((kind) => {
    const [first, ...rest] = candidates.filter((item) => isPatternOf[kind](item.attributes, item));
    return first ? [[kind, [first, ...rest]] as const] : [];
  });
}

const patternKinds = generatedKinds.filter((kind): kind is PatternKind => kind !== 'combination');

const isGood = ({ key, header }: Attributes): boolean => key === 'good' && header === 'any';
const oneOf = (value: string | undefined, ...values: readonly string[]): boolean =>
  value !== undefined && values.includes(value);

const isPatternOf: Readonly<Record<PatternKind, (attributes: Attributes, item: PlannedCase) => boolean>> = {
  body: (attributes) =>
    isGood(attributes) &&
    (oneOf(attributes.fault, 'missing', 'empty') ||
      (attributes.fault === 'wrong-type' && oneOf(attributes.given, ...jsonTypes))),
  malformed: (attributes) => isGood(attributes) && attributes.fault === 'unparseable',
  value: (attributes) =>
    isGood(attributes) && attributes.fault === 'non-object' && oneOf(attributes.given, ...jsonTypes),
  model: (attributes) => isGood(attributes) && attributes.fault === 'none' && attributes.model === 'unlisted',
  // Words are excluded: if the path contains the record ID, a word may be the name of another endpoint.
  record: (attributes) =>
    isGood(attributes) && oneOf(attributes.record, 'random', 'digit-short', 'digit-behind', 'letter-past-f'),
  range: (attributes) =>
    isGood(attributes) &&
    oneOf(
      attributes.range,
      'reversed',
      'reversed-minutes',
      'reversed-seconds',
      'unparseable-start',
      'unparseable-end',
    ),
  // The specification does not require that every prompt is accepted, only that requests without a valid key are
  // rejected.
  prompt: (attributes) =>
    attributes.model === 'good' &&
    attributes.request === 'valid' &&
    isRefused(attributes) &&
    !isBillable(attributes),
  'header-name': (attributes, { phase }) =>
    phase === 'controls' &&
    attributes.key === 'good' &&
    attributes.header !== 'any' &&
    !isBillable(attributes),
  key: (attributes) =>
    attributes.key === 'unknown' && attributes.accepted === 'true' && attributes.request === 'valid',
};

/**
 * Whether the key is missing, empty, or in a place that no operation accepts, or the valid key is in a header that
 * this operation does not accept.
 */
function isRefused({ header, key, accepted }: Attributes): boolean {
  return isNeverAccepted(header) || key === 'empty' || (key === 'good' && accepted === 'false');
}
