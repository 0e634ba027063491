import type { Report } from './report.ts';
import { standingOf, undecidedMusts } from './standing.ts';

/** How many requirements are named. */
const shownIds = 6;

/** The `must`s that keep the verdict inconclusive; empty where another thing does, or nothing. */
export function wordUndecided(report: Report): string {
  const isBlocked = report.diagnosis.some(({ operation }) => operation === undefined);
  if (isBlocked || standingOf(report) !== 'inconclusive') return '';
  const ids = undecidedMusts(report);
  const rest = ids.length - shownIds;
  return ids.slice(0, shownIds).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
