import { type FindingGroup, groupFindings } from './group-findings.ts';
import type { Report, RequirementReport } from './report.ts';

/** A requirement with what broke it. */
export interface RequirementReasons {
  readonly requirement: RequirementReport;
  /** By the reason, the most frequent first; never empty. */
  readonly groups: readonly FindingGroup[];
}

/** Requirements that are broken for the same reason, or by the very same answers. */
export type RequirementGroup = readonly RequirementReasons[];

/** The requirements that are broken otherwise than a baseline expects, in the order of the report; each in one group. */
export function groupRequirements(report: Report, outcome: 'violates' | 'warns'): RequirementGroup[] {
  const groups: RequirementReasons[][] = [];
  for (const requirement of report.requirements.filter((item) => item.outcome === outcome)) {
    const found = groupFindings(report, requirement.id, outcome);
    if (found.length === 0) continue;
    const broken = { requirement, groups: found };
    const alike = groups.find(([first]) => first !== undefined && isAlike(first, broken));
    if (alike) alike.push(broken);
    else groups.push([broken]);
  }
  return groups;
}

function isAlike(one: RequirementReasons, other: RequirementReasons): boolean {
  const [first, second] = [one.groups[0], other.groups[0]];
  if (first && first.symptom === second?.symptom) {
    // A status alone says little: the same one may come of other defects in other parts of a gateway.
    return !first.places.includes('status') || roomOf(one) === roomOf(other);
  }
  const [answers, others] = [exchangesOf(one), exchangesOf(other)];
  return answers.size === others.size && [...answers].every((id) => others.has(id));
}

function roomOf({ requirement }: RequirementReasons): string {
  return requirement.id.split('/', 1)[0] ?? '';
}

function exchangesOf({ groups }: RequirementReasons): Set<string> {
  return new Set(groups.flatMap(({ exchanges }) => exchanges));
}
