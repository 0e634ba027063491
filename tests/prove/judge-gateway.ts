import {
  createReferenceGateway,
  createReferenceServer,
  type ReferenceServerOptions,
} from '../../reference-server/create-reference-server.ts';
import type { PartialProfile } from '../../reference-server/profile.ts';
import type { Catalog } from '../../runner/catalog/catalog.ts';
import type { DrawFuzz } from '../../runner/fuzz/fuzz.ts';
import type { Profile } from '../../runner/profile/profile.ts';
import { profileOf } from '../../runner/profile/read-profile.ts';
import type { Report } from '../../runner/report/report.ts';
import { type Prepared, prepare, run } from '../../runner/run.ts';
import { defaultLimits, type Transport } from '../../runner/send/http.ts';
import { defaultPatience } from '../../runner/send/pace.ts';
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

/**
 * The report of every case of the suite on a reference gateway of that setup: in this process, or over a real
 * connection where the gateway changes what goes over one.
 */
export async function reportOn(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
  draw?: DrawFuzz,
): Promise<Report> {
  return (await inProcess(catalog, setup(), draw)) ?? (await overHttp(catalog, setup(), draw));
}

/** What came out otherwise than well for a gateway of that setup. */
export async function judgeGateway(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
): Promise<Judgement> {
  const started = performance.now();
  const report = await reportOn(catalog, setup);
  const outstanding = report.cases.flatMap((item) =>
    item.obligations.flatMap(({ requirement, outcome, findings, reason = '' }): Outstanding[] => {
      if (outcome === 'conforms' || outcome === 'not-applicable') return [];
      return [{ requirement, case: item.id, outcome, because: findings[0]?.message ?? reason }];
    }),
  );
  return { outstanding, milliseconds: performance.now() - started };
}

/** The report; undefined where some answer was changed on its way, which only a connection can show. */
async function inProcess(
  catalog: Catalog,
  options: ReferenceServerOptions,
  draw: DrawFuzz | undefined,
): Promise<Report | undefined> {
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
  const report = await judge(
    catalog,
    profileAt('http://127.0.0.1'),
    draw,
    {
      ...through,
      send: async (request, how) => {
        if (changed) stop.abort();
        return through.send(request, how);
      },
    },
    stop.signal,
  );
  return changed ? undefined : report;
}

async function overHttp(
  catalog: Catalog,
  options: ReferenceServerOptions,
  draw: DrawFuzz | undefined,
): Promise<Report> {
  const server = await createReferenceServer(options);
  try {
    return await judge(catalog, server.profile, draw);
  } finally {
    await server.close();
  }
}

const selection = { suites: [], only: [] };
const plans = new Map<DrawFuzz | undefined, Map<string, Prepared>>();

// Most gateways have one profile but for where they are, and a plan does not ask for that.
function planFor(catalog: Catalog, profile: Profile, fuzz: DrawFuzz | undefined): Prepared {
  const { baseUrl: _, ...rest } = profile;
  const key = JSON.stringify({ ...rest, unset: [...profile.unset] });
  const own = plans.get(fuzz) ?? new Map<string, Prepared>();
  plans.set(fuzz, own);
  const prepared = own.get(key) ?? prepare(catalog, profile, { selection, fuzz });
  own.set(key, prepared);
  return prepared;
}

function judge(
  catalog: Catalog,
  stated: PartialProfile,
  draw: DrawFuzz | undefined,
  transport?: Transport,
  signal?: AbortSignal,
): Promise<Report> {
  const profile = profileOf(stated, catalog);
  return run(catalog, profile, {
    selection,
    prepared: planFor(catalog, profile, draw),
    concurrency: 16,
    limits: defaultLimits,
    waitMs: 0,
    patience,
    signal,
    ...(transport && { transport }),
  });
}
