import { type ModelOperation, modelOperations } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { Diagnosis } from '../report/report.ts';
import { probe } from '../run/probe.ts';
import type { ConnectionOptions } from '../send/connection-options.ts';
import { planSdkCases, type SdkCase } from './plan-sdk-cases.ts';
import { loadSdk, type SdkDriver, type SdkLoadResult } from './sdk.ts';
import { loadSdkSpec, type SdkSpec } from './sdk-spec.ts';

/** The SDKs, each loaded or unavailable, with the models and the planned cases. */
export interface PreparedSdks {
  readonly promise: GatewayPromise;
  readonly connection: ConnectionOptions;
  readonly spec: SdkSpec;
  readonly sdks: ReadonlyMap<SdkDriver, SdkLoadResult>;
  readonly models: ReadonlyMap<ModelOperation, string>;
  readonly cases: readonly SdkCase[];
  /**
   * The reasons why the gateway accepted no valid request; empty if the gateway accepted a request, or if no request
   * was necessary.
   */
  readonly diagnosis: readonly Diagnosis[];
}

/**
 * Loads SDKs, preferably from the user's folder, finds models that the profile does not name, and plans the cases.
 * Rejects with a `DataFileError` if `specs/sdk-requirements.yaml` is invalid.
 */
export async function prepareSdks(
  promise: GatewayPromise,
  {
    drivers,
    folder,
    connection = {},
    signal,
  }: {
    readonly drivers: readonly SdkDriver[];
    readonly folder: string;
    readonly connection?: ConnectionOptions;
    readonly signal: AbortSignal;
  },
): Promise<PreparedSdks> {
  const spec = loadSdkSpec(promise.schemas);
  const sdks = new Map(drivers.map((driver) => [driver, loadSdk(driver, folder)]));
  const wanted = new Set(
    [...sdks].flatMap(([driver, { kind }]) => (kind === 'loaded' ? driver.operations : [])),
  );
  const { models, diagnosis } = await findModels(promise, wanted, { connection, signal });
  const cases = planSdkCases({
    spec,
    profile: promise.profile,
    models,
    sdks: [...sdks].map(([driver, result]) => ({ driver, result })),
  });
  return { promise, connection, spec, sdks, models, cases, diagnosis };
}

/**
 * Returns a model for each wanted operation, if known. If the profile lacks the model or the path of an operation,
 * sends requests to find a model.
 */
async function findModels(
  promise: GatewayPromise,
  wanted: ReadonlySet<ModelOperation>,
  { connection, signal }: { readonly connection: ConnectionOptions; readonly signal: AbortSignal },
): Promise<Pick<PreparedSdks, 'models' | 'diagnosis'>> {
  const { profile } = promise;
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
  const probed = await probe(promise, { reach: connection, signal });
  const probedModels = modelOperations.flatMap((operation) => {
    const { kind, model } = probed.operations[operation];
    return wanted.has(operation) && kind === 'succeeded' && model !== undefined
      ? [[operation, model] as const]
      : [];
  });
  const diagnosis = probed.accepted ? [] : probed.diagnosis;
  return { models: new Map([...probedModels, ...stated]), diagnosis };
}
