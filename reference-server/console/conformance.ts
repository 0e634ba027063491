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
  /** The number of requirements that the run checked or tried to check; 0 until its end. */
  readonly requirements: number;
  /** The message of the error with which the run failed. */
  readonly problem: string | null;
};

/** Runs the suite against copies of a gateway, one run at a time. */
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
  /** Ends a run. Resolves when its copy of the gateway is closed. */
  readonly stop: () => Promise<void>;
};

/** A copy of the gateway of the console, for one run. */
export type GatewayCopy = {
  readonly url: string;
  /** The profile of the copied gateway, with its address and its active situations. */
  readonly profile: PartialProfile;
  readonly close: () => Promise<void>;
};

const none: ConformanceState = {
  state: 'none',
  done: 0,
  total: 0,
  verdict: null,
  title: null,
  violated: [],
  requirements: 0,
  problem: null,
};

/**
 * Creates a runner. Each run has a copy of the gateway to itself, so that it neither fills the list of requests nor
 * changes balances or uses situations up.
 */
export function createConformanceRunner(
  suite: ConsoleSuite,
  openCopy: () => Promise<GatewayCopy>,
): ConformanceRunner {
  let state = none;
  let result: SuiteResult | undefined;
  const closing = new AbortController();
  let copy: GatewayCopy | undefined;

  async function run(): Promise<void> {
    const onProgress: Parameters<ConsoleSuite['run']>[2] = (progress) => {
      state = { ...state, ...progress };
    };
    copy = await openCopy();
    try {
      result = await suite.run(copy.profile, copy.url, onProgress, closing.signal);
    } finally {
      await copy.close();
    }
    const { verdict, title, violated, requirements } = result;
    // Pooled cases send nothing, so the progress does not count them.
    state = { ...state, state: 'done', done: state.total, verdict, title, violated, requirements };
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
    async stop() {
      closing.abort();
      await copy?.close();
    },
  };
}
