import type { RequestPart } from './attributes.ts';
import { type Attributes, type Condition, evaluate } from './condition.ts';
import { type Expectation, isAboutOneResponse } from './expectation.ts';

interface SingleRequirement {
  readonly level: 'must' | 'should';
  readonly over: 'case' | 'operation' | 'run';
  readonly when: Condition;
  readonly then: Expectation;
  readonly isOwn?: true;
}

// If no requirement defines the response to an invalid part, a gateway may treat the part as valid. Because another
// part is invalid, the gateway still must not respond with success.
const anyRejection: Expectation = {
  kind: 'status',
  status: { members: ['2xx', '401', '5xx'], negated: true },
};
const anyRejectionOrUnauthorized: Expectation = {
  kind: 'status',
  status: { members: ['2xx', '5xx'], negated: true },
};

/** The keys that a gateway knows, whatever it then allows them. */
const acceptedKeys = ['good', 'depleted', 'foreign'];

/**
 * Returns the expectation for a request with several invalid parts; undefined if fewer than two parts are invalid, or
 * if no invalid part has a required response. The specification does not define which invalid part the gateway must
 * find first, so the required response to any of these parts is accepted. A part is open if no requirement defines the
 * response to the invalid part, or if the attributes do not show whether the part is valid. With an open part, every
 * status except 2xx, 401 and 5xx is accepted too. If the credential is open, 401 is also accepted. Without a known key,
 * not even an error in a stream is accepted.
 */
export function expectOneFault(
  parts: readonly RequestPart[],
  attributes: Attributes,
  requirements: readonly SingleRequirement[],
): Expectation | undefined {
  if (attributes.request === 'valid') return undefined;
  const faulty = parts.filter((part) => isInvalidPart(part, attributes));
  if (faulty.length < 2) return undefined;
  const alternatives: Expectation[] = [];
  const open: string[] = [];
  for (const part of faulty) {
    const own = expectationsOfPart(
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
  // A failed authentication is always 401, so it precedes a stream.
  const isRefused = isCredentialRefused(attributes) && !open.includes('credential');
  return { kind: 'any', of: isRefused ? alternatives.map(withoutSuccess) : alternatives };
}

/** Omits the alternatives of an expectation that only a 2xx response satisfies. */
function withoutSuccess(expectation: Expectation): Expectation {
  if (expectation.kind !== 'any') return expectation;
  const of = expectation.of.filter((item) => !needsSuccess(item));
  return of.length === 1 && of[0] ? of[0] : { ...expectation, of };
}

function needsSuccess(expectation: Expectation): boolean {
  if (expectation.kind === 'all') return expectation.of.some(needsSuccess);
  return (
    expectation.kind === 'status' &&
    !expectation.status.negated &&
    expectation.status.members.join() === '2xx'
  );
}

function isCredentialRefused({ accepted, key = '' }: Attributes): boolean {
  return accepted === 'false' || key === 'none' || !acceptedKeys.includes(key);
}

/**
 * Whether the requirement can define the response to a request with one invalid part: a `must` that applies to a
 * single response and does more than exclude statuses. A requirement that the profile adds can't, since it would change
 * what the specification demands.
 */
export function isAboutSingleFault({ level, over, then, isOwn }: SingleRequirement): boolean {
  const onlyExcludes = then.kind === 'status' && then.status.negated;
  return (
    !isOwn &&
    level === 'must' &&
    over === 'case' &&
    then.kind !== 'one-fault' &&
    !onlyExcludes &&
    isAboutOneResponse(then)
  );
}

/**
 * Whether at least two of the parts are invalid, or may be invalid because an attribute is unknown. Returns false if
 * the attribute `request` is `valid`.
 */
export function canHaveSeveralFaults(parts: readonly RequestPart[], attributes: Attributes): boolean {
  return (
    attributes.request !== 'valid' &&
    parts.filter((part) => isInvalidPart(part, attributes) || isUnknown(part, attributes)).length >= 2
  );
}

/** Whether a known attribute of the request makes the part invalid. */
export function isInvalidPart({ attributes: own }: RequestPart, attributes: Attributes): boolean {
  return own.some(({ name, faultless }) => {
    const value = attributes[name];
    return faultless !== undefined && value !== undefined && !faultless.includes(value);
  });
}

function isUnknown({ attributes: own }: RequestPart, attributes: Attributes): boolean {
  return own.some(({ name, faultless }) => faultless !== undefined && attributes[name] === undefined);
}

function expectationsOfPart(
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
    .filter((requirement) => evaluate(requirement.when, alone) === true && isAboutSingleFault(requirement))
    .map(({ then }) => then);
}
