import type { Attributes } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import { isNeverAccepted } from '../catalog/operations.ts';
import { isBillable } from '../plan/estimate.ts';
import { type GeneratedKind, generatedKinds } from '../plan/generation.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';

/** Cases of the suites that drawn requests of each kind are like: as right in all else, and with the same fault. */
export type Patterns = readonly (readonly [GeneratedKind, readonly [PlannedCase, ...PlannedCase[]]])[];

/**
 * The cases of a plan that requests can be drawn after, by what is drawn of them. What the suites leave out, because the
 * specification leaves it open, is thus not drawn either; nor is what no `must` speaks of, or what the profile lacks.
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

/** Whether requests of each kind can be like one of these facts. */
const isPatternOf: Readonly<Record<GeneratedKind, (facts: Attributes, item: PlannedCase) => boolean>> = {
  body: (facts) => isGood(facts) && oneOf(facts.fault, 'missing', 'wrong-type', 'empty'),
  malformed: (facts) => isGood(facts) && facts.fault === 'unparseable',
  value: (facts) => isGood(facts) && facts.fault === 'non-object',
  model: (facts) => isGood(facts) && facts.fault === 'none' && facts.model === 'unlisted',
  // Words may be names of other endpoints, where the record is named in the path.
  record: (facts) =>
    isGood(facts) && oneOf(facts.record, 'random', 'digit-short', 'digit-behind', 'letter-past-f'),
  range: (facts) => isGood(facts) && !oneOf(facts.range, 'none', 'valid'),
  // That a gateway takes every text is not stated, only that none without its key gets so far.
  prompt: (facts) =>
    facts.model === 'good' && facts.request === 'valid' && isRefused(facts) && !isBillable(facts),
  'header-name': (facts, { phase }) =>
    phase === 'controls' && facts.key === 'good' && facts.header !== 'any' && !isBillable(facts),
  key: (facts) => facts.key === 'unknown' && facts.accepted === 'true' && facts.request === 'valid',
};

/** Whether the credential is none of an operation that takes a body. */
function isRefused({ header, key, accepted }: Attributes): boolean {
  return isNeverAccepted(header) || key === 'empty' || (key === 'good' && accepted === 'false');
}
