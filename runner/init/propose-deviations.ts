import { formatYamlLine } from '../../common/data-file.ts';
import { type ErrorKind, errorKinds } from '../catalog/errors.ts';
import type { Expectation } from '../catalog/expectation.ts';
import type { Finding } from '../judge/finding.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { CheckReport, Report } from '../report/report.ts';

/** A deviation that a gateway may promise, with the number of checks that showed it. */
export type ProposedDeviation = { readonly seen: number } & (
  | { readonly kind: ErrorKind; readonly name: string; readonly own: OwnError }
  | { readonly requirement: string }
);

/** What a gateway sends instead of an error of the specification. */
export interface OwnError {
  readonly name?: string;
  readonly status?: number;
}

/**
 * Returns what the gateway did instead of the specification, the same each time: its own names and statuses of errors, and
 * members and headers that are always absent. A response that lets a request through or fails is never proposed.
 */
export function proposeDeviations(
  { cases }: Report,
  { errors, requirements }: Pick<GatewayPromise, 'errors' | 'requirements'>,
): readonly ProposedDeviation[] {
  const checks = cases.flatMap((item) => item.checks);
  const demanded = new Map(requirements.map(({ id, then }) => [id, demandedError(then)]));
  return [
    ...errorKinds.flatMap((kind) =>
      [...errors[kind].keys()].flatMap((name) => {
        const own = checks.filter(({ requirement }) => demanded.get(requirement) === `${kind} ${name}`);
        return proposeName(kind, name, own) ?? [];
      }),
    ),
    ...proposeAbsent(checks),
  ];
}

/** Returns the one error that a response must have, as in `types invalid_api_key`. */
function demandedError(then: Expectation): string | undefined {
  for (const part of then.kind === 'all' ? then.of : [then]) {
    if (part.kind === 'type' && part.among === 'all' && part.types.length === 1)
      return `types ${part.types[0]}`;
    if (part.kind === 'code' && part.codes.length === 1) return `codes ${part.codes[0]}`;
  }
  return undefined;
}

function proposeName(
  kind: ErrorKind,
  name: string,
  checks: readonly CheckReport[],
): ProposedDeviation | undefined {
  const seen = checks
    .filter(({ outcome }) => outcome === 'violates' || outcome === 'conforms')
    .map(({ findings }) =>
      readOwnError(
        name,
        findings.map(({ finding }) => finding),
      ),
    );
  const [own] = seen;
  const isSame = seen.every((one) => one && own && one.name === own.name && one.status === own.status);
  return own && isSame && (own.name !== undefined || own.status !== undefined)
    ? { kind, name, own, seen: seen.length }
    : undefined;
}

/** Returns what a response has instead of an error; undefined if a gateway cannot promise this. */
function readOwnError(name: string, findings: readonly Finding[]): OwnError | undefined {
  const own: { name?: string; status?: number } = {};
  for (const finding of findings) {
    if (finding.kind === 'wrong-status') {
      if (finding.actual < 400 || finding.actual >= 500) return undefined;
      own.status = finding.actual;
    } else if (finding.kind === 'wrong-type' || finding.kind === 'wrong-code') {
      if (typeof finding.actual !== 'string') return undefined;
      if (finding.actual !== name) own.name = finding.actual;
    } else return undefined;
  }
  return own;
}

/** The requirements that each response violates by leaving out one member or header. */
function proposeAbsent(checks: readonly CheckReport[]): readonly ProposedDeviation[] {
  const byRequirement = new Map<string, CheckReport[]>();
  for (const check of checks) {
    if (check.outcome === 'inconclusive' || check.outcome === 'not-applicable') continue;
    byRequirement.set(check.requirement, [...(byRequirement.get(check.requirement) ?? []), check]);
  }
  return [...byRequirement].flatMap(([requirement, own]) => {
    const isAlwaysAbsent = own.every(
      ({ outcome, findings }) =>
        outcome === 'violates' && findings.every(({ finding }) => finding.kind === 'missing'),
    );
    return isAlwaysAbsent ? [{ requirement, seen: own.length }] : [];
  });
}

/** Formats proposed deviations as the comments of a profile. */
export function formatProposals(proposed: readonly ProposedDeviation[]): string {
  if (proposed.length === 0) return '';
  const names = proposed.filter((one) => 'kind' in one);
  const absent = proposed.filter((one) => 'requirement' in one);
  const lines = [
    'What the gateway did instead of the specification, the same each time. If its documentation promises this, remove',
    'the `#` and state the source: the suite then tests the promise.',
    'deviations:',
    ...errorKinds.flatMap((kind) => {
      const own = names.filter((one) => one.kind === kind);
      return own.length === 0
        ? []
        : [
            `  - ${kind}:`,
            ...own.map(({ name, own: { name: text, status }, seen }) => {
              const members = [
                ...(text === undefined ? [] : [`name: ${formatYamlLine(text)}`]),
                ...(status === undefined ? [] : [`status: ${status}`]),
              ];
              const value = status === undefined ? formatYamlLine(text) : `{ ${members.join(', ')} }`;
              return `      ${name}: ${value}  # seen in ${seen} checks`;
            }),
            '    reason: …',
          ];
    }),
    ...absent.flatMap(({ requirement, seen }) => [
      `  - requirement: ${requirement}`,
      `    instead: absent  # seen in ${seen} checks`,
      '    reason: …',
    ]),
  ];
  return `\n${lines.map((line) => `# ${line}\n`).join('')}`;
}
