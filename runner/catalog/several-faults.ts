import type { RequestPart } from './attributes.ts';
import { type Attributes, type Condition, evaluate } from './condition.ts';
import { type Expectation, isAboutOneResponse } from './expectation.ts';

/** The members of a requirement that matter for a request with several faults. */
interface SingleRequirement {
  readonly level: 'must' | 'should';
  readonly over: 'case' | 'operation' | 'run';
  readonly when: Condition;
  readonly then: Expectation;
}

// A gateway that does not treat a value as a fault may respond in any way, but not with success, since another part is faulty.
const anyRejection: Expectation = {
  kind: 'status',
  status: { members: ['2xx', '401', '5xx'], negated: true },
};
const anyRejectionOrUnauthorized: Expectation = {
  kind: 'status',
  status: { members: ['2xx', '5xx'], negated: true },
};

/**
 * Returns the expectation for a request in which several parts are faulty: the response that one of the faults alone requires,
 * since the specification does not define the order of checks. A fault without a required response of its own permits any
 * status but success and a server error. Returns undefined if fewer than two parts are faulty, or none of them has a required
 * response.
 */
export function expectOneFault(
  parts: readonly RequestPart[],
  attributes: Attributes,
  requirements: readonly SingleRequirement[],
): Expectation | undefined {
  if (attributes.request === 'valid') return undefined;
  const faulty = parts.filter((part) => isFaulty(part, attributes));
  if (faulty.length < 2) return undefined;
  const alternatives: Expectation[] = [];
  const open: string[] = [];
  for (const part of faulty) {
    const own = requirementsOfFault(
      part,
      faulty.filter((other) => other !== part),
      attributes,
      requirements,
    );
    if (own.length === 0) open.push(part.name);
    else alternatives.push(own.length === 1 && own[0] ? own[0] : { kind: 'all', of: own });
  }
  if (alternatives.length === 0) return undefined;
  const unknown = parts.filter((part) => !faulty.includes(part) && isUnknown(part, attributes));
  if ([...open, ...unknown.map(({ name }) => name)].length > 0) {
    const isCredentialOpen = open.includes('credential') || unknown.some(({ name }) => name === 'credential');
    alternatives.push(isCredentialOpen ? anyRejectionOrUnauthorized : anyRejection);
  }
  return { kind: 'any', of: alternatives };
}

/** Whether a part of a request with these attributes is faulty. */
export function isFaulty({ attributes: own }: RequestPart, attributes: Attributes): boolean {
  return own.some(({ name, faultless }) => {
    const value = attributes[name];
    return faultless !== undefined && value !== undefined && !faultless.includes(value);
  });
}

function isUnknown({ attributes: own }: RequestPart, attributes: Attributes): boolean {
  return own.some(({ name, faultless }) => faultless !== undefined && attributes[name] === undefined);
}

function requirementsOfFault(
  part: RequestPart,
  others: readonly RequestPart[],
  attributes: Attributes,
  requirements: readonly SingleRequirement[],
): Expectation[] {
  const alone: Attributes = {
    ...attributes,
    ...Object.fromEntries(
      others.flatMap((other) => other.attributes.map(({ name, usual }) => [name, usual] as const)),
    ),
    ...(part.name === 'credential' && { request: 'valid' }),
  };
  return requirements
    .filter(
      ({ level, over, then, when }) =>
        level === 'must' &&
        over === 'case' &&
        then.kind !== 'one-fault' &&
        isAboutOneResponse(then) &&
        evaluate(when, alone) === true,
    )
    .map(({ then }) => then);
}
