import { pluralize } from '../../common/lists.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { ClientDutyReport, ClientReport, RecordingReport } from '../report/report.ts';

/**
 * The outcome of a duty of clients. `observed` is a violation of a duty with the level `observe`. `not seen` means
 * that the duty applied to no request.
 */
export type DutyOutcome = 'satisfied' | 'violated' | 'warned' | 'observed' | 'not seen';

/** Returns the outcome of a duty of clients across all requests. */
export function judgeDuty({ level, kept, broken }: ClientDutyReport): DutyOutcome {
  if (broken === 0) return kept > 0 ? 'satisfied' : 'not seen';
  return level === 'must' ? 'violated' : level === 'should' ? 'warned' : 'observed';
}

/** The outcome that looks like each outcome of a duty. */
export const toneOfDuty: Readonly<Record<DutyOutcome, Outcome>> = {
  violated: 'violates',
  warned: 'warns',
  observed: 'not-applicable',
  satisfied: 'conforms',
  'not seen': 'not-applicable',
};

/** Returns the outcome like which one violation of a duty is shown. Duties of the level `observe` are not shown. */
export function outcomeOfBreach({ level }: Pick<ClientDutyReport, 'level'>): 'violates' | 'warns' {
  return level === 'must' ? 'violates' : 'warns';
}

/** Formats the numbers of recorded and of judged exchanges, such as `12 exchanges, 9 judged`. */
export function formatExchanges({ exchanges, judged }: RecordingReport): string {
  return `${pluralize(exchanges, 'exchange')}, ${judged} judged`;
}

/**
 * Formats the number of broken streams. `by` is the side that closed the connection (`gateway` or `client`), or
 * `unknown`.
 */
export function formatBrokenStreams(by: string, count: number): string {
  const streams = `${pluralize(count, 'stream')} broken off`;
  return by === 'unknown'
    ? `${streams} by the gateway or the client. The recording does not show which of the two.`
    : `${streams} by the ${by}.`;
}

/**
 * Formats the number of requests that violated a duty, such as `violated in 2 of 5 requests`. The total is the number
 * of requests to which the duty applied.
 */
export function formatBroken({ kept, broken }: ClientDutyReport): string {
  return `violated in ${broken} of ${pluralize(kept + broken, 'request')}`;
}

/** Returns the violated duties of clients: first those of level `must`, then `should`, then `observe`. */
export function listBrokenDuties({ duties }: Pick<ClientReport, 'duties'>): readonly ClientDutyReport[] {
  const order: readonly DutyOutcome[] = ['violated', 'warned', 'observed'];
  const broken = duties.filter((duty) => duty.broken > 0);
  return broken.sort((a, b) => order.indexOf(judgeDuty(a)) - order.indexOf(judgeDuty(b)));
}
