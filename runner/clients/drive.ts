import type { Catalog } from '../catalog/catalog.ts';
import { type ModelOperation, modelOperations, type Profile } from '../profile/profile.ts';
import type { CapturedExchange } from '../proxy/capture.ts';
import { openProxy } from '../proxy/open-proxy.ts';
import type { Diagnosis } from '../report/report.ts';
import { probe } from '../run/probe.ts';
import { defaultLimits } from '../transport/http.ts';
import type { ConnectionOptions } from '../transport/pool.ts';
import { type ClientLedger, loadClientLedger } from './client-ledger.ts';
import { type ClientCase, planClients } from './plan-clients.ts';
import {
  type Access,
  type FoundSdk,
  loadSdk,
  type Missing,
  type OpenSdk,
  type Sdk,
  type SeenError,
} from './sdk.ts';

/** What came of something that a user did with an SDK. */
export type DriveOutcome =
  | { readonly kind: 'given'; readonly missing: Missing }
  | { readonly kind: 'raised'; readonly error: SeenError }
  | { readonly kind: 'unfinished'; readonly reason: string };

/** That, and the requests that the SDK made for it, in their order. */
export interface Driven {
  readonly came: DriveOutcome;
  readonly passed: readonly CapturedExchange[];
}

/** The most that an act of an SDK may take, its retries and their pauses included, in milliseconds. */
const longestMs = 120_000;
/** How long the end of an exchange is waited for after the SDK is done with it. */
const settleMs = 1_000;

/** Lets an SDK act through a proxy of its own, so that every request it makes is seen; never rejects for what an SDK does. */
export async function drive(
  sdk: OpenSdk,
  target: { readonly baseUrl: string; readonly reach: ConnectionOptions } & Pick<
    Access,
    'key' | 'headers' | 'signal'
  >,
  act: (access: Access) => Promise<Missing>,
): Promise<Driven> {
  const passed: CapturedExchange[] = [];
  const proxy = await openProxy({
    baseUrl: target.baseUrl,
    reach: target.reach,
    port: 0,
    onExchange: (item) => void passed.push(item),
  });
  const signal = AbortSignal.any([target.signal, AbortSignal.timeout(longestMs)]);
  const { key, headers } = target;
  const came = await Promise.race([
    unfinished(signal, target.signal),
    act({ url: proxy.url, key, headers, signal }).then(
      (missing): DriveOutcome => ({ kind: 'given', missing }),
      (error: unknown): DriveOutcome => ({ kind: 'raised', error: sdk.describe(error) }),
    ),
  ]);
  const until = performance.now() + settleMs;
  while (proxy.underWay() > 0 && came.kind !== 'unfinished' && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await proxy.close();
  return { came, passed };
}

function unfinished(signal: AbortSignal, outer: AbortSignal): Promise<DriveOutcome> {
  const came = (): DriveOutcome => ({
    kind: 'unfinished',
    reason: outer.aborted ? 'The run was interrupted.' : `The SDK was not done after ${longestMs / 1000} s.`,
  });
  return new Promise((resolve) => {
    if (signal.aborted) resolve(came());
    else signal.addEventListener('abort', () => resolve(came()), { once: true });
  });
}

/** What SDKs will be tried with. */
export interface PreparedClients {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly reach: ConnectionOptions;
  readonly ledger: ClientLedger;
  readonly found: ReadonlyMap<Sdk, FoundSdk>;
  readonly models: ReadonlyMap<ModelOperation, string>;
  readonly cases: readonly ClientCase[];
  /** What kept models from being found. */
  readonly diagnosis: readonly Diagnosis[];
}

/** Loads SDKs from a folder of the user's, finds models that the profile doesn't name, and plans what is tried. */
export async function prepareClients(
  catalog: Catalog,
  profile: Profile,
  {
    sdks,
    folder,
    reach = {},
    signal,
  }: {
    readonly sdks: readonly Sdk[];
    readonly folder: string;
    readonly reach?: ConnectionOptions;
    readonly signal: AbortSignal;
  },
): Promise<PreparedClients> {
  const ledger = loadClientLedger();
  const found = new Map(sdks.map((sdk) => [sdk, loadSdk(sdk, folder)]));
  const wanted = new Set([...found].flatMap(([sdk, { kind }]) => (kind === 'open' ? sdk.operations : [])));
  const { models, diagnosis } = await findModels(catalog, profile, wanted, { reach, signal });
  const cases = planClients({
    ledger,
    profile,
    models,
    sdks: [...found].map(([sdk, item]) => ({ sdk, found: item })),
  });
  return { catalog, profile, reach, ledger, found, models, cases, diagnosis };
}

/** The models of the profile; where it names none, or the operation is a guess, those with which a good call succeeded. */
async function findModels(
  catalog: Catalog,
  profile: Profile,
  wanted: ReadonlySet<ModelOperation>,
  how: { readonly reach: ConnectionOptions; readonly signal: AbortSignal },
): Promise<Pick<PreparedClients, 'models' | 'diagnosis'>> {
  const stated = new Map<ModelOperation, string>();
  let isComplete = true;
  for (const operation of modelOperations) {
    const bound = profile.operations[operation];
    const { good } = profile.models[operation];
    if (!wanted.has(operation) || !bound) continue;
    if (good !== undefined && bound.stated !== 'guess') stated.set(operation, good);
    else isComplete = false;
  }
  if (isComplete) return { models: stated, diagnosis: [] };
  const probed = await probe(catalog, profile, { limits: defaultLimits, ...how });
  const seen = modelOperations.flatMap((operation) => {
    const { kind, model } = probed.operations[operation];
    return wanted.has(operation) && kind === 'succeeded' && model !== undefined
      ? [[operation, model] as const]
      : [];
  });
  const diagnosis = probed.accepted ? [] : probed.diagnosis;
  return { models: new Map([...seen, ...stated]), diagnosis };
}
