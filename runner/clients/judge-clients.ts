import { randomUUID } from 'node:crypto';
import { makeRedact } from '../report/redaction/redact.ts';
import type { Report } from '../report/report.ts';
import { makeKeys } from '../request/keys.ts';
import { buildClientsReport, type JudgedClientCase } from './build-clients-report.ts';
import type { PreparedClients } from './drive.ts';
import { type ClientVerdict, judgeGood } from './judge-valid-call.ts';
import { judgeRefused } from './judge-refused-call.ts';
import type { ClientCase } from './plan-clients.ts';
import type { FoundSdk } from './sdk.ts';
import { isAnswered, type TriedOperation, tryCase } from './try-case.ts';

/** Lets SDKs act against the gateway, one thing after the other, and gives the report of what came of it. */
export async function judgeClients(prepared: PreparedClients, signal: AbortSignal): Promise<Report> {
  const { profile, ledger, cases, found } = prepared;
  const keys = makeKeys(profile.keys, { secrets: profile.secrets });
  const unlistedModel = `conformance-unlisted-${randomUUID()}`;
  const startedAt = Date.now();
  const start = performance.now();
  const tried: TriedOperation[] = [];
  for (const planned of cases)
    tried.push(await tryCase(planned, tried, { prepared, keys, unlistedModel, signal }));
  const keyAccepted = tried.some((item) => item.planned.act !== 'refused' && isAnswered(item));
  const judged = tried.map((item): JudgedClientCase => {
    const sdk = found.get(item.planned.sdk);
    return {
      planned: item.planned,
      versions: sdk?.kind === 'open' ? sdk.versions : {},
      exchanges: item.kind === 'tried' ? item.exchanges : [],
      verdicts: judgeTried(item, sdk, { prepared, unlistedModel, keyAccepted }),
    };
  });
  return buildClientsReport({
    baseUrl: profile.baseUrl,
    redact: makeRedact(keys.secrets),
    keyVariables: profile.keyVariables,
    ledger,
    judged,
    requests: {
      ...estimateOf(cases),
      sent: tried.reduce((sum, item) => sum + (item.kind === 'tried' ? item.sent : 0), 0),
    },
    diagnosis: prepared.diagnosis,
    startedAt,
    durationMs: performance.now() - start,
    stopped: signal.aborted ? { kind: 'interrupted', reason: 'The run was interrupted.' } : null,
  });
}

/** The requests that cases come to where none is repeated. */
export function estimateOf(cases: readonly ClientCase[]): Omit<Report['requests'], 'sent'> {
  const sent = cases.filter(({ notApplicable }) => !notApplicable);
  return {
    requests: sent.length,
    billable: sent.filter(({ act }) => act === 'plain' || act === 'streamed').length,
    badKeys: sent.filter(({ given }) => given.key === 'unknown').length,
  };
}

function judgeTried(
  item: TriedOperation,
  found: FoundSdk | undefined,
  {
    prepared: { catalog, ledger },
    unlistedModel,
    keyAccepted,
  }: {
    readonly prepared: PreparedClients;
    readonly unlistedModel: string;
    readonly keyAccepted: boolean;
  },
): ClientVerdict[] {
  const { planned } = item;
  if (item.kind === 'not-tried') return planned.requirements.map(() => item.verdict(keyAccepted));
  const requirements = planned.requirements.map((id) => {
    const requirement = ledger.requirements.find((entry) => entry.id === id);
    if (!requirement) throw new Error(`specs/clients.yaml has no requirement ${id}.`);
    return requirement;
  });
  const versions = found?.kind === 'open' ? Object.entries(found.versions) : [];
  const sdk = versions.map(([name, version]) => `${name} ${version}`).join(' with ');
  const result = { sdk, came: item.came, exchanges: item.exchanges };
  if (planned.act !== 'refused') {
    const isOwnList = planned.act === 'list' && planned.sdk.lists === 'own';
    return requirements.map((requirement) => judgeGood(requirement, result, { keyAccepted, isOwnList }));
  }
  return judgeRefused(requirements, result, {
    catalog,
    unlistedModel,
    goodModels: [],
    clients: ledger,
    classOf: (status) => (found?.kind === 'open' ? found.sdk.classOf(status) : ''),
  });
}
