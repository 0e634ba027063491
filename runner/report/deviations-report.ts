import { findWorstOutcome, isKept } from '../judge/outcome.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { CaseReport, CheckReport } from './report.ts';
import type { DeviationsReport } from './report-sections.ts';

type Declared = Pick<GatewayPromise, 'deviations'>;

/**
 * Returns the cases of a report, in which the responses to a requirement conform if all of them are as specified, though
 * the profile declares others: the deviation is then stale, and nothing is violated. If only some are, the gateway does
 * not keep what the profile declares.
 */
export function settleDeviations(
  cases: readonly CaseReport[],
  { deviations: { instead } }: Declared,
): readonly CaseReport[] {
  if (instead.size === 0) return cases;
  const needed = new Set(
    cases.flatMap(({ checks }) =>
      checks.flatMap(({ declared = [], requirement }) => (declared.length > 0 ? requirement : [])),
    ),
  );
  const isUnneeded = ({ requirement, findings }: CheckReport): boolean =>
    instead.has(requirement) &&
    !needed.has(requirement) &&
    findings.length > 0 &&
    findings.every(({ finding: { kind } }) => kind === 'not-as-declared' || kind === 'present');
  return cases.map((item) => {
    if (!item.checks.some(isUnneeded)) return item;
    const checks = item.checks.map((check) => (isUnneeded(check) ? conforming(check) : check));
    return { ...item, checks, outcome: findWorstOutcome(checks.map(({ outcome }) => outcome)) };
  });
}

const conforming = ({ requirement }: CheckReport): CheckReport => ({
  requirement,
  outcome: 'conforms',
  findings: [],
});

/** Adds up the deviations of the parts of a run, which declare the same; undefined if they declare none. */
export function addDeviations(all: readonly DeviationsReport[]): DeviationsReport | undefined {
  const [first] = all;
  if (!first) return undefined;
  const sum = (id: string, name: 'used' | 'judged'): number =>
    all.reduce((total, { parts }) => total + (parts.find((part) => part.id === id)?.[name] ?? 0), 0);
  return {
    parts: first.parts.map((part) => ({
      ...part,
      used: sum(part.id, 'used'),
      judged: sum(part.id, 'judged'),
    })),
    problems: [],
  };
}

/** Returns how often each declared part was needed; undefined if the profile declares nothing. */
export function countDeviations(
  cases: readonly CaseReport[],
  { deviations: { parts } }: Declared,
): DeviationsReport | undefined {
  if (parts.length === 0) return undefined;
  const used = new Map<string, number>();
  const judged = new Map<string, number>();
  const add = (counts: Map<string, number>, id: string): unknown => counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const { checks } of cases)
    for (const { requirement, outcome, declared = [] } of checks) {
      for (const id of declared) add(used, id);
      if (isKept(outcome)) add(judged, requirement);
    }
  return {
    parts: parts.map(({ id, about, reason, until, place, requirements }) => ({
      id,
      about,
      ...(reason !== undefined && { reason }),
      ...(until !== undefined && { until }),
      place,
      used: used.get(id) ?? 0,
      judged: requirements.reduce((sum, requirement) => sum + (judged.get(requirement) ?? 0), 0),
    })),
    problems: [],
  };
}
