import { type FindingKind, type FindingTexts, findingKinds, type Treatment } from './finding-kinds.ts';
import type { FailureKind } from './severity.ts';

type Kind = keyof typeof findingKinds;
type DataOf<K extends Kind> = (typeof findingKinds)[K] extends FindingKind<infer Data> ? Data : never;

/** A finding of any kind except `none-of-several`. `finding-kinds.ts` defines the kinds. */
export type SingleFinding = { readonly [K in Kind]: { readonly kind: K } & DataOf<K> }[Kind];

/** One difference between an exchange and the expectation of a requirement. */
export type Finding = SingleFinding | NoneOfSeveral;

/** The differences from each of several allowed responses. */
interface NoneOfSeveral {
  readonly kind: 'none-of-several';
  readonly alternatives: readonly (readonly Finding[])[];
}

type FindingOf<K extends Kind> = Extract<SingleFinding, { kind: K }>;

const kinds: { readonly [K in Kind]: FindingKind<FindingOf<K>> } = findingKinds;

export function textsOf(finding: SingleFinding): FindingTexts {
  return readKind(finding.kind, finding).texts();
}

/** Returns the severity of a finding by itself. */
export function severityOfFinding(finding: SingleFinding): FailureKind {
  return readKind(finding.kind, finding).severity();
}

/** Returns what a finding shows about the request; undefined if the gateway may have served or refused it. */
export function treatmentOf(finding: SingleFinding): Treatment {
  return readKind(finding.kind, finding).treatment();
}

/** Returns the received status if a finding says that it is wrong. */
export function wrongStatusOf(finding: SingleFinding): number | undefined {
  return readKind(finding.kind, finding).status();
}

function readKind<K extends Kind>(
  kind: K,
  finding: FindingOf<K>,
): { readonly [P in keyof FindingKind<unknown>]: () => ReturnType<FindingKind<unknown>[P]> } {
  const { texts, severity, treatment, status } = kinds[kind];
  return {
    texts: () => texts(finding),
    severity: () => severity(finding),
    treatment: () => treatment(finding),
    status: () => status(finding),
  };
}

export type CheckResult =
  | { readonly kind: 'passes' }
  /** The response is what the profile declares instead. `parts` are the IDs of the declared parts. */
  | { readonly kind: 'deviates'; readonly parts: readonly string[] }
  | { readonly kind: 'fails'; readonly findings: readonly Finding[] }
  /** The expectation does not apply, for example because the response lacks the value to check. */
  | { readonly kind: 'nothing-to-check' }
  /** The exchange proves neither conformance nor a violation, for example because the body cannot be read. */
  | { readonly kind: 'undecided'; readonly reason: string };

/** Whether a response is as the specification or the profile says. */
export const isSatisfied = ({ kind }: CheckResult): boolean => kind === 'passes' || kind === 'deviates';

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
  const status = flat.find((finding) => wrongStatusOf(finding) !== undefined);
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

/** Returns the expected and the received value as a sentence without its full stop. Joins alternatives with `or`. */
export function formatFinding(finding: Finding): string {
  return finding.kind === 'none-of-several'
    ? finding.alternatives.map((list) => list.map(formatFinding).join(' and ')).join('; or ')
    : textsOf(finding).message;
}

/** Returns the places in a response that a finding concerns, in all of its alternatives, without duplicates. */
export function placesOf(finding: Finding): string[] {
  if (finding.kind === 'none-of-several') return [...new Set(finding.alternatives.flat().flatMap(placesOf))];
  const { place } = textsOf(finding);
  return place === undefined ? [] : [place];
}
