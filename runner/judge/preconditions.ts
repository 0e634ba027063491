import { isOperationId, type Operations } from '../catalog/operations.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import {
  acceptsHeader,
  controlOf,
  type Execution,
  findUnjudgeableStep,
  isHeaderControl,
  isKeyAccepted,
  isValidCall,
} from '../evidence/controls.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { NotApplicable } from '../plan/applicability.ts';
import type { Check, PlannedCase } from '../plan/plan.ts';
import type { Finding } from './finding.ts';
import type { Verdict } from './judge-requirement.ts';
import { isFailed } from './outcome.ts';

/**
 * Returns the verdict for a case that cannot be judged, for example because no control of its operation succeeded;
 * undefined if the case can be judged. Do not call this function for controls. `findViolation` returns a violation by
 * one of the chosen controls or valid calls. If a violation is the reason, the checks of the case are not applicable.
 */
export function checkPreconditions(
  planned: PlannedCase,
  exchanges: readonly Exchange[],
  execution: Execution,
  findViolation: (isChosen: (control: PlannedCase) => boolean) => Violation | undefined,
): Verdict | undefined {
  const { controls } = execution;
  const findControl = (isChosen: (control: PlannedCase) => boolean): Violation | undefined =>
    findViolation((item) => item.phase === 'controls' && isChosen(item));
  const unready = findUnjudgeableStep(planned, controls);
  if (!unready) {
    const unknown =
      exchanges.length === 0 && planned.attributes.model === 'mismatched' && execution.stopped === undefined;
    const { operation } = planned.attributes;
    return unknown
      ? judgeNotApplicable('The profile has no mismatched model.', `models.${operation}.mismatched`)
      : checkStreamedHeader(planned, findViolation);
  }
  for (const { attributes } of planned.steps) {
    const { operation = 'none' } = attributes;
    if (!isOperationId(operation)) continue;
    for (const control of [
      controls.plain.get(operation),
      controlOf(controls, operation, attributes.streamed === 'true'),
    ]) {
      if (control?.kind === 'not-offered') return judgeNotOffered(operation);
      if (control?.kind === 'no-model') return judgeWithoutModel(operation, control);
      if (control?.kind === 'absent' && isKeyAccepted(controls))
        return judgeAbsent(
          operation,
          findControl(({ attributes }) => attributes.operation === operation),
        );
    }
  }
  if (execution.stopped) return judgeInconclusive(execution.stopped.reason);
  if (!isKeyAccepted(controls)) return judgeInconclusive('No control succeeded.');
  const { operation = 'none', streamed = 'false', header } = unready.attributes;
  const ofOperation = findControl(
    ({ attributes }) => attributes.operation === operation && attributes.streamed === streamed,
  );
  const plain = isOperationId(operation) ? controls.plain.get(operation) : undefined;
  if (plain?.kind === 'succeeded' && !acceptsHeader(controls, unready.attributes)) {
    const reason = `${operation} does not accept the valid key in ${header}.`;
    const violation = findControl(
      ({ attributes }) => attributes.operation === operation && attributes.header === header,
    );
    return violation ? judgeBlocked(reason, violation) : judgeInconclusive(reason);
  }
  const form = streamed === 'true' ? 'streamed ' : '';
  return ofOperation
    ? judgeBlocked(`No valid ${form}call to the operation \`${operation}\` succeeded.`, ofOperation)
    : judgeInconclusive(
        `No valid ${form}call to the operation \`${operation}\` succeeded, so the other ${form}responses of this operation cannot be judged.`,
      );
}

/**
 * Returns the verdict for a streamed call that needs a valid key, but is not a valid call, if a valid streamed call
 * with the same header violates a requirement; otherwise undefined. The header may still work in plain calls.
 */
function checkStreamedHeader(
  planned: PlannedCase,
  findViolation: (isChosen: (control: PlannedCase) => boolean) => Violation | undefined,
): Verdict | undefined {
  const { operation, header, key = '', streamed, accepted } = planned.attributes;
  const needsValidKey = accepted === 'true' && ['good', 'depleted'].includes(key) && !isValidCall(planned);
  if (streamed !== 'true' || header === 'any' || !needsValidKey) return undefined;
  const violation = findViolation(
    ({ attributes }) =>
      attributes.operation === operation && attributes.header === header && attributes.streamed === 'true',
  );
  return (
    violation &&
    judgeBlocked(
      `No valid streamed call to the operation \`${operation}\` with ${header} succeeded.`,
      violation,
    )
  );
}

/** Returns the verdict for a control that cannot be judged; undefined if the control can be judged. */
export function checkControlPreconditions(
  planned: PlannedCase,
  { needs }: Requirement,
  execution: Execution,
  operations: Operations,
): Verdict | undefined {
  const { controls, stopped } = execution;
  const exchanges = execution.exchanges.get(planned.id) ?? [];
  const { operation = 'none' } = planned.attributes;
  if (!isOperationId(operation)) return undefined;
  const own = controls.plain.get(operation);
  if (own?.kind === 'not-offered') return judgeNotOffered(operation);
  if (own?.kind === 'no-model') return judgeWithoutModel(operation, own);
  // The control of a streamed call depends on the control of the plain call.
  const control = isHeaderControl(planned) ? own : controls.plain.get(operations[operation].plain);
  if (exchanges.length === 0) {
    return control?.kind === 'absent' && isKeyAccepted(controls)
      ? judgeAbsent(operation)
      : judgeInconclusive(stopped?.reason ?? `No plain call to ${operation} succeeded.`);
  }
  if (control?.kind === 'succeeded') return undefined;
  if (!isKeyAccepted(controls)) return judgeInconclusive(stopped?.reason ?? 'No control succeeded.');
  if (control?.kind === 'unknown-model')
    return judgeInconclusive(`The endpoint of \`${operation}\` exists, but no usable model is known.`);
  if (control?.kind === 'web-page') return judgeInconclusive(`\`${operation}\` returns a web page.`);
  if (needs === 'key') return undefined;
  if (control?.kind === 'absent') return judgeAbsent(operation);
  if (needs === 'endpoint') return undefined;
  return judgeInconclusive(`No valid call to the operation \`${operation}\` succeeded with any header.`);
}

/** Returns the verdict for an operation that the profile does not state and whose default path did not work. */
export function judgeNotOffered(operation: string): Verdict {
  return judgeNotApplicable(
    `The profile does not state the request of \`${operation}\`, and no call to its default path succeeded.`,
    `operations.${operation}`,
  );
}

/**
 * Returns the verdict for a check of a case that cannot be sent to this gateway. If the profile states that the gateway
 * doesn't offer an operation that the specification requires, that is one violation, in the first control of the
 * operation, unless the profile also declares it. What rests on it is not applicable.
 */
export function judgeUnsent(
  { phase, attributes }: Pick<PlannedCase, 'phase' | 'attributes'>,
  { reason, add, notOffered }: NotApplicable,
  requirement: Requirement,
  operations: Operations,
): Verdict {
  const operation = notOffered && operations[notOffered];
  if (!operation?.presence) return judgeNotApplicable(reason, add);
  const isFirst = phase === 'controls' && attributes.header === operation.headers[0];
  if (!isFirst || requirement.id !== operation.presence)
    return judgeBlocked(reason, { requirement: operation.presence });
  if (allowsAbsence(requirement))
    return { outcome: 'deviates', findings: [], reason: undefined, declared: [requirement.id] };
  const finding: Finding = { kind: 'not-offered', request: operation.request ?? operation.id };
  return {
    outcome: 'violates',
    findings: [{ exchange: '', finding }],
    severity: 'valid-request-fails',
    reason: undefined,
  };
}

/** Whether the profile declares that the gateway responds with 404 or 405, as a gateway does without the operation. */
const allowsAbsence = ({ instead }: Requirement): boolean =>
  instead?.kind === 'status' && [404, 405].some((status) => isInStatusSet(instead.status, status));

/** Returns the verdict for an operation without an endpoint. Pass the violation if a control violates a requirement. */
export function judgeAbsent(operation: string, violation?: Violation): Verdict {
  const reason = `The endpoint of \`${operation}\` does not exist.`;
  return violation ? judgeBlocked(reason, violation) : judgeNotApplicable(reason);
}

/** A violation by a control or a valid call: the ID of the requirement, and the ID of the case. */
export interface Violation {
  readonly requirement: string;
  readonly case: string;
}

/** Returns the verdict for a check that cannot be judged because of a violation that another check reports. */
export function judgeBlocked(reason: string, { requirement }: Pick<Violation, 'requirement'>): Verdict {
  const found = `${reason} See the requirement ${requirement}.`;
  return { outcome: 'not-applicable', findings: [], reason: found, dependsOn: requirement };
}

/** Returns the verdict for an operation that can call no known model. */
export function judgeWithoutModel(
  operation: string,
  { pattern }: { readonly pattern?: string | undefined },
): Verdict {
  const member = operation === 'streamGenerate' ? 'generate' : operation;
  const listed =
    pattern === undefined ? '' : `, since the model list has patterns such as ${JSON.stringify(pattern)}`;
  return judgeNotApplicable(
    `No model that ${operation} can call is known${listed}.`,
    `models.${member}.good`,
  );
}

/**
 * Returns the verdict for a check that does not apply to this gateway. `add` is the property to add to the profile so
 * that the check applies.
 */
export function judgeNotApplicable(reason: string, add?: string): Verdict {
  return { outcome: 'not-applicable', findings: [], reason, add };
}

/** Returns the verdict for a check that could not be judged. `reason` is a sentence. */
export function judgeInconclusive(reason: string): Verdict {
  return { outcome: 'inconclusive', findings: [], reason };
}

/**
 * Returns the ID of the first requirement on which a requirement depends, directly or through other requirements, and
 * which is violated or replaced by a declared deviation; undefined if there is none. `judgeOther` judges another requirement by the same
 * exchanges.
 */
export function findViolatedDependency(
  { dependsOn }: Requirement,
  requirements: readonly Requirement[],
  judgeOther: (requirement: Requirement) => Verdict,
): string | undefined {
  for (const id of dependsOn) {
    const other = requirements.find((requirement) => requirement.id === id);
    if (!other) continue;
    if (isUnmet(judgeOther(other))) return id;
    const deeper = findViolatedDependency(other, requirements, judgeOther);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/**
 * Returns the checks of a case. If the response of an inconclusive check violates another requirement, the check
 * becomes not applicable and refers to this requirement. A violated `should` changes only the checks of a `should`.
 */
export function applyDependencies(checks: readonly JudgedCheck[]): readonly JudgedCheck[] {
  const violated = checks.filter(({ verdict }) => isFailed(verdict.outcome));
  if (violated.length === 0) return checks;
  return checks.map((item) => {
    if (item.verdict.outcome !== 'inconclusive') return item;
    const { steps, requirement } = item.check;
    const cause = violated.find(
      ({ check, verdict }) =>
        // A warning does not fail a run, so a warning must not hide that a `must` could not be judged.
        (verdict.outcome === 'violates' || requirement.level === 'should') &&
        check.steps.some((step) => steps.includes(step)),
    );
    if (!cause) return item;
    const { id } = cause.check.requirement;
    return {
      ...item,
      verdict: judgeBlocked('The response violates another requirement.', { requirement: id }),
    };
  });
}

/** Whether the responses violate a requirement, or are what the profile declares instead. */
function isUnmet({ outcome }: Verdict): boolean {
  return isFailed(outcome) || outcome === 'deviates';
}

export interface JudgedCheck {
  readonly check: Check;
  readonly verdict: Verdict;
}
