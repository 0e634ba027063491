import type { ResponseLocation } from '../catalog/expectation.ts';

/** One difference between an exchange and the expectation of a requirement. `report/findings.ts` formats findings. */
export type Finding =
  | { readonly kind: 'wrong-status'; readonly expected: string; readonly actual: number }
  /** According to the profile, the gateway does not offer the request. No exchange shows it. */
  | { readonly kind: 'not-offered'; readonly request: string }
  /** In every attempt, the gateway closed the connection before a response began. */
  | { readonly kind: 'no-response' }
  | {
      readonly kind: 'wrong-type';
      /** The location of the type; undefined for `/error/type`. */
      readonly place?: ResponseLocation;
      readonly expected: readonly string[];
      readonly actual: unknown;
    }
  | { readonly kind: 'wrong-code'; readonly expected: readonly string[]; readonly actual: unknown }
  | {
      readonly kind: 'not-json';
      readonly place: ResponseLocation;
      readonly actual: string;
      /** The reason why a body that looks like JSON is not JSON, such as `the body is not valid UTF-8`. */
      readonly reason?: string;
    }
  | { readonly kind: 'missing'; readonly place: ResponseLocation }
  | {
      readonly kind: 'wrong-value';
      readonly place: ResponseLocation;
      readonly expected: string;
      readonly actual: unknown;
    }
  | {
      readonly kind: 'breaks-schema';
      readonly place: ResponseLocation;
      readonly schema: string;
      readonly problem: string;
      readonly actual: unknown;
    }
  | {
      readonly kind: 'not-equal';
      readonly place: ResponseLocation;
      readonly actual: unknown;
      readonly other: ResponseLocation;
      readonly expected: unknown;
    }
  | { readonly kind: 'wrong-media-type'; readonly expected: string; readonly actual: string | undefined }
  | { readonly kind: 'names-nothing'; readonly expected: string; readonly message: string }
  /** A successful response to a valid request contains only an error instead of `expected`. */
  | { readonly kind: 'only-error'; readonly expected: 'data' | 'model output'; readonly actual: unknown }
  | { readonly kind: 'model-not-listed'; readonly model: string }
  | { readonly kind: 'model-listed'; readonly model: string }
  | { readonly kind: 'one-part' }
  | { readonly kind: 'no-error-event' }
  | { readonly kind: 'wrong-path'; readonly pattern: string; readonly actual: string }
  | {
      readonly kind: 'wrong-attribute';
      readonly name: string;
      readonly expected: string;
      readonly actual: string | undefined;
      /** The failure from the view of an SDK user; undefined if the finding is not about an SDK call. */
      readonly client?: ClientView;
    }
  | { readonly kind: 'none-of-several'; readonly alternatives: readonly (readonly Finding[])[] }
  | { readonly kind: 'never-happened'; readonly wanted: string; readonly answers: number }
  | { readonly kind: 'happened'; readonly unwanted: string; readonly actual: number }
  | { readonly kind: 'differs'; readonly place: ResponseLocation; readonly values: readonly unknown[] }
  | {
      readonly kind: 'repeats';
      readonly place: ResponseLocation;
      readonly value: unknown;
      readonly times: number;
    };

/** A finding of any kind except `none-of-several`. */
export type SingleFinding = Exclude<Finding, { kind: 'none-of-several' }>;

/** A failure from the view of an SDK user. */
export interface ClientView {
  /** The names and versions of the packages of the SDK. */
  readonly sdk: string;
  /** A detail of the failure, such as `AuthenticationError is raised` or `the response has "x"`. */
  readonly effect?: string;
  /** The IDs of the requirements whose violation causes the failure; empty if no such violation is known. */
  readonly violates: readonly string[];
}

export type CheckResult =
  | { readonly kind: 'passes' }
  | { readonly kind: 'fails'; readonly findings: readonly Finding[] }
  /** The expectation does not apply, for example because the response lacks the value to check. */
  | { readonly kind: 'nothing-to-check' }
  /** The exchange proves neither conformance nor a violation, for example because the body cannot be read. */
  | { readonly kind: 'undecided'; readonly reason: string };

export const passes: CheckResult = { kind: 'passes' };
export const nothingToCheck: CheckResult = { kind: 'nothing-to-check' };

export function fail(...findings: readonly Finding[]): CheckResult {
  return { kind: 'fails', findings };
}

/**
 * Returns the findings that explain why a response is wrong. If the status is wrong, returns only the finding about
 * the status, since the other findings follow from the wrong status. If several responses are allowed, returns the
 * differences from the most similar allowed response.
 */
export function selectMainFindings(findings: readonly Finding[]): readonly SingleFinding[] {
  const flat = findings.flatMap((finding) =>
    finding.kind === 'none-of-several' ? findNearest(finding.alternatives) : [finding],
  );
  const status = flat.find(({ kind }) => kind === 'wrong-status' || kind === 'happened');
  return status ? [status] : flat;
}

/**
 * Returns the differences from the most similar allowed response. A wrong status counts as the largest difference. If
 * every allowed response has another status, returns one finding with all expected statuses.
 */
function findNearest(alternatives: readonly (readonly Finding[])[]): readonly SingleFinding[] {
  const simple = alternatives.map(selectMainFindings);
  const statuses = simple.flatMap(([first]) => (first?.kind === 'wrong-status' ? [first] : []));
  const [status] = statuses;
  if (status && statuses.length === simple.length) {
    return [{ ...status, expected: [...new Set(statuses.map(({ expected }) => expected))].join(' or ') }];
  }
  return simple
    .filter(([first]) => first?.kind !== 'wrong-status')
    .reduce((best, next) => (next.length < best.length ? next : best));
}
