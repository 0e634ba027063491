import type { Requirement } from '../catalog/requirements.ts';
import { awaitsControl, isKeyRejected, isTransientPage } from '../evidence/attribution.ts';
import { type Execution, listExchanges } from '../evidence/controls.ts';
import { createBlockCheck, createThrottleCheck, explainLostKey } from '../evidence/guard.ts';
import type { Exchange, Result } from '../exchange/exchange.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { accountLimitReason, mayHaveLimitedAccount } from './account-limit.ts';
import type { JudgeContext } from './check-response.ts';
import type { Evidence } from './decide.ts';
import { explainFailedControl } from './judge-requirement.ts';

/** What the controls of a round, and its other exchanges, say about the causes of a response. */
export interface RunEvidence extends Evidence<{ readonly exchange: Exchange }> {
  /** Whether a server in front of the gateway may have sent a response of a burst. */
  readonly isThrottled: (exchange: Exchange) => boolean;
  /** Returns the exchanges, each attempt as one of its own, that nothing but the gateway explains. */
  readonly listPooled: (cases: readonly PlannedCase[]) => readonly Exchange[];
}

export function createRunEvidence(execution: Execution, context: JudgeContext): RunEvidence {
  const { controls, stopped } = execution;
  const { errors } = context.promise;
  let listed: readonly Exchange[] | undefined;
  const sent = (): readonly Exchange[] => {
    listed ??= listAttempts(execution);
    return listed;
  };
  let throttled: ((exchange: Exchange) => boolean) | undefined;
  const isThrottled = (exchange: Exchange): boolean => {
    throttled ??= createThrottleCheck(sent());
    return throttled(exchange);
  };

  function explain(exchange: Exchange, { transient }: Pick<Requirement, 'transient'>): string | undefined {
    const { controlAfter } = exchange;
    if (controlAfter === 'failed' && isKeyRejected(exchange, errors))
      return explainLostKey(controls) ?? explainFailedControl(exchange);
    if (controlAfter === undefined && stopped && awaitsControl(exchange, errors))
      return (isKeyRejected(exchange, errors) ? explainLostKey(controls) : undefined) ?? stopped.reason;
    return transient === 'judged' && mayHaveLimitedAccount(exchange, sent, context)
      ? accountLimitReason
      : undefined;
  }
  return {
    doubt({ exchange }, requirement) {
      const reason = explain(exchange, requirement);
      return reason === undefined ? undefined : { reason };
    },
    isThrottled,
    listPooled(cases) {
      const isBlocked = createBlockCheck({ cases }, execution);
      return listAttempts(execution, isJudgedAlone).filter(
        (exchange) => !isBlocked(exchange) && !isThrottled(exchange) && !isUnrepeatedPage(exchange),
      );
    },
  };
}

/** Lists the exchanges and, each as an exchange of its own, their earlier results for which `isChosen` returns true. */
function listAttempts(
  execution: Execution,
  isChosen: (earlier: Result, last: Result) => boolean = () => true,
): Exchange[] {
  return listExchanges(execution).flatMap((exchange) => [
    ...exchange.earlier.flatMap((result, index) =>
      isChosen(result, exchange.result)
        ? [{ ...exchange, id: `${exchange.id}~${index + 1}`, result, earlier: [] }]
        : [],
    ),
    exchange,
  ]);
}

/** Whether a result is judged although a later attempt had another result. A page that did not persist is observed. */
function isJudgedAlone(earlier: Result, last: Result): boolean {
  return !isTransientPage(earlier) || isTransientPage(last);
}

/** Whether a request got a page only once, so that nothing shows whether the page persists. */
function isUnrepeatedPage({ attributes, result, earlier }: Exchange): boolean {
  if (!isTransientPage(result) || earlier.some(isTransientPage)) return false;
  // A 429 is the purpose of a burst, whose requests are never repeated.
  return attributes.burst !== 'true' || (result.kind === 'answer' && result.answer.status !== 429);
}
