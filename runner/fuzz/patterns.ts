import type { Attributes } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import { isNeverAccepted } from '../catalog/operations.ts';
import { isBillable } from '../plan/estimate.ts';
import { type GeneratedKind, generatedKinds } from '../plan/generation.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';

/** For each kind, the cases of the suites that generated requests are modelled on. */
export type Patterns = readonly (readonly [GeneratedKind, readonly [PlannedCase, ...PlannedCase[]]])[];

/**
 * The cases of a plan that generated requests can be modelled on, by kind. A case needs at least one `must` and an
 * applicable profile. Points that the specification leaves open are not in the suites, so they are not generated either.
 */
export function patternsOf({ cases }: Plan): Patterns {
  const fitting = cases.filter(
    (item) =>
      !item.pool &&
      !item.notApplicable &&
      !item.alone &&
      item.steps.length === 1 &&
      item.checks.some(
        ({ requirement }) => requirement.level === 'must' && isAboutOneResponse(requirement.then),
      ),
  );
  return generatedKinds.flatMap((kind) => {
    const [first, ...rest] = fitting.filter((item) => isPatternOf[kind](item.attributes, item));
    return first ? [[kind, [first, ...rest]] as const] : [];
  });
}

const isGood = ({ key, header }: Attributes): boolean => key === 'good' && header === 'any';
const oneOf = (value: string | undefined, ...values: readonly string[]): boolean =>
  value !== undefined && values.includes(value);

/** Whether requests of a kind can be modelled on a case with these attributes. */
const isPatternOf: Readonly<Record<GeneratedKind, (facts: Attributes, item: PlannedCase) => boolean>> = {
  body: (facts) => isGood(facts) && oneOf(facts.fault, 'missing', 'wrong-type', 'empty'),
  malformed: (facts) => isGood(facts) && facts.fault === 'unparseable',
  value: (facts) => isGood(facts) && facts.fault === 'non-object',
  model: (facts) => isGood(facts) && facts.fault === 'none' && facts.model === 'unlisted',
  // Not words: if the path has the id of the record, a word may be the name of another endpoint.
  record: (facts) =>
    isGood(facts) && oneOf(facts.record, 'random', 'digit-short', 'digit-behind', 'letter-past-f'),
  range: (facts) => isGood(facts) && !oneOf(facts.range, 'none', 'valid'),
  // The specification does not say that every prompt is accepted, only that requests without a key are refused.
  prompt: (facts) =>
    facts.model === 'good' && facts.request === 'valid' && isRefused(facts) && !isBillable(facts),
  'header-name': (facts, { phase }) =>
    phase === 'controls' && facts.key === 'good' && facts.header !== 'any' && !isBillable(facts),
  key: (facts) => facts.key === 'unknown' && facts.accepted === 'true' && facts.request === 'valid',
};

/** Whether the request has no valid credential. */
function isRefused({ header, key, accepted }: Attributes): boolean {
  return isNeverAccepted(header) || key === 'empty' || (key === 'good' && accepted === 'false');
}
