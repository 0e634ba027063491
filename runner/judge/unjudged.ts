import type { Verdict } from './judge.ts';

/** An operation that was guessed, and isn't there. */
export function notOffered(operation: string): Verdict {
  return notApplicable(
    `The guessed operation ${operation} did not answer a good call with success.`,
    `operations.${operation}`,
  );
}

/** An operation whose endpoint does not exist. */
export function absent(operation: string, violation?: Violation): Verdict {
  const reason = `The endpoint of ${operation} does not exist.`;
  return violation ? blocked(reason, violation) : notApplicable(reason);
}

/** A violation that is reported, and leaves something else without meaning. */
export interface Violation {
  readonly requirement: string;
  readonly case: string;
}

/** What can't be judged because of a violation that is reported already. */
export function blocked(reason: string, { requirement }: Pick<Violation, 'requirement'>): Verdict {
  const found = `${reason} This is reported as ${requirement}.`;
  return { outcome: 'not-applicable', findings: [], reason: found, dependsOn: requirement };
}

/** An operation for which no model is known. */
export function noModel(operation: string): Verdict {
  const member = operation === 'streamGenerate' ? 'generate' : operation;
  return notApplicable(`No model is known that ${operation} can call.`, `models.${member}.good`);
}

/** What does not apply to this gateway, with what to add to the profile for it to. */
export function notApplicable(reason: string, add?: string): Verdict {
  return { outcome: 'not-applicable', findings: [], reason, add };
}

/** What could not be judged. */
export function inconclusive(reason: string): Verdict {
  return { outcome: 'inconclusive', findings: [], reason };
}
