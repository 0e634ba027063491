import { randomUUID } from 'node:crypto';
import { completeFacts } from '../plan/complete-facts.ts';
import { makeRedact } from '../report/redact.ts';
import type { Report } from '../report/report.ts';
import { type Exchange, succeeded } from '../send/exchange.ts';
import { type Keys, makeKeys, truncatedLength } from '../send/keys.ts';
import { type ActContext, actOf } from './act-of.ts';
import { buildClientsReport, type JudgedClientCase } from './build-clients-report.ts';
import { drive } from './drive.ts';
import { exchangeOf, headerOf } from './exchange-of.ts';
import { type ClientResult, type ClientVerdict, inconclusive, judgeGood } from './judge-client.ts';
import { judgeRefused } from './judge-refused.ts';
import type { ClientCase } from './plan-clients.ts';
import type { PreparedClients } from './prepare-clients.ts';

/** A case that was tried, or why it was not. */
type Tried =
  | { readonly planned: ClientCase; readonly kind: 'tried'; readonly result: ClientResult }
  | { readonly planned: ClientCase; readonly kind: 'not-tried'; readonly verdict: ClientVerdict };

/** Lets SDKs act against the gateway, one thing after the other, and gives the report of what came of it. */
export async function judgeClients(prepared: PreparedClients, signal: AbortSignal): Promise<Report> {
  const { profile, ledger, cases, found } = prepared;
  const keys = makeKeys(profile.keys);
  const unlistedModel = `conformance-unlisted-${randomUUID()}`;
  const startedAt = Date.now();
  const start = performance.now();
  const tried: Tried[] = [];
  for (const planned of cases)
    tried.push(await tryCase(planned, tried, { prepared, keys, unlistedModel, signal }));

  const keyAccepted = tried.some((item) => item.planned.act !== 'refused' && isAnswered(item));
  const judged = tried.map((item): JudgedClientCase => {
    const { planned } = item;
    const loaded = found.get(planned.sdk);
    const common = { planned, versions: loaded?.kind === 'open' ? loaded.versions : {} };
    if (item.kind === 'not-tried')
      return { ...common, exchanges: [], verdicts: planned.requirements.map(() => item.verdict) };
    return {
      ...common,
      exchanges: item.result.exchanges,
      verdicts: judgeTried(planned, item.result, { prepared, unlistedModel, keyAccepted }),
    };
  });
  const sent = cases.filter((item) => !item.notApplicable);
  return buildClientsReport({
    baseUrl: profile.baseUrl,
    redact: makeRedact(keys.secrets),
    cut: profile.keys.valid.length - truncatedLength(profile.keys.valid),
    ledger,
    judged,
    estimate: estimateOf(sent),
    diagnosis: prepared.diagnosis,
    startedAt,
    durationMs: performance.now() - start,
    stopped: signal.aborted ? { kind: 'interrupted', reason: 'The run was interrupted.' } : null,
  });
}

/** The requests of cases, their retries left out. */
export function estimateOf(cases: readonly ClientCase[]): Omit<Report['requests'], 'sent'> {
  return {
    requests: cases.length,
    billable: cases.filter(({ act }) => act === 'plain' || act === 'streamed').length,
    badKeys: cases.filter(({ given }) => given.key === 'unknown').length,
  };
}

/** Whether the last answer to a case was a success. */
function isAnswered(item: Tried | undefined): boolean {
  const last = item?.kind === 'tried' ? item.result.exchanges.at(-1) : undefined;
  return last !== undefined && succeeded(last.result);
}

async function tryCase(
  planned: ClientCase,
  before: readonly Tried[],
  {
    prepared: { catalog, profile, found, models },
    keys,
    unlistedModel,
    signal,
  }: {
    readonly prepared: PreparedClients;
    readonly keys: Keys;
    readonly unlistedModel: string;
    readonly signal: AbortSignal;
  },
): Promise<Tried> {
  const without = (verdict: ClientVerdict): Tried => ({ planned, kind: 'not-tried', verdict });
  if (planned.notApplicable)
    return without({ outcome: 'not-applicable', findings: [], reason: planned.notApplicable.reason });
  const loaded = found.get(planned.sdk);
  if (loaded?.kind !== 'open') throw new Error(`${planned.id} has no SDK.`);
  if (signal.aborted) return without(inconclusive('The run was interrupted.'));
  const good = before.find(
    ({ planned: { sdk, operation, act } }) =>
      sdk === planned.sdk && operation === planned.operation && act === 'plain',
  );
  const isUnanswered = good?.kind === 'tried' && good.result.exchanges.at(-1)?.result.kind !== 'answer';
  if (planned.act !== 'plain' && isUnanswered)
    return without(inconclusive(`The good call of ${planned.sdk.id} was not answered.`));
  if (planned.act === 'refused' && !isAnswered(good))
    return without(
      inconclusive(`No good call of ${planned.sdk.id} succeeded, so an error of it may have any cause.`),
    );

  const asked = planned.given.model === 'unlisted' ? unlistedModel : models.get(planned.operation);
  const context: ActContext = {
    sdk: loaded.sdk,
    model: asked,
    extra: profile.bodies[planned.operation] ?? {},
  };
  const { came, passed } = await drive(
    loaded.sdk,
    {
      baseUrl: profile.baseUrl,
      key: keys.value(planned.given.key ?? 'good') ?? profile.keys.valid,
      headers: headersOf(planned, profile),
      signal,
    },
    actOf(planned, context),
  );
  const exchanges = passed.map((item, index): Exchange => {
    const facts = completeFacts({ ...planned.given, header: headerOf(item) }, catalog.operations, profile);
    const id = `${planned.id}#${index + 1}`;
    return exchangeOf(item, { id, facts, model: asked, baseUrl: profile.baseUrl });
  });
  const sdk = Object.entries(loaded.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(' with ');
  return { planned, kind: 'tried', result: { sdk, came, exchanges } };
}

/** The headers of the profile; family B also gets its version header where the profile names another than the SDKs'. */
function headersOf({ operation }: ClientCase, profile: PreparedClients['profile']): Record<string, string> {
  const version = operation === 'messages' ? { [profile.versionHeader]: '2023-06-01' } : {};
  return { ...version, ...profile.headers };
}

function judgeTried(
  planned: ClientCase,
  result: ClientResult,
  {
    prepared: { catalog, ledger, found },
    unlistedModel,
    keyAccepted,
  }: { readonly prepared: PreparedClients; readonly unlistedModel: string; readonly keyAccepted: boolean },
): ClientVerdict[] {
  const requirements = planned.requirements.flatMap(
    (id) => ledger.requirements.find((requirement) => requirement.id === id) ?? [],
  );
  if (planned.act !== 'refused') return requirements.map((item) => judgeGood(item, result, { keyAccepted }));
  const loaded = found.get(planned.sdk);
  const classOf = (status: number): string => (loaded?.kind === 'open' ? loaded.sdk.classOf(status) : '');
  return judgeRefused(requirements, result, {
    catalog,
    unlistedModel,
    goodModels: [],
    clients: ledger,
    classOf,
  });
}
