import { createReferenceGateway } from '../../../reference-server/create-reference-gateway.ts';
import type { ReferenceServerOptions } from '../../../reference-server/create-reference-server.ts';
import { createAccounts, createKeys } from '../../../reference-server/gateway/administration.ts';
import { consoleSetup } from '../../../reference-server/gateway/profile.ts';
import { readSeed } from '../../../reference-server/gateway/seed.ts';
import { createState, type State } from '../../../reference-server/gateway/state.ts';
import type { WireResponse } from '../../../reference-server/wire/response.ts';
import type { Catalog } from '../../../runner/catalog/catalog.ts';
import { defaultRetryPolicy } from '../../../runner/exchange/retry-policy.ts';
import { formatFinding } from '../../../runner/judge/finding.ts';
import { type JudgedCase, judgeCases } from '../../../runner/judge/judge-cases.ts';
import { isKept } from '../../../runner/judge/outcome.ts';
import type { FuzzOptions } from '../../../runner/plan/generated/fuzz.ts';
import type { PlannedCase } from '../../../runner/plan/plan.ts';
import { select } from '../../../runner/plan/select.ts';
import type { Profile, StatedProfile } from '../../../runner/profile/profile.ts';
import { createPromise, type GatewayPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { createNameSource, deriveKeys } from '../../../runner/request/keys.ts';
import { type PreparedRun, prepare } from '../../../runner/run/prepare.ts';
import { createCaseContext, runRound } from '../../../runner/run/round.ts';
import { runSuite } from '../../../runner/run/run.ts';
import type { EngineEvent } from '../../../runner/run/run-event.ts';
import type { ChangeGateway } from '../../../runner/send/change-gateway.ts';
import type { Transport } from '../../../runner/send/http.ts';
import { createRateLimiter } from '../../../runner/send/rate-limiter.ts';
import { type Connection, createUnreadBodies, openRoundSender } from '../../../runner/send/sender.ts';
import { createStopSwitch } from '../../../runner/send/stop-switch.ts';
import { findBaselineFailure } from './find-baseline-failure.ts';
import { createInProcessTransport } from './in-process.ts';
import { openRelay, type Relay } from './relay.ts';

/** A check that failed or could not be judged. */
export type UnsatisfiedCheck = {
  readonly requirement: string;
  readonly case: string;
  readonly outcome: 'violates' | 'warns' | 'inconclusive';
  /** The first finding, or the reason why the check could not be judged. */
  readonly reason: string;
};

/** The result of a run against one gateway. `milliseconds` is the time of the first run. */
export type GatewayResult = {
  readonly unsatisfied: readonly UnsatisfiedCheck[];
  /**
   * The reasons why a second run fails with the baseline of the first run, or undefined if the second run passes or
   * did not take place.
   */
  readonly baselineFailure?: string | undefined;
  readonly milliseconds: number;
};

// A gateway in this process recovers immediately or never, so the pauses between attempts can be short.
const retryPolicy = { ...defaultRetryPolicy, firstPauseMs: 2 };

/** Long enough for the variants and faults whose balance changes late. */
const latePausesMs = [1_000, 2_000, 4_000];

const unobserved: Observe = (transport) => transport;

type Judge<Made> = (promise: GatewayPromise, transport: Transport, change: ChangeGateway) => Promise<Made>;

/** Returns the transport of a run, for example a transport that also records the exchanges. */
type Observe = (transport: Transport, profile: Profile) => Transport;

/** Options of `reportOn`. Default: all cases. `deviations` is the member of the profile. */
type ReportOptions = {
  readonly deviations?: StatedProfile['deviations'];
  readonly fuzz?: FuzzOptions;
  readonly only?: readonly string[];
  readonly observe?: Observe;
  readonly onEvent?: (event: EngineEvent) => void;
};

/**
 * Returns the report of a run against a reference gateway with this setup, in this process. By default, the run
 * contains all cases. Only responses that the decision `transmit` of the setup changes are sent over a real
 * connection, since a transport can read these responses only from the network.
 */
export function reportOn(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
  { fuzz, only, observe = unobserved, onEvent, deviations }: ReportOptions = {},
): Promise<Report> {
  return onGateway(
    catalog,
    setup,
    async (promise, transport, change) =>
      runSuite(
        promise,
        {
          concurrency,
          retryPolicy,
          latePausesMs,
          transport: observe(transport, promise.profile),
          change,
          onEvent,
        },
        await planFor(promise, { fuzz, only }),
      ),
    deviations,
  );
}

/** Options of `judgeGateway`. Default: all cases once. */
export type JudgeOptions = {
  readonly only?: readonly string[] | undefined;
  readonly withBaseline?: boolean | undefined;
  /** The number of concurrent requests. Default: 16, since a gateway in this process responds immediately. */
  readonly atOnce?: number;
  readonly observe?: Observe;
};

/**
 * Returns the checks that failed or could not be judged in a run against a reference gateway with this setup. The
 * function is faster than `reportOn`, since no report is built. `only` selects cases or requirements, as `--only` does.
 * With `withBaseline`, the cases run again with the baseline of the first run if a check of the first run failed or
 * could not be judged.
 */
export async function judgeGateway(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
  { only, withBaseline = false, atOnce = concurrency, observe = (transport) => transport }: JudgeOptions = {},
): Promise<GatewayResult> {
  const started = performance.now();
  const judge = (): Promise<readonly JudgedCase[]> =>
    onGateway(catalog, setup, (promise, transport, change) =>
      judgeOnce(
        promise,
        { transport: observe(transport, promise.profile), change, concurrency: atOnce },
        only,
      ).then(({ judged }) => judged),
    );
  const judged = await judge();
  const unsatisfied = listUnsatisfied(judged);
  const milliseconds = performance.now() - started;
  const baselineFailure =
    unsatisfied.length > 0 && withBaseline ? findBaselineFailure(catalog, judged, await judge()) : undefined;
  return { unsatisfied, baselineFailure, milliseconds };
}

/**
 * Runs all cases once. Returns a function that judges the same exchanges anew: all cases, or only those that were not
 * satisfied the first time, which is faster.
 */
export async function recordGateway(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
): Promise<(which: 'all' | 'unsatisfied') => readonly UnsatisfiedCheck[]> {
  const { judged, judgeAgain } = await onGateway(catalog, setup, (promise, transport, change) =>
    judgeOnce(promise, { transport, change, concurrency }, undefined),
  );
  const unsatisfied = judged.filter((item) => listUnsatisfied([item]).length > 0);
  const cases = { all: judged, unsatisfied };
  return (which) => listUnsatisfied(judgeAgain(cases[which].map(({ planned }) => planned)));
}

const listUnsatisfied = (judged: readonly JudgedCase[]): readonly UnsatisfiedCheck[] =>
  judged.flatMap(({ planned, checks }) =>
    checks.flatMap(({ check, verdict }): UnsatisfiedCheck[] => {
      const { outcome, findings } = verdict;
      if (isKept(outcome) || outcome === 'not-applicable') return [];
      const reason = findings[0] ? formatFinding(findings[0].finding) : (verdict.reason ?? '');
      return [{ requirement: check.requirement.id, case: planned.id, outcome, reason }];
    }),
  );

type JudgedRound = {
  readonly judged: readonly JudgedCase[];
  readonly judgeAgain: (cases: readonly PlannedCase[]) => readonly JudgedCase[];
};

async function judgeOnce(
  promise: GatewayPromise,
  { transport, change, concurrency: atOnce }: Pick<Connection, 'transport' | 'change' | 'concurrency'>,
  only: readonly string[] | undefined,
): Promise<JudgedRound> {
  const stop = createStopSwitch(undefined, undefined);
  try {
    const selected = await planFor(promise, { only });
    const source = { promise, keys: deriveKeys(promise.profile.keys), nameSource: createNameSource() };
    const connection = {
      transport,
      stop,
      concurrency: atOnce,
      rateLimiter: createRateLimiter(retryPolicy, { atOnce, signal: stop.signal }),
      budget: undefined,
      onExchange: () => {},
      latePausesMs,
      change,
      unreadBodies: createUnreadBodies(),
    };
    const { judged, execution } = await runRound({ ...source, selected, isLast: true, connection });
    const context = createCaseContext(openRoundSender(connection, source), selected.sent);
    return {
      judged,
      judgeAgain: (cases) => judgeCases({ ...selected.plan, cases }, execution, context),
    };
  } finally {
    stop.release();
  }
}

async function onGateway<Made>(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
  judge: Judge<Made>,
  deviations: StatedProfile['deviations'] = [],
): Promise<Made> {
  const options = { seed: ownSeed, ...setup() };
  const changed = new WeakSet<WireResponse>();
  const { seed = ownSeed, now = Date.now } = options;
  const shared = { seed, state: createState(seed, now()), counter: { requests: 0 } };
  const made: ReferenceServerOptions = {
    ...options,
    decisions: (base) => {
      const decide = { ...base, ...options.decisions?.(base) };
      return {
        ...decide,
        transmit: (wire, ctx) => {
          const sent = decide.transmit(wire, ctx);
          if (sent !== wire) changed.add(sent);
          return sent;
        },
      };
    },
  };
  const { gateway, profileAt } = createReferenceGateway(made, shared);
  let relay: Promise<Relay> | undefined;
  const transport = createInProcessTransport(gateway, async (wire, { method }, how) => {
    if (!changed.has(wire)) return undefined;
    relay ??= openRelay(concurrency);
    return (await relay).receive(wire, method, how);
  });
  try {
    const stated = { ...profileAt('http://127.0.0.1'), setup: consoleSetup, deviations };
    const promise = createPromise(catalog, parseProfile(stated, catalog));
    return await judge(promise, transport, createStateChange(shared.state, now));
  } finally {
    await (await relay)?.close();
  }
}

/** Returns a function that changes keys and balances as the API of the console does. */
function createStateChange(state: State, now: () => number): ChangeGateway {
  const keys = createKeys(state, now, () => {});
  const accounts = createAccounts(state, () => {});
  return async (action, values) => {
    if (action === 'createKey') {
      const { value: key, id, account } = keys.create();
      return { key, id, account };
    }
    const { id = '', account = '' }: Readonly<Record<string, string>> = values ?? {};
    if (action === 'deleteKey') keys.delete(id);
    else if (action === 'drain') accounts.drain(account);
    else accounts.topUp(account, 1_000_000);
    return values;
  };
}

// The concurrency is higher than the default, since a gateway in this process responds immediately.
const concurrency = 16;
const ownSeed = readSeed();
const plans = new Map<string, Promise<PreparedRun>>();

// Plans do not depend on the base URL. Apart from the base URL, most gateways have the same profile, and can share a
// plan.
async function planFor(
  promise: GatewayPromise,
  {
    fuzz,
    only = [],
  }: { readonly fuzz?: FuzzOptions | undefined; readonly only?: readonly string[] | undefined },
): Promise<PreparedRun> {
  const { baseUrl: _, ...rest } = promise.profile;
  const key = JSON.stringify({ ...rest, unset: [...rest.unset], fuzz });
  const prepared = plans.get(key) ?? prepare(promise, { fuzz: fuzz?.count, seed: fuzz?.seed });
  plans.set(key, prepared);
  const whole = await prepared;
  return only.length === 0
    ? whole
    : { ...whole, ...select(whole.whole, { suites: [], only, shard: undefined }) };
}
