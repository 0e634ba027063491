import { counted } from './counted.ts';
import type { ClientDutyReport, RecordingReport } from './report.ts';

/** What became of a client's duty: `observed` where it is told without being a fault. */
export type DutyOutcome = 'kept' | 'violated' | 'warned' | 'observed' | 'not seen';

export function dutyOutcome({ level, kept, broken }: ClientDutyReport): DutyOutcome {
  if (broken === 0) return kept > 0 ? 'kept' : 'not seen';
  return level === 'must' ? 'violated' : level === 'should' ? 'warned' : 'observed';
}

/** How many exchanges there were, and how many were judged. */
export function wordExchanges({ exchanges, judged }: RecordingReport): string {
  return `${counted(exchanges, 'exchange')}, ${judged} judged`;
}

/** How often a duty was broken, of all occasions. */
export function wordBroken({ kept, broken }: ClientDutyReport): string {
  return `broken in ${broken} of ${kept + broken}`;
}

/** The duties of which there is something to tell, the worst first. */
export function brokenDuties({ client }: RecordingReport): readonly ClientDutyReport[] {
  const order: readonly DutyOutcome[] = ['violated', 'warned', 'observed'];
  const broken = (client?.duties ?? []).filter((duty) => duty.broken > 0);
  return broken.sort((a, b) => order.indexOf(dutyOutcome(a)) - order.indexOf(dutyOutcome(b)));
}
