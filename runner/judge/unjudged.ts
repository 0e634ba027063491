import type { Verdict } from './judge.ts';

/** An operation that was guessed, and isn't there. */
export function notOffered(operation: string): Verdict {
  return notApplicable(
    `The guessed operation ${operation} did not answer a good call with success.`,
    `operations.${operation}`,
  );
}

/** An operation whose endpoint answers as if there were none. */
export function absent(operation: string): Verdict {
  return notApplicable(`The endpoint of ${operation} is absent.`);
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
