import type { Place } from '../catalog/expectation.ts';
import type { Answer } from '../send/exchange.ts';
import { beginning } from './brief.ts';
import { type Check, type Finding, fails } from './finding.ts';
import type { Sight } from './look.ts';

/** What to say where nothing stands at a place at which something must. */
export function unseen(sight: Sight, place: Place, answer: Answer): Check | undefined {
  switch (sight.kind) {
    case 'value':
      return undefined;
    case 'absent':
      return fails({ kind: 'missing', place });
    case 'not-json':
      return fails(notJson(place, answer));
    case 'unreadable':
      return undecidable(sight.reason);
  }
}

/** A body that would have to be looked at and can't be. */
export function undecidable(reason: string): Check {
  return { kind: 'undecided', reason: `The body can't be judged: ${reason}.` };
}

/** A body that should have been JSON. */
export function notJson(place: Place, answer: Answer): Finding {
  return { kind: 'not-json', place, actual: beginning(answer.text) };
}
