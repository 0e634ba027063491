import { isOperationId, type Operations } from '../catalog/operations.ts';
import type { Obligation, PlannedCase } from '../plan/plan.ts';
import { controlOf, isHeaderControl, keyAccepted, takesHeader } from '../send/controls.ts';
import type { Exchange } from '../send/exchange.ts';
import type { Execution } from '../send/execute.ts';
import { findUnready } from '../send/ready.ts';
import type { Verdict } from './judge.ts';
import {
  absent,
  blocked,
  inconclusive,
  noModel,
  notApplicable,
  notOffered,
  type Violation,
} from './unjudged.ts';

/**
 * Why a case that isn't a control can't be judged, as the controls of its operations show. `violationIn` finds what one of
 * the chosen controls violates: that is reported once, and whatever depends on it is not applicable.
 */
export function gateCase(
  planned: PlannedCase,
  exchanges: readonly Exchange[],
  execution: Execution,
  violationIn: (isIt: (control: PlannedCase) => boolean) => Violation | undefined,
): Verdict | undefined {
  const { controls } = execution;
  const unready = findUnready(planned, controls);
  if (!unready) {
    const unknown =
      exchanges.length === 0 && planned.facts.model === 'mismatched' && execution.stopped === undefined;
    const { operation } = planned.facts;
    return unknown
      ? notApplicable(`No mismatched model of ${operation} is known.`, `models.${operation}.mismatched`)
      : undefined;
  }
  for (const { facts } of planned.steps) {
    const { operation = 'none' } = facts;
    if (!isOperationId(operation)) continue;
    for (const control of [
      controls.plain.get(operation),
      controlOf(controls, operation, facts.streamed === 'true'),
    ]) {
      if (control?.kind === 'not-offered') return notOffered(operation);
      if (control?.kind === 'no-model') return noModel(operation);
      if (control?.kind === 'absent' && keyAccepted(controls))
        return absent(
          operation,
          violationIn(({ facts }) => facts.operation === operation),
        );
    }
  }
  if (execution.stopped) return inconclusive(execution.stopped.reason);
  if (!keyAccepted(controls)) return inconclusive('The good key was accepted nowhere.');
  const { operation = 'none', streamed = 'false', header } = unready.facts;
  const ofOperation = violationIn(
    ({ facts }) => facts.operation === operation && facts.streamed === streamed,
  );
  const plain = isOperationId(operation) ? controls.plain.get(operation) : undefined;
  if (plain?.kind === 'succeeded' && !takesHeader(controls, unready.facts)) {
    const reason = `${operation} does not accept the good key in ${header}.`;
    const violation = violationIn(({ facts }) => facts.operation === operation && facts.header === header);
    return violation ? blocked(reason, violation) : inconclusive(reason);
  }
  const call = streamed === 'true' ? 'streamed call' : 'call';
  return ofOperation
    ? blocked(`No good ${call} of ${operation} succeeds.`, ofOperation)
    : inconclusive(`No good ${call} of ${operation} succeeded, so its errors may have any cause.`);
}

/** Why a good call can't be judged. What speaks of an endpoint's presence or success needs the key to be good elsewhere. */
export function gateControl(
  planned: PlannedCase,
  { requirement }: Obligation,
  exchanges: readonly Exchange[],
  execution: Execution,
  operations: Operations,
): Verdict | undefined {
  const { controls, stopped } = execution;
  const { operation = 'none' } = planned.facts;
  if (!isOperationId(operation)) return undefined;
  const own = controls.plain.get(operation);
  if (own?.kind === 'not-offered') return notOffered(operation);
  if (own?.kind === 'no-model') return noModel(operation);
  // A streamed call is held against the plain one.
  const control = isHeaderControl(planned) ? own : controls.plain.get(operations[operation].plain);
  if (exchanges.length === 0) {
    return control?.kind === 'absent' && keyAccepted(controls)
      ? absent(operation)
      : inconclusive(stopped?.reason ?? `No plain call of ${operation} succeeded.`);
  }
  if (control?.kind === 'succeeded') return undefined;
  if (!keyAccepted(controls)) return inconclusive(stopped?.reason ?? 'The good key was accepted nowhere.');
  if (control?.kind === 'unknown-model')
    return inconclusive(`The endpoint of ${operation} exists, but no model is known that it can call.`);
  if (control?.kind === 'web-page') return inconclusive(`A web page answers at the path of ${operation}.`);
  if (requirement.needs === 'key') return undefined;
  if (control?.kind === 'absent') return absent(operation);
  if (requirement.needs === 'endpoint') return undefined;
  return inconclusive(`No good call of ${operation} succeeded with any header.`);
}
