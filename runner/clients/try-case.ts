import { setTimeout as sleep } from 'node:timers/promises';
import { protocolVersion } from '../../contract/specification.ts';
import type { Facts } from '../catalog/condition.ts';
import { completeFacts } from '../plan/complete-facts.ts';
import type { CapturedExchange } from '../proxy/capture.ts';
import { joined } from '../proxy/headers.ts';
import type { Keys } from '../request/keys.ts';
import { type Exchange, isTransient, succeeded } from '../transport/exchange.ts';
import { type DriveOutcome, drive, type PreparedClients } from './drive.ts';
import { type ClientVerdict, inconclusive, notApplicable } from './judge-valid-call.ts';
import type { ClientCase } from './plan-clients.ts';
import type { Access, Call, Missing, OpenSdk } from './sdk.ts';

/** A case that was tried, or why it was not. */
export type TriedOperation =
  | {
      readonly planned: ClientCase;
      readonly kind: 'tried';
      readonly came: DriveOutcome;
      /** The requests of the SDK; of a case that was tried again, those of the last time. */
      readonly exchanges: readonly Exchange[];
      readonly sent: number;
    }
  | { readonly planned: ClientCase; readonly kind: 'not-tried'; readonly verdict: VerdictWhen };

/** A verdict that depends on whether the key was accepted anywhere. */
type VerdictWhen = (keyAccepted: boolean) => ClientVerdict;

/** What cases are tried with. */
export interface TryContext {
  readonly prepared: PreparedClients;
  readonly keys: Keys;
  readonly unlistedModel: string;
  readonly signal: AbortSignal;
}

/** How long to wait before a case whose answer may be a passing condition is tried again, in milliseconds. */
const pauseMs = 1_000;

/** Lets the SDK of a case act, unless what was tried before it shows that this would prove nothing. */
export async function tryCase(
  planned: ClientCase,
  before: readonly TriedOperation[],
  context: TryContext,
): Promise<TriedOperation> {
  const verdict = needless(planned, before, context.signal);
  if (verdict) return { planned, kind: 'not-tried', verdict };
  const found = context.prepared.found.get(planned.sdk);
  if (found?.kind !== 'open') throw new Error(`${planned.id} has no SDK.`);
  const first = await once(planned, found.sdk, context);
  if (!first.exchanges.some(({ result }) => isTransient(result))) return first;
  await sleep(pauseMs, undefined, { signal: context.signal }).catch(() => {});
  const second = await once(planned, found.sdk, context);
  const sent = first.sent + second.sent;
  const good = controlOf(planned, before);
  const last = second.exchanges.at(-1);
  if (!good || !last || !isPassing(second.exchanges)) return { ...second, sent };
  // What stays although the same call succeeds with good key and model is the answer to what is asked.
  const control = await once(good.planned, found.sdk, context);
  const controlAfter = isAnswered(control) ? 'succeeded' : 'failed';
  const exchanges = [...second.exchanges.slice(0, -1), { ...last, controlAfter } as const];
  return { ...second, exchanges, sent: sent + control.sent };
}

/** Whether the last answer to a case was a success. */
export function isAnswered(item: TriedOperation | undefined): boolean {
  const last = item?.kind === 'tried' ? item.exchanges.at(-1) : undefined;
  return last !== undefined && succeeded(last.result);
}

function isPassing(exchanges: readonly Exchange[]): boolean {
  const last = exchanges.at(-1);
  return last !== undefined && isTransient(last.result);
}

/** Of a call that must be refused, the good call that is the same in all else. */
function controlOf(planned: ClientCase, before: readonly TriedOperation[]): TriedOperation | undefined {
  if (planned.act !== 'refused') return undefined;
  const act = planned.given.streamed === 'true' ? 'streamed' : 'plain';
  return before.find(
    (item) =>
      item.planned.sdk === planned.sdk &&
      item.planned.operation === planned.operation &&
      item.planned.act === act,
  );
}

function needless(
  planned: ClientCase,
  before: readonly TriedOperation[],
  signal: AbortSignal,
): VerdictWhen | undefined {
  const { notApplicable: lack, sdk, act } = planned;
  if (lack) return () => notApplicable(lack.reason);
  if (signal.aborted) return () => inconclusive('The run was interrupted.');
  if (act !== 'refused') {
    const unanswered = before.find(
      (item) => item.planned.sdk === sdk && item.kind === 'tried' && item.came.kind === 'unfinished',
    );
    return unanswered && (() => inconclusive(`An earlier call by this SDK did not finish.`));
  }
  const good = controlOf(planned, before);
  if (isAnswered(good)) return undefined;
  const reason = `No valid call by this SDK succeeded, so its errors prove nothing.`;
  // That the gateway refuses what this SDK sends is told of the good call; where nothing succeeds, nothing is known.
  const isRefused = good?.kind !== 'tried' || !isPassing(good.exchanges);
  return (keyAccepted) => (keyAccepted && isRefused ? notApplicable(reason) : inconclusive(reason));
}

async function once(
  planned: ClientCase,
  sdk: OpenSdk,
  { prepared: { catalog, profile, reach, models }, keys, unlistedModel, signal }: TryContext,
): Promise<Extract<TriedOperation, { kind: 'tried' }>> {
  const { given, operation } = planned;
  const model = given.model === 'unlisted' ? unlistedModel : models.get(operation);
  const { came, passed } = await drive(
    sdk,
    {
      baseUrl: profile.baseUrl,
      reach,
      key: keys.value(given.key ?? 'good') ?? profile.keys.valid,
      // The SDKs of family B send their own version header, which may have another name here.
      headers: {
        ...(operation === 'messages' && { [profile.versionHeader]: protocolVersion }),
        ...profile.headers,
      },
      signal,
    },
    actOf(planned, { sdk, model, extra: profile.bodies[operation] ?? {} }),
  );
  const exchanges = passed.map((item, index): Exchange => {
    const facts = completeFacts({ ...given, header: headerOf(item) }, catalog.operations, profile);
    return exchangeOf(item, { id: `${planned.id}#${index + 1}`, facts, model, baseUrl: profile.baseUrl });
  });
  return { planned, kind: 'tried', came, exchanges, sent: exchanges.length };
}

/** What an act needs beside the way to the gateway. */
export interface ActContext {
  readonly sdk: OpenSdk;
  /** The model that is asked for; of a list, the one that should be in it. */
  readonly model: string | undefined;
  readonly extra: Call['extra'];
}

/** What a case lets its SDK do. */
export function actOf(
  { act, operation, given }: ClientCase,
  { sdk, model, extra }: ActContext,
): (access: Access) => Promise<Missing> {
  if (act === 'list') return async (access) => missingModel(await sdk.models(access), model);
  const send = act === 'streamed' || given.streamed === 'true' ? sdk.streamed : sdk.plain;
  const lacksContent = given.fault === 'missing';
  return (access) => send({ ...access, operation, model: model ?? '', extra, lacksContent });
}

/** A list may write a model with something before it, such as `models/`. */
function missingModel(listed: readonly string[], model: string | undefined): Missing {
  if (model === undefined) return listed.length > 0 ? undefined : 'a model';
  return listed.some((id) => id === model || id.endsWith(`/${model}`)) ? undefined : 'the called model';
}

/** Headers of one connection, or of one body, that would be wrong in a request that is sent again. */
const ofConnection = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
];

/** The header in which a request carries its key, in the words of the fact `header`. */
export function headerOf({ request }: CapturedExchange): string {
  const names = new Set(request.headers.map(([name]) => name));
  if (names.has('authorization')) return 'bearer';
  return ['x-api-key', 'x-goog-api-key'].find((name) => names.has(name)) ?? 'none';
}

/** A request that passed by, as the exchange that the ledger judges and the report shows. */
export function exchangeOf(
  passed: CapturedExchange,
  known: {
    readonly id: string;
    readonly facts: Facts;
    readonly model: string | undefined;
    readonly baseUrl: string;
  },
): Exchange {
  const { method, url, headers, body } = passed.request;
  const shown = Object.entries(joined(headers)).filter(([name]) => !ofConnection.includes(name));
  return {
    id: known.id,
    facts: known.facts,
    model: known.model,
    request: { method, path: url.slice(known.baseUrl.length), headers: Object.fromEntries(shown), body },
    result: passed.result,
    startedAt: passed.startedAt,
    durationMs: passed.durationMs,
    earlier: [],
    controlAfter: undefined,
  };
}
