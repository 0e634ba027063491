import type { FindingGroup } from '../group-findings.ts';
import type { RequirementGroup } from '../group-requirements.ts';
import type { ExchangeReport } from '../report.ts';

/** Why requirements are broken, one reason or several that the same answer is an example of. */
export interface Reason {
  /** What came, and instead of what where one requirement alone is broken. */
  readonly said: readonly string[];
  /** In how many other words the same was found. */
  readonly others: number;
  readonly places: readonly string[];
  readonly cases: readonly string[];
  readonly exchanges: readonly string[];
  /** The cases that judge the requirements, at fault or not. */
  readonly judged: readonly string[];
  readonly example: ExchangeReport | undefined;
  /** What the example should have been. */
  readonly expects: string;
}

/** The reasons for which a group of requirements is broken, the most frequent first. */
export function reasonsOf(group: RequirementGroup): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const { requirement, groups } of group) {
    for (const found of groups) {
      const key = found.example?.id ?? found.symptom;
      const said = group.length > 1 ? found.seen : wordsOf(found);
      const [id, before] = [...reasons].find(([id, one]) => id === key || one.said.includes(said)) ?? [key];
      reasons.set(id, {
        said: distinct(before?.said, [said]),
        others: Math.max(before?.others ?? 0, found.otherMessages),
        places: distinct(before?.places, found.places),
        cases: distinct(before?.cases, found.cases),
        exchanges: distinct(before?.exchanges, found.exchanges),
        judged: distinct(before?.judged, requirement.cases),
        example: before?.example ?? found.example,
        expects: before?.expects ?? requirement.expects,
      });
    }
  }
  return [...reasons.values()].sort((a, b) => b.exchanges.length - a.exchanges.length);
}

/** A finding in words; where it is the whole body, this is shown as what was received. */
export function wordsOf({ message, seen, places }: FindingGroup): string {
  return places.includes('body') ? seen : message;
}

function distinct(before: readonly string[] | undefined, more: readonly string[]): string[] {
  return [...new Set([...(before ?? []), ...more])];
}
