import type { Catalog } from '../catalog/catalog.ts';
import { probe } from '../probe.ts';
import { type ModelOperation, modelOperations, type Profile } from '../profile/profile.ts';
import type { Diagnosis } from '../report/report.ts';
import { defaultLimits } from '../send/http.ts';
import type { Reach } from '../send/reach.ts';
import { type ClientLedger, loadClientLedger } from './client-ledger.ts';
import { type FoundSdk, loadSdk } from './load-sdk.ts';
import { type ClientCase, planClients } from './plan-clients.ts';
import type { Sdk } from './sdk.ts';

/** What SDKs will be tried with. */
export interface PreparedClients {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly reach: Reach;
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
    readonly reach?: Reach;
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
  how: { readonly reach: Reach; readonly signal: AbortSignal },
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
