import type { Requirement } from '../catalog/requirements.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { SourceContext } from './check-response.ts';
import type { Finding } from './finding.ts';
import { judgeRequirement } from './judge-requirement.ts';
import { isKept } from './outcome.ts';

export interface ViolatedRequirement {
  readonly requirement: string;
  readonly findings: readonly Finding[];
}

/**
 * Returns the requirements that one exchange violates, whatever caused its response. Of pooled requirements, only those
 * that apply to the response count; the others must apply to the request.
 */
export function listViolations(
  requirements: readonly Requirement[],
  exchange: Exchange,
  source: SourceContext,
): ViolatedRequirement[] {
  // One exchange shows no list of the models that can be called.
  const context = { ...source, goodModels: [] };
  return requirements.flatMap((requirement): ViolatedRequirement[] => {
    const { outcome, findings } = judgeRequirement(requirement, [exchange], context);
    return outcome === 'violates'
      ? [{ requirement: requirement.id, findings: findings.map(({ finding }) => finding) }]
      : [];
  });
}

/** Returns whether one exchange violates a requirement; undefined if the requirement could not be judged by it. */
export function isViolated(
  requirement: Requirement,
  exchange: Exchange,
  source: SourceContext,
): boolean | undefined {
  const { outcome } = judgeRequirement(requirement, [exchange], { ...source, goodModels: [] });
  if (outcome === 'violates') return true;
  return isKept(outcome) ? false : undefined;
}
