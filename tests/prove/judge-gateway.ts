import {
  createReferenceGateway,
  createReferenceServer,
  type ReferenceServerOptions,
} from '../../reference-server/create-reference-server.ts';
import { readSeed } from '../../reference-server/seed.ts';
import type { Catalog } from '../../runner/catalog/catalog.ts';
import type { DrawFuzz } from '../../runner/fuzz/fuzz.ts';
import type { JudgedCase } from '../../runner/judge/assess.ts';
import { type Prepared, prepare } from '../../runner/prepare.ts';
import type { Profile } from '../../runner/profile/profile.ts';
import { profileOf } from '../../runner/profile/read-profile.ts';
import type { Report } from '../../runner/report/report.ts';
import { wordFinding } from '../../runner/report/wording.ts';
import { runRound } from '../../runner/round.ts';
import { run } from '../../runner/run.ts';
import { defaultLimits, openTransport, type Transport } from '../../runner/send/http.ts';
import { makeKeys } from '../../runner/send/keys.ts';
import { defaultPatience, makePace } from '../../runner/send/pace.ts';
import { makeStopSwitch } from '../../runner/send/stop.ts';
import { transportTo } from './in-process.ts';

/** An obligation that was not kept, or could not be judged. */
export type Outstanding = {
  readonly requirement: string;
  readonly case: string;
  readonly outcome: 'violates' | 'warns' | 'inconclusive';
  /** The first finding, or why it could not be judged. */
  readonly because: string;
};

/** What the whole suite makes of one gateway. */
export type Judgement = { readonly outstanding: readonly Outstanding[]; readonly milliseconds: number };

// A gateway on this machine recovers at once or never, so the pauses before another try can be short.
const patience = { ...defaultPatience, firstPauseMs: 2 };

/** What is made of a gateway of that profile; without a transport it is called over HTTP. */
type Judge<Made> = (
  profile: Profile,
  how: { readonly transport?: Transport; readonly signal?: AbortSignal },
) => Promise<Made>;

/**
 * The report of every case of the suite on a reference gateway of that setup: in this process, or over a real
 * connection where the gateway changes what goes over one.
 */
export function reportOn(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
  draw?: DrawFuzz,
): Promise<Report> {
  return onGateway(catalog, setup, (profile, how) =>
    run(catalog, profile, {
      selection,
      prepared: planFor(catalog, profile, draw),
      concurrency,
      limits: defaultLimits,
      waitMs: 0,
      patience,
      ...how,
    }),
  );
}

/** What came out otherwise than well for a gateway of that setup, in the same way but with no report made of it. */
export async function judgeGateway(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
): Promise<Judgement> {
  const started = performance.now();
  const judged = await onGateway(catalog, setup, (profile, how) => judgeOnce(catalog, profile, how));
  const outstanding = judged.flatMap(({ planned, obligations }) =>
    obligations.flatMap(({ obligation, verdict }): Outstanding[] => {
      const { outcome, findings, reason = '' } = verdict;
      if (outcome === 'conforms' || outcome === 'not-applicable') return [];
      const because = findings[0] ? wordFinding(findings[0].finding) : reason;
      return [{ requirement: obligation.requirement.id, case: planned.id, outcome, because }];
    }),
  );
  return { outstanding, milliseconds: performance.now() - started };
}

async function judgeOnce(
  catalog: Catalog,
  profile: Profile,
  { transport, signal }: Parameters<Judge<unknown>>[1],
): Promise<readonly JudgedCase[]> {
  const stop = makeStopSwitch(signal, undefined);
  const connections = { connections: concurrency, limits: defaultLimits, signal: stop.signal };
  const through = transport ?? openTransport(profile.baseUrl, connections);
  try {
    const { judged } = await runRound({
      catalog,
      profile,
      selected: planFor(catalog, profile),
      keys: makeKeys(profile.keys),
      concurrency,
      isLast: true,
      sender: {
        transport: through,
        stop,
        pace: makePace(patience, { atOnce: concurrency, signal: stop.signal }),
        budget: undefined,
        onExchange: () => {},
      },
      onCase: undefined,
    });
    return judged;
  } finally {
    stop.release();
    await through.close();
  }
}

async function onGateway<Made>(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
  judge: Judge<Made>,
): Promise<Made> {
  const inside = await inProcess(catalog, { seed, ...setup() }, judge);
  return inside.changed ? overHttp(catalog, { seed, ...setup() }, judge) : inside.made;
}

/** What was made; nothing where some answer was changed on its way, which only a connection can show. */
async function inProcess<Made>(
  catalog: Catalog,
  options: ReferenceServerOptions,
  judge: Judge<Made>,
): Promise<{ readonly changed: true } | { readonly changed: false; readonly made: Made }> {
  let changed = false;
  const { gateway, profileAt } = createReferenceGateway({
    ...options,
    decisions: (base) => {
      const decide = { ...base, ...options.decisions?.(base) };
      return {
        ...decide,
        transmit: (wire, ctx) => {
          const sent = decide.transmit(wire, ctx);
          changed ||= sent !== wire;
          return sent;
        },
      };
    },
  });
  const stop = new AbortController();
  const through = transportTo(gateway);
  const made = await judge(profileOf(profileAt('http://127.0.0.1'), catalog), {
    transport: {
      ...through,
      send: async (request, how) => {
        if (changed) stop.abort();
        return through.send(request, how);
      },
    },
    signal: stop.signal,
  });
  return changed ? { changed } : { changed, made };
}

async function overHttp<Made>(
  catalog: Catalog,
  options: ReferenceServerOptions,
  judge: Judge<Made>,
): Promise<Made> {
  const server = await createReferenceServer(options);
  try {
    return await judge(profileOf(server.profile, catalog), {});
  } finally {
    await server.close();
  }
}

// More than usual, as a gateway in this process keeps nobody waiting.
const concurrency = 16;
const seed = readSeed();
const selection = { suites: [], only: [] };
const plans = new Map<DrawFuzz | undefined, Map<string, Prepared>>();

// Most gateways have one profile but for where they are, and a plan does not ask for that.
function planFor(catalog: Catalog, profile: Profile, fuzz?: DrawFuzz): Prepared {
  const { baseUrl: _, ...rest } = profile;
  const key = JSON.stringify({ ...rest, unset: [...profile.unset] });
  const own = plans.get(fuzz) ?? new Map<string, Prepared>();
  plans.set(fuzz, own);
  const prepared = own.get(key) ?? prepare(catalog, profile, { selection, fuzz });
  own.set(key, prepared);
  return prepared;
}
