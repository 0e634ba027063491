import { answerOf } from '../transport/exchange.ts';
import {
  type AspectResult,
  findRequiredStatus,
  findViolations,
  isErrorAspect,
  judgeErrorAspect,
  type RejectedCallContext,
} from './judge-error.ts';
import {
  conformsVerdict,
  createFinding,
  failedVerdict,
  inconclusiveVerdict,
  judgeIncomplete,
  notApplicableVerdict,
  type SdkCallResult,
  type SdkVerdict,
} from './judge-valid-call.ts';
import type { SdkRequirement } from './sdk-spec.ts';

/** Judges a call that the gateway must reject; returns a verdict for each requirement, in order. */
export function judgeRejectedCall(
  requirements: readonly SdkRequirement[],
  result: SdkCallResult,
  context: RejectedCallContext,
): SdkVerdict[] {
  const exchange = result.exchanges.at(-1);
  const answer = exchange && answerOf(exchange);
  const violations = exchange ? findViolations(exchange, context.spec.refusals, context) : [];
  const requiredStatus = findRequiredStatus(violations);
  const incomplete = requiredStatus === undefined ? judgeIncomplete(result) : undefined;
  if (incomplete || !exchange || !answer)
    return requirements.map(() => incomplete ?? inconclusiveVerdict('No response was received.'));
  const rejected = { result, context, exchange, answer, violations, requiredStatus };
  const aspects = new Map(
    requirements.flatMap(({ id }) =>
      isErrorAspect(id) ? [[id, judgeErrorAspect(id, rejected)] as const] : [],
    ),
  );
  return requirements.map((requirement): SdkVerdict => {
    const { id } = requirement;
    if (isErrorAspect(id)) return createAspectVerdict(requirement, aspects.get(id));
    if (id === 'clients/error-understood') return judgeErrorUnderstood(requirement, [...aspects.values()]);
    return result.outcome.kind === 'raised'
      ? conformsVerdict
      : failedVerdict(
          requirement,
          createFinding(result, { fact: 'the streamed call', expected: 'rejected', actual: 'no error' }),
        );
  });
}

/**
 * Creates the verdict for an aspect, which fails only if the gateway causes it. Information that only an SDK loses is judged by
 * clients/error-understood.
 */
function createAspectVerdict(requirement: SdkRequirement, aspect: AspectResult | undefined): SdkVerdict {
  if (aspect?.kind === 'undecided') return aspect.verdict;
  if (aspect?.kind === 'lost' && aspect.loss.violates.length > 0)
    return failedVerdict(requirement, aspect.loss.finding);
  return conformsVerdict;
}

function judgeErrorUnderstood(requirement: SdkRequirement, aspects: readonly AspectResult[]): SdkVerdict {
  const losses = aspects.flatMap((item) => (item.kind === 'lost' ? [item.loss] : []));
  const causedBySdk = losses.filter(({ violates }) => violates.length === 0);
  if (causedBySdk.length > 0) return failedVerdict(requirement, ...causedBySdk.map((loss) => loss.finding));
  if (losses.length > 0) return notApplicableVerdict('The response itself is wrong.');
  const undecided = aspects.find((item) => item.kind === 'undecided');
  return undecided?.kind === 'undecided' ? undecided.verdict : conformsVerdict;
}
