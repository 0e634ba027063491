import { setTimeout as sleep } from 'node:timers/promises';
import { protocolVersion } from '../../common/specification.ts';
import type { Attributes } from '../catalog/condition.ts';
import { type Exchange, succeeded } from '../exchange/exchange.ts';
import { isTransientResult } from '../exchange/reading.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import type { RunKeys } from '../request/keys.ts';
import type { CapturedExchange } from '../traffic/proxy/capture.ts';
import { joinHeaderLines } from '../traffic/proxy/headers.ts';
import { type DriveOutcome, driveSdk } from './drive-sdk.ts';
import {
  createInconclusiveVerdict,
  createNotApplicableVerdict,
  type SdkVerdict,
} from './judge-valid-call.ts';
import type { SdkCase } from './plan-sdk-cases.ts';
import type { PreparedSdks } from './prepare-sdks.ts';
import type { Access, LoadedSdk, MissingPart, ModelCall } from './sdk.ts';

/** A case that was sent, or the verdict on a case that was skipped. */
export type CaseAttempt =
  | {
      readonly planned: SdkCase;
      readonly kind: 'tried';
      readonly outcome: DriveOutcome;
      /** The exchanges of the SDK. For a repeated case, the exchanges of the last attempt. */
      readonly exchanges: readonly Exchange[];
      /** The number of requests in all attempts, including controls. */
      readonly sent: number;
    }
  | { readonly planned: SdkCase; readonly kind: 'skipped'; readonly verdict: LateVerdict };

type LateVerdict = (keyAccepted: boolean) => SdkVerdict;

export interface TryContext {
  readonly prepared: PreparedSdks;
  readonly keys: RunKeys;
  readonly unlistedModel: string;
  readonly signal: AbortSignal;
}

/** The pause before a case with a transient response is repeated, in milliseconds. */
const pauseMs = 1_000;

/**
 * Runs a case, and repeats the case once after a transient response. Skips a case that is not applicable, and a case
 * whose result would prove nothing, because the run was interrupted or an earlier case failed. Rejects with an
 * `Error` if the SDK of the case is not loaded.
 */
export async function tryCase(
  planned: SdkCase,
  before: readonly CaseAttempt[],
  context: TryContext,
): Promise<CaseAttempt> {
  const verdict = explainSkip(planned, before, context.signal);
  if (verdict) return { planned, kind: 'skipped', verdict };
  const loaded = context.prepared.sdks.get(planned.driver);
  if (loaded?.kind !== 'loaded')
    throw new Error(`The SDK of ${planned.id} is not loaded. Load the SDK before the first case.`);
  const first = await tryOnce(planned, loaded.sdk, context);
  if (!first.exchanges.some(({ result }) => isTransientResult(result))) return first;
  await sleep(pauseMs, undefined, { signal: context.signal }).catch(() => {});
  const second = await tryOnce(planned, loaded.sdk, context);
  const sent = first.sent + second.sent;
  const controlBefore = findControl(planned, before);
  const last = second.exchanges.at(-1);
  if (!controlBefore || !last || !isTransientFailure(second.exchanges)) return { ...second, sent };
  // If the same call with a valid key and model succeeds, but this response persists, the response is not
  // transient.
  const control = await tryOnce(controlBefore.planned, loaded.sdk, context);
  const controlAfter = hasSucceeded(control) ? 'succeeded' : 'failed';
  const exchanges = [...second.exchanges.slice(0, -1), { ...last, controlAfter } as const];
  return { ...second, exchanges, sent: sent + control.sent };
}

/** Whether the last response of a case was a success. Returns false for a skipped case and for undefined. */
export function hasSucceeded(item: CaseAttempt | undefined): boolean {
  const last = item?.kind === 'tried' ? item.exchanges.at(-1) : undefined;
  return last !== undefined && succeeded(last.result);
}

function isTransientFailure(exchanges: readonly Exchange[]): boolean {
  const last = exchanges.at(-1);
  return last !== undefined && isTransientResult(last.result);
}

/**
 * Returns the control of a call that must be rejected: the valid call of the same SDK and operation. Returns undefined
 * for any other call.
 */
function findControl(planned: SdkCase, before: readonly CaseAttempt[]): CaseAttempt | undefined {
  if (planned.act !== 'rejected') return undefined;
  const act = planned.given.streamed === 'true' ? 'streamed' : 'plain';
  return before.find(
    (item) =>
      item.planned.driver === planned.driver &&
      item.planned.operation === planned.operation &&
      item.planned.act === act,
  );
}

function explainSkip(
  planned: SdkCase,
  before: readonly CaseAttempt[],
  signal: AbortSignal,
): LateVerdict | undefined {
  const { notApplicable, driver, act } = planned;
  if (notApplicable) return () => createNotApplicableVerdict(notApplicable.reason);
  if (signal.aborted) return () => createInconclusiveVerdict('The run was interrupted.');
  if (act !== 'rejected') {
    const unfinished = before.find(
      (item) => item.planned.driver === driver && item.kind === 'tried' && item.outcome.kind === 'unfinished',
    );
    return unfinished && (() => createInconclusiveVerdict('An earlier call by this SDK did not finish.'));
  }
  const control = findControl(planned, before);
  if (hasSucceeded(control)) return undefined;
  const reason =
    'The corresponding valid call by this SDK did not succeed, so the response to this call cannot be judged.';
  // If the gateway refuses only the valid calls of this SDK, the cases of these calls report the refusal. If the
  // gateway accepts no key, nothing can be judged.
  const isRefused = control?.kind !== 'tried' || !isTransientFailure(control.exchanges);
  return (keyAccepted) =>
    keyAccepted && isRefused ? createNotApplicableVerdict(reason) : createInconclusiveVerdict(reason);
}

async function tryOnce(
  planned: SdkCase,
  sdk: LoadedSdk,
  { prepared: { promise, connection, models }, keys, unlistedModel, signal }: TryContext,
): Promise<Extract<CaseAttempt, { kind: 'tried' }>> {
  const { profile } = promise;
  const { given, operation } = planned;
  const model = given.model === 'unlisted' ? unlistedModel : models.get(operation);
  const { outcome, exchanges: captured } = await driveSdk(
    sdk,
    {
      baseUrl: profile.baseUrl,
      connection,
      key: keys.value(given.key ?? 'good') ?? profile.keys.valid,
      // The SDKs of family B send their own version header. The gateway may expect a version header with another
      // name.
      headers: {
        ...(operation === 'messages' && { [profile.versionHeader]: protocolVersion }),
        ...profile.headers,
      },
      signal,
    },
    createAct(planned, { sdk, model, extra: profile.bodies[operation] ?? {} }),
  );
  const exchanges = captured.map((item, index): Exchange => {
    const attributes = completeAttributes({ ...given, header: inferHeader(item) }, promise);
    const id = `${planned.id}#${index + 1}`;
    return toExchange(item, { id, attributes, model, baseUrl: profile.baseUrl });
  });
  return { planned, kind: 'tried', outcome, exchanges, sent: exchanges.length };
}

/** The parameters of an SDK call in addition to the access to the gateway. */
export interface ActContext {
  readonly sdk: LoadedSdk;
  /** The model to call; for a list, the model that should be listed. Undefined if no model is known. */
  readonly model: string | undefined;
  readonly extra: ModelCall['extra'];
}

/** Creates the function that makes the SDK call of a case. */
export function createAct(
  { act, operation, given }: SdkCase,
  { sdk, model, extra }: ActContext,
): (access: Access) => Promise<MissingPart> {
  if (act === 'list') return async (access) => findMissingModel(await sdk.models(access), model);
  const send = act === 'streamed' || given.streamed === 'true' ? sdk.streamed : sdk.plain;
  const lacksContent = given.fault === 'missing';
  return (access) => send({ ...access, operation, model: model ?? '', extra, lacksContent });
}

/** Returns the missing part of a model list. An ID in the list may have a prefix that ends with a slash. */
function findMissingModel(listed: readonly string[], model: string | undefined): MissingPart {
  if (model === undefined) return listed.length > 0 ? undefined : 'a model';
  return listed.some((id) => id === model || id.endsWith(`/${model}`)) ? undefined : 'the called model';
}

/** Headers that apply to one connection or one body, and would be wrong in a curl line. */
const perConnectionHeaders = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
];

/** Returns the value of the attribute `header` for a captured request. */
export function inferHeader({ request }: CapturedExchange): string {
  const names = new Set(request.headers.map(([name]) => name));
  if (names.has('authorization')) return 'bearer';
  return ['x-api-key', 'x-goog-api-key'].find((name) => names.has(name)) ?? 'none';
}

/** Converts a captured exchange to an exchange that can be judged and reported. */
export function toExchange(
  captured: CapturedExchange,
  known: {
    readonly id: string;
    readonly attributes: Attributes;
    readonly model: string | undefined;
    readonly baseUrl: string;
  },
): Exchange {
  const { method, url, headers, body } = captured.request;
  const shown = Object.entries(joinHeaderLines(headers)).filter(
    ([name]) => !perConnectionHeaders.includes(name),
  );
  return {
    id: known.id,
    attributes: known.attributes,
    model: known.model,
    request: { method, path: url.slice(known.baseUrl.length), headers: Object.fromEntries(shown), body },
    result: captured.result,
    startedAt: captured.startedAt,
    durationMs: captured.durationMs,
    earlier: [],
    controlAfter: undefined,
  };
}
