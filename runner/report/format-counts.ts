import { pluralize } from '../text/lists.ts';
import { type Cause, countOf } from './causes/causes.ts';
import { standingOf, undecidedMusts } from './exit-code.ts';
import type { Counts } from './models-report.ts';
import type { ClientDutyReport, ExchangeReport, RecordingReport, Report } from './report.ts';

/** What became of a client's duty: `observed` where it is told without being a fault. */
export type DutyOutcome = 'kept' | 'violated' | 'warned' | 'observed' | 'not seen';

export function dutyOutcome({ level, kept, broken }: ClientDutyReport): DutyOutcome {
  if (broken === 0) return kept > 0 ? 'kept' : 'not seen';
  return level === 'must' ? 'violated' : level === 'should' ? 'warned' : 'observed';
}

/** How many exchanges there were, and how many were judged. */
export function formatExchanges({ exchanges, judged }: RecordingReport): string {
  return `${pluralize(exchanges, 'exchange')}, ${judged} judged`;
}

/** How often a duty was broken, of all occasions. */
export function formatBroken({ kept, broken }: ClientDutyReport): string {
  return `broken in ${broken} of ${kept + broken}`;
}

/** The duties of which there is something to tell, the worst first. */
export function brokenDuties({ client }: RecordingReport): readonly ClientDutyReport[] {
  const order: readonly DutyOutcome[] = ['violated', 'warned', 'observed'];
  const broken = (client?.duties ?? []).filter((duty) => duty.broken > 0);
  return broken.sort((a, b) => order.indexOf(dutyOutcome(a)) - order.indexOf(dutyOutcome(b)));
}

/** Counts in words, those of none left out. */
export function formatCounts(counts: Counts): string {
  const parts: [number, string][] = [
    [counts.conforms, 'passed'],
    [counts.violates, 'failed'],
    [counts.warns, 'warned'],
    [counts.inconclusive, 'inconclusive'],
    [counts.notApplicable, 'not applicable'],
  ];
  return `${counts.planned} planned: ${
    parts
      .filter(([number]) => number > 0)
      .map(([number, name]) => `${number} ${name}`)
      .join(', ') || 'none tested'
  }`;
}

/** The same in less room. */
export function formatCountsShort({
  planned,
  conforms,
  violates,
  warns,
  inconclusive,
  notApplicable,
}: Counts): string {
  const parts: [number, string][] = [
    [violates, 'failed'],
    [warns, 'warned'],
    [conforms, 'passed'],
    [inconclusive + notApplicable, 'not tested'],
  ];
  const shown = parts.filter(([number]) => number > 0).map(([number, name]) => `${number} ${name}`);
  return `${planned}: ${shown.join(', ')}`;
}

/** How many requests were sent, or exchanges were read. */
export function formatRequests({ requests, recording }: Report): string {
  return pluralize(requests.sent, recording ? 'exchange' : 'request');
}

/** How many of the model calls may have been billed, against how many were announced; empty where it isn't known. */
export function formatBillable({ requests: { billed, billable } }: Report): string {
  return billed === undefined ? '' : `${pluralize(billed, 'call')}, ${billable} announced`;
}

/** How many requirements are named. */
const shownIds = 6;

/** The `must`s that keep the verdict inconclusive; empty where another thing does, or nothing. */
export function formatUndecided(report: Report): string {
  const isBlocked = report.diagnosis.some(({ operation }) => operation === undefined);
  if (isBlocked || standingOf(report) !== 'inconclusive') return '';
  const ids = undecidedMusts(report);
  const rest = ids.length - shownIds;
  return ids.slice(0, shownIds).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Of a request that was drawn at random: which it is and how small, and the flags of `run` that send it again. */
export function formatGenerated({ id, drawn }: ExchangeReport): [string, string][] {
  if (!drawn) return [];
  const { seed, n, count } = drawn;
  return [
    ['drawn', `${n} of seed ${seed}${formatShrunk(drawn)}`],
    ['again', `the same run with --fuzz ${count} --seed ${seed} --only ${id.replace(/#.*$/s, '')}`],
  ];
}

function formatShrunk({ shrunk }: NonNullable<ExchangeReport['drawn']>): string {
  switch (shrunk?.kind) {
    case 'smallest':
      return `, the smallest of ${pluralize(shrunk.tried, 'form')} tried`;
    case 'unsteady':
      return ', unsteady: sent again it was answered as it should be';
    case 'like':
      return `, like ${shrunk.case}`;
    case 'untried':
      return `, as it was drawn. ${shrunk.reason}`;
    default:
      return '';
  }
}

/** How many cases, of those that were judged, or how many requests show a cause. */
export function countCause(cause: Pick<Cause, 'cases' | 'judged' | 'requests' | 'isPooled'>): string {
  const { number, of } = countOf(cause);
  if (of === undefined) return pluralize(number, 'request');
  return of === number ? pluralize(number, 'case') : `${number} of ${pluralize(of, 'case')}`;
}
