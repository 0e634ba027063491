import { findWorstOutcome } from '../judge/outcome.ts';
import { UsageError } from '../profile/profile.ts';
import type { Report } from '../report/report.ts';
import { summarizeRules } from '../report/summarize.ts';
import type { NamedReport } from './validate-shards.ts';

/**
 * Recomputes outcomes, counts and verdict of a report from its checks, since it may have been changed. Throws UsageError, with
 * the file, if it contains a case or a check twice, since one would hide the other.
 */
export function recomputeReport({ file, report }: NamedReport): Report {
  const known = new Set(report.requirements.map(({ id }) => id));
  const ids = new Set<string>();
  for (const { id, obligations } of report.cases) {
    if (ids.has(id)) throw new UsageError(`${file}: the case "${id}" occurs twice.`);
    ids.add(id);
    const own = new Set<string>();
    for (const { requirement } of obligations) {
      if (own.has(requirement))
        throw new UsageError(`${file}: the case "${id}" has the requirement "${requirement}" twice.`);
      if (!known.has(requirement))
        throw new UsageError(`${file}: the requirement "${requirement}" of the case "${id}" is not listed.`);
      own.add(requirement);
    }
  }
  const cases = report.cases.map((item) => ({
    ...item,
    outcome: findWorstOutcome(item.obligations.map(({ outcome }) => outcome)),
  }));
  return { ...report, cases, ...summarizeRules(report.requirements, cases, report.models) };
}
