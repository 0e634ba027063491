import { isAboutRequest } from '../catalog/expectation.ts';
import { isObservedOnly, type Requirement } from '../catalog/requirements.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { JudgeContext } from './check-response.ts';
import { appliesTo, judgeRequirement, nothingToJudge, type Verdict } from './judge-requirement.ts';
import { findViolatedDependency, judgeBlocked } from './preconditions.ts';

/** The exchanges of a run, or of one operation, by which pooled requirements are judged. */
export interface Pool {
  readonly exchanges: readonly Exchange[];
  readonly judge: (requirement: Requirement) => Verdict;
  readonly hasMatch: (requirement: Requirement) => boolean;
}

/** Returns the pool of an operation; without an operation, that of the run. */
export type FindPool = (operation: string | undefined) => Pool;

/**
 * Creates the pools of these exchanges. If the specification leaves the response to a request open, only requirements on
 * the request are judged by its exchange.
 */
export function createPools(all: readonly Exchange[], context: JudgeContext): FindPool {
  const observed = new Set(all.filter(({ attributes }) => isObservedOnly(attributes, context.promise)));
  return (operation) => {
    const exchanges =
      operation === undefined ? all : all.filter(({ attributes }) => attributes.operation === operation);
    const responses = exchanges.filter((exchange) => !observed.has(exchange));
    const chosenFor = ({ then }: Requirement): readonly Exchange[] =>
      isAboutRequest(then) ? exchanges : responses;
    return {
      exchanges,
      judge(requirement) {
        const chosen = chosenFor(requirement);
        const verdict = judgeRequirement(requirement, chosen, context);
        if (verdict !== nothingToJudge) return verdict;
        const dependency = findViolatedDependency(requirement, context.promise.requirements, (other) =>
          judgeRequirement(other, chosen, context),
        );
        return dependency === undefined
          ? verdict
          : judgeBlocked('No response contains the value to check.', { requirement: dependency });
      },
      hasMatch: (requirement) => chosenFor(requirement).some((exchange) => appliesTo(requirement, exchange)),
    };
  };
}
