import type { Report, RunEvent } from '../../runner/index.ts';
import type { PartialProfile } from '../gateway/profile.ts';

/** The state of the latest run of the suite against the gateway of the console. */
export type ConformanceState = {
  readonly state: 'none' | 'running' | 'done' | 'failed';
  /**
   * During a run, the number of sent cases, including cases without checks. At the end of the run, `done` is set to
   * `total`. `total` is the number of planned cases with checks, or 0 before the cases are planned.
   */
  readonly done: number;
  readonly total: number;
  readonly verdict: string | null;
  /** The IDs of the violated requirements. */
  readonly violated: readonly string[];
  /** The message of the error with which the run failed; null if the run has not failed. */
  readonly problem: string | null;
};

/** Runs the suite against a gateway, one run at a time. */
export type ConformanceRunner = {
  /** Starts a run, unless a run is under way. */
  readonly start: () => void;
  readonly state: () => ConformanceState;
  /**
   * Resolves to the HTML report of the latest run that ended without an error; undefined before such a run has ended.
   */
  readonly report: () => Promise<string | undefined>;
  readonly stop: () => void;
};

const none: ConformanceState = {
  state: 'none',
  done: 0,
  total: 0,
  verdict: null,
  violated: [],
  problem: null,
};

/**
 * Creates a runner. At the start of each run, `profile` returns the profile of the gateway with its active situations.
 */
export function createConformanceRunner(profile: () => PartialProfile): ConformanceRunner {
  let state = none;
  let report: Report | undefined;
  let events: AsyncGenerator<RunEvent, void> | undefined;

  async function run(): Promise<void> {
    // The suite is loaded only when the first run starts.
    const { runEvents } = await import('../../runner/library.ts');
    const { rateLimit, ...stated } = profile();
    events = runEvents({ ...stated, ...(rateLimit && { rateLimit }) });
    for await (const event of events) {
      if (event.kind === 'planned') state = { ...state, total: event.cases.length };
      else if (event.kind === 'case') state = { ...state, done: state.done + 1 };
      else if (event.kind === 'report') {
        ({ report } = event);
        // Pooled cases send nothing, so no event reports these cases.
        state = { ...state, done: state.total };
      }
    }
    const violated = report?.requirements.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id);
    state = { ...state, state: 'done', verdict: report?.verdict ?? null, violated: violated ?? [] };
  }
  return {
    start() {
      if (state.state === 'running') return;
      state = { ...none, state: 'running' };
      run().catch((error: unknown) => {
        state = {
          ...state,
          state: 'failed',
          problem: error instanceof Error ? error.message : String(error),
        };
      });
    },
    state: () => state,
    async report() {
      if (!report) return undefined;
      const { reporters } = await import('../../runner/reporters/reporters.ts');
      const { joinReportText } = await import('../../runner/reporters/reporter.ts');
      return joinReportText((await reporters.html())(report));
    },
    stop: () => void events?.return(),
  };
}
