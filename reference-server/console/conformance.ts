import type { PartialProfile } from '../gateway/profile.ts';
import type { ConsoleSuite, SuiteResult } from './suite.ts';

/** The state of the latest run of the suite against the gateway of the console. */
export type ConformanceState = {
  readonly state: 'none' | 'running' | 'done' | 'failed';
  /** The number of cases that were sent. At the end of the run, `done` equals `total`. */
  readonly done: number;
  /** The number of planned cases, or 0 before the cases are planned. */
  readonly total: number;
  readonly verdict: string | null;
  /** The verdict in words, with its sign. */
  readonly title: string | null;
  /** The IDs of the violated requirements. */
  readonly violated: readonly string[];
  /** The message of the error with which the run failed. */
  readonly problem: string | null;
};

/** Runs the suite against a gateway, one run at a time. */
export type ConformanceRunner = {
  /** The sentence of the suite about a run. */
  readonly about: string;
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
  title: null,
  violated: [],
  problem: null,
};

/**
 * Creates a runner. At the start of each run, `profile` returns the profile of the gateway with its active situations.
 */
export function createConformanceRunner(
  suite: ConsoleSuite,
  profile: () => PartialProfile,
): ConformanceRunner {
  let state = none;
  let result: SuiteResult | undefined;
  const closing = new AbortController();

  async function run(): Promise<void> {
    const onProgress: Parameters<ConsoleSuite['run']>[1] = (progress) => {
      state = { ...state, ...progress };
    };
    result = await suite.run(profile(), onProgress, closing.signal);
    const { verdict, title, violated } = result;
    // Pooled cases send nothing, so the progress does not count them.
    state = { ...state, state: 'done', done: state.total, verdict, title, violated };
  }
  return {
    about: suite.about,
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
    report: async () => result?.html(),
    stop: () => closing.abort(),
  };
}
