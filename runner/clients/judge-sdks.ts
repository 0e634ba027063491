import { randomUUID } from 'node:crypto';
import { makeRedact } from '../report/redaction/redact.ts';
import type { Report } from '../report/report.ts';
import { deriveKeys } from '../request/keys.ts';
import { buildSdkReport, type JudgedSdkCase } from './build-sdk-report.ts';
import { judgeRejectedCall } from './judge-rejected-call.ts';
import { judgeValidCall, type SdkVerdict } from './judge-valid-call.ts';
import type { SdkCase } from './plan-sdk-cases.ts';
import type { PreparedSdks } from './prepare-sdks.ts';
import type { SdkLoadResult } from './sdk.ts';
import { type CaseAttempt, hasSucceeded, tryCase } from './try-case.ts';

/** Runs the planned cases one after another, and returns the report. */
export async function judgeSdks(prepared: PreparedSdks, signal: AbortSignal): Promise<Report> {
  const { profile, spec, cases, sdks } = prepared;
  const keys = deriveKeys(profile.keys, { secrets: profile.secrets });
  const unlistedModel = `conformance-unlisted-${randomUUID()}`;
  const startedAt = Date.now();
  const start = performance.now();
  const attempts: CaseAttempt[] = [];
  for (const planned of cases)
    attempts.push(await tryCase(planned, attempts, { prepared, keys, unlistedModel, signal }));
  const keyAccepted = attempts.some((item) => item.planned.act !== 'rejected' && hasSucceeded(item));
  const judged = attempts.map((item): JudgedSdkCase => {
    const sdk = sdks.get(item.planned.driver);
    return {
      planned: item.planned,
      versions: sdk?.kind === 'loaded' ? sdk.versions : {},
      exchanges: item.kind === 'tried' ? item.exchanges : [],
      verdicts: judgeAttempt(item, sdk, { prepared, unlistedModel, keyAccepted }),
    };
  });
  return buildSdkReport({
    baseUrl: profile.baseUrl,
    redact: makeRedact(keys.secrets),
    keyVariables: profile.keyVariables,
    spec,
    clauses: prepared.catalog.clauses,
    judged,
    requests: {
      ...estimateRequests(cases),
      sent: attempts.reduce((sum, item) => sum + (item.kind === 'tried' ? item.sent : 0), 0),
    },
    diagnosis: prepared.diagnosis,
    startedAt,
    durationMs: performance.now() - start,
    stopped: signal.aborted ? { kind: 'interrupted', reason: 'The run was interrupted.' } : null,
  });
}

/** Estimates the requests of the planned cases, without retries. */
export function estimateRequests(cases: readonly SdkCase[]): Omit<Report['requests'], 'sent'> {
  const sent = cases.filter(({ notApplicable }) => !notApplicable);
  return {
    requests: sent.length,
    billable: sent.filter(({ act }) => act === 'plain' || act === 'streamed').length,
    badKeys: sent.filter(({ given }) => given.key === 'unknown').length,
  };
}

function judgeAttempt(
  attempt: CaseAttempt,
  sdk: SdkLoadResult | undefined,
  {
    prepared: { catalog, spec },
    unlistedModel,
    keyAccepted,
  }: {
    readonly prepared: PreparedSdks;
    readonly unlistedModel: string;
    readonly keyAccepted: boolean;
  },
): SdkVerdict[] {
  const { planned } = attempt;
  if (attempt.kind === 'skipped') return planned.requirements.map(() => attempt.verdict(keyAccepted));
  const requirements = planned.requirements.map((id) => {
    const requirement = spec.requirements.find((entry) => entry.id === id);
    if (!requirement) throw new Error(`specs/sdk-requirements.yaml has no requirement ${id}.`);
    return requirement;
  });
  const versions = sdk?.kind === 'loaded' ? Object.entries(sdk.versions) : [];
  const result = {
    sdk: versions.map(([name, version]) => `${name} ${version}`).join(' with '),
    outcome: attempt.outcome,
    exchanges: attempt.exchanges,
  };
  if (planned.act !== 'rejected') {
    const isOwnList = planned.act === 'list' && planned.driver.lists === 'own';
    return requirements.map((requirement) => judgeValidCall(requirement, result, { keyAccepted, isOwnList }));
  }
  return judgeRejectedCall(requirements, result, {
    catalog,
    unlistedModel,
    goodModels: [],
    spec,
    classOf: (status) => (sdk?.kind === 'loaded' ? sdk.sdk.classOf(status) : ''),
  });
}
