import { formatFirst, pluralize } from '../../common/lists.ts';
import type { ClientDutyId } from '../catalog/client-duties.ts';
import type { AppRun, Counted } from './observe-app.ts';
import type { AppSituation, ExpectationId } from './situations.ts';

/**
 * - `fails`: the app doesn't cope, which the specification allows
 * - `allowed`: the app did otherwise, which the specification allows
 * - `not-seen`: the run didn't show it
 */
export type AppOutcome = 'kept' | 'broken' | 'fails' | 'allowed' | 'not-seen';

/** What was expected of an app, and what was seen. */
export interface AppCheck {
  readonly says: string;
  readonly outcome: AppOutcome;
  readonly seen: string;
}

export interface JudgedSituation {
  readonly situation: AppSituation;
  readonly run: AppRun;
  readonly outcome: AppOutcome;
  readonly checks: readonly AppCheck[];
}

interface Seen {
  readonly run: AppRun;
  /** The requests that the app sent more often than in the run without a situation. `count` is how much more often. */
  readonly repeated: readonly Counted[];
}

type Judged = Omit<AppCheck, 'says'>;

interface Expectation {
  readonly says: string;
  readonly check: (seen: Seen) => Judged;
}

const expectations: Readonly<Record<ExpectationId, Expectation>> = {
  repeats: {
    says: 'may send the call again',
    check: ({ repeated }) => judgeRepeats(repeated, { sentAgain: 'kept', notSentAgain: 'allowed' }),
  },
  'waits-as-stated': {
    says: 'waits at least as long as Retry-After says',
    check: (seen) => checkDuty('client/retry-after', seen),
  },
  'waits-longer': {
    says: 'waits longer before each further attempt',
    check: (seen) => checkDuty('client/growing-gaps', seen),
  },
  'comes-through': {
    says: 'comes through, since the third attempt succeeds',
    check: ({ run }) => judgeExit(run, { success: 'kept', failure: 'fails' }),
  },
  'does-not-repeat': {
    says: 'does not send the same call again',
    check: ({ repeated }) => judgeRepeats(repeated, { sentAgain: 'broken', notSentAgain: 'kept' }),
  },
  'reports-failure': {
    says: 'does not report success',
    check: ({ run }) => judgeExit(run, { success: 'broken', failure: 'kept' }),
  },
};

function judgeRepeats(
  repeated: readonly Counted[],
  outcomes: { readonly sentAgain: AppOutcome; readonly notSentAgain: AppOutcome },
): Judged {
  if (repeated.length === 0) return { outcome: outcomes.notSentAgain, seen: 'not sent again' };
  const shown = repeated.map(({ what, count }) => `${what} (${pluralize(count, 'time')})`);
  return { outcome: outcomes.sentAgain, seen: `sent again: ${formatFirst(shown, shownRepeated)}` };
}

const shownRepeated = 3;

function judgeExit(
  { exitCode }: AppRun,
  outcomes: { readonly success: AppOutcome; readonly failure: AppOutcome },
): Judged {
  return {
    outcome: exitCode === 0 ? outcomes.success : outcomes.failure,
    seen: `exit code ${exitCode}`,
  };
}

/** A pause between two calls is the app's answer to a situation only if the second call is a repetition. */
function checkDuty(id: ClientDutyId, { run, repeated }: Seen): Judged {
  const duty = run.client.duties.find((item) => item.id === id);
  if (repeated.length > 0 && duty && duty.broken > 0) {
    const { message = 'not kept', request = '', client = '' } = duty.findings[0] ?? {};
    return { outcome: 'broken', seen: [message, request, client].filter(Boolean).join(' ') };
  }
  return repeated.length > 0 && duty && duty.kept > 0
    ? { outcome: 'kept', seen: `in ${pluralize(duty.kept, 'pause')}` }
    : { outcome: 'not-seen', seen: 'no pause to measure' };
}

const worstFirst: readonly AppOutcome[] = ['broken', 'fails', 'kept', 'allowed', 'not-seen'];

/** Judges the run in a situation. `normal` is the run of the same command without a situation. */
export function judgeSituation(situation: AppSituation, run: AppRun, normal: AppRun): JudgedSituation {
  if (run.met === 0) return { situation, run, outcome: 'not-seen', checks: [] };
  const repeated = listRepeated(run, normal);
  const checks = situation.expects.map((id): AppCheck => {
    const { says, check } = expectations[id];
    return { says, ...check({ run, repeated }) };
  });
  const stopped: AppCheck[] =
    run.stopped === undefined ? [] : [{ says: 'comes to an end', outcome: 'broken', seen: run.stopped }];
  const all = [...checks, ...stopped];
  const outcome = worstFirst.find((one) => all.some((check) => check.outcome === one)) ?? 'not-seen';
  return { situation, run, outcome, checks: all };
}

/** An app may send equal requests on its own, such as two tests with the same prompt. They are no repetition. */
function listRepeated(run: AppRun, normal: AppRun): readonly Counted[] {
  return [...run.sent].flatMap(([request, { what, count }]) => {
    const more = count - Math.max(1, normal.sent.get(request)?.count ?? 1);
    return more > 0 ? [{ what, count: more }] : [];
  });
}
