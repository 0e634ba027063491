import { listExpectedResponses } from '../plan/expected-responses.ts';
import { findRequirementsOfGenerated, type GeneratedKind, type GeneratedNumber } from '../plan/generation.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import { type GeneratedForm, type GeneratorContext, generators } from './generators.ts';
import { type Patterns, patternsOf } from './patterns.ts';
import { type Arbitrary, fc } from './values.ts';

/** A drawn case, and what it was drawn with: the same seed draws the same again. */
export interface GeneratedCase {
  readonly planned: PlannedCase;
  readonly arbitrary: Arbitrary<GeneratedForm>;
  readonly number: GeneratedNumber;
  /** Of which the arbitrary's first value is the case. */
  readonly seed: number;
}

/**
 * As many cases as are asked for, each like one of the plan; none where the plan has nothing to be like. The n-th of a
 * seed hangs on the seed, the profile and the data of the package, and on nothing else.
 */
export function generateCases(
  plan: Plan,
  { count, seed }: { readonly count: number; readonly seed: number },
  context: GeneratorContext,
): GeneratedCase[] {
  const patterns = inTurn(patternsOf(plan));
  if (patterns.length === 0) return [];
  return Array.from({ length: count }, (_, index) =>
    generateCase({ seed, n: index + 1, count }, patterns, context),
  );
}

/**
 * How often each kind comes before all come again. What can be wrong in many places comes more often, and requests to
 * billing-type endpoints seldom, as these may limit how many are sent.
 */
const shares: Readonly<Record<GeneratedKind, number>> = {
  body: 5,
  malformed: 3,
  value: 2,
  model: 3,
  record: 1,
  range: 1,
  prompt: 2,
  'header-name': 1,
  key: 3,
};

/** The kinds as they take turns. */
function inTurn(patterns: Patterns): Patterns {
  const rounds = Array.from({ length: Math.max(...Object.values(shares)) }, (_, round) => round);
  return rounds.flatMap((round) => patterns.filter(([kind]) => shares[kind] > round));
}

function generateCase(number: GeneratedNumber, patterns: Patterns, context: GeneratorContext): GeneratedCase {
  const { seed, n } = number;
  const own = mix(seed, n);
  const entry = patterns[(n - 1) % patterns.length];
  if (!entry) throw new Error('There is nothing to draw.');
  const [kind, [first, ...rest]] = entry;
  const pattern = [first, ...rest][(mix(own, 1) >>> 0) % (rest.length + 1)] ?? first;
  const arbitrary = generators[kind](pattern.attributes, context);
  const [drawn] = fc.sample(arbitrary, { seed: own, numRuns: 1 });
  if (!drawn) throw new Error(`Nothing of the kind ${kind} was drawn.`);
  return { planned: planGenerated(kind, pattern, drawn, number, context), arbitrary, number, seed: own };
}

function planGenerated(
  kind: GeneratedKind,
  pattern: PlannedCase,
  drawn: GeneratedForm,
  number: GeneratedNumber,
  { catalog }: GeneratorContext,
): PlannedCase {
  const facts = { ...pattern.attributes, ...drawn.facts };
  const requirements = findRequirementsOfGenerated(facts, catalog.requirements);
  const expects = listExpectedResponses(requirements.map(({ then }) => then));
  return {
    id: `fuzz/${kind}/seed=${number.seed}/n=${number.n}`,
    suite: 'fuzz',
    about: `${abouts[kind]}, drawn at random.`,
    // A control is what others rest on, and no drawn request is.
    phase: pattern.phase === 'controls' ? 'requests' : pattern.phase,
    alone: false,
    attributes: facts,
    steps: [{ attributes: facts, control: false, expects, drawing: drawn.drawing }],
    checks: requirements.map((requirement) => ({ requirement, steps: [0] })),
    observes: [],
    pool: undefined,
    drawn: number,
    notApplicable: undefined,
  };
}

const abouts: Readonly<Record<GeneratedKind, string>> = {
  body: 'A body with one fault, at any place',
  malformed: 'A body that is no JSON, broken at any place',
  value: 'A body that is JSON, but no object',
  model: 'A model ID that nobody has, with odd letters',
  record: 'A `request_id` that no record has, or that is no UUID',
  range: 'A time range that ends before it starts, or whose times are none',
  prompt: 'A valid body with any texts, without a credential that counts',
  'header-name': 'A good key in a header whose name has upper and lower case letters',
  key: 'A key that differs from the good one in one place',
};

/** Mixes two numbers into a signed one of 32 bits, which looks like any. */
export function mix(a: number, b: number): number {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) | 0;
}
