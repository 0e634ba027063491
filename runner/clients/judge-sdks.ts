import { randomUUID } from 'node:crypto';
import { answerOf } from '../exchange/exchange.ts';
import { createRedact } from '../report/redaction/redact.ts';
import type { Report } from '../report/report.ts';
import { deriveKeys } from '../request/keys.ts';
import { buildSdkReport, type JudgedSdkCase } from './build-sdk-report.ts';
import {
  type AspectResult,
  findRequiredStatus,
  findViolations,
  isErrorAspect,
  judgeErrorAspect,
  type RejectedCallContext,
} from './judge-error.ts';
import {
  conformsVerdict,
  createFailedVerdict,
  createFinding,
  createInconclusiveVerdict,
  createNotApplicableVerdict,
  judgeIncomplete,
  judgeValidCall,
  type SdkCallResult,
  type SdkVerdict,
} from './judge-valid-call.ts';
import type { SdkCase } from './plan-sdk-cases.ts';
import type { PreparedSdks } from './prepare-sdks.ts';
import type { SdkLoadResult } from './sdk.ts';
import type { SdkRequirement } from './sdk-spec.ts';
import { type CaseAttempt, hasSucceeded, tryCase } from './try-case.ts';

/**
 * Runs the planned cases one after another, and returns the report. After `signal` is aborted, sends no further case.
 */
export async function judgeSdks(prepared: PreparedSdks, signal: AbortSignal): Promise<Report> {
  const { promise, spec, cases, sdks } = prepared;
  const { profile } = promise;
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
    redact: createRedact(keys.secrets),
    keyVariables: profile.keyVariables,
    spec,
    clauses: promise.clauses,
    sections: promise.sections,
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

/** Returns the estimated numbers of requests of the planned cases, without retries. */
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
    prepared: { promise, spec },
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
    if (!requirement)
      throw new Error(
        `specs/sdk-requirements.yaml has no requirement "${id}". Add the requirement, or correct the ID.`,
      );
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
    promise,
    unlistedModel,
    spec,
    classOf: (status) => (sdk?.kind === 'loaded' ? sdk.sdk.classOf(status) : ''),
  });
}

/** Judges a call that the gateway must reject. Returns a verdict for each requirement, in order. */
function judgeRejectedCall(
  requirements: readonly SdkRequirement[],
  result: SdkCallResult,
  context: RejectedCallContext,
): SdkVerdict[] {
  const exchange = result.exchanges.at(-1);
  const answer = exchange && answerOf(exchange);
  const violations = exchange ? findViolations(exchange, context.spec.refusals, context) : [];
  const requiredStatus = findRequiredStatus(violations);
  const incomplete = requiredStatus === undefined ? judgeIncomplete(result) : undefined;
  if (incomplete || !exchange || !answer)
    return requirements.map(() => incomplete ?? createInconclusiveVerdict('No response was received.'));
  const rejected = { result, context, exchange, answer, violations, requiredStatus };
  const aspects = new Map(
    requirements.flatMap(({ id }) =>
      isErrorAspect(id) ? [[id, judgeErrorAspect(id, rejected)] as const] : [],
    ),
  );
  return requirements.map((requirement): SdkVerdict => {
    const { id } = requirement;
    if (isErrorAspect(id)) return createAspectVerdict(requirement, aspects.get(id));
    if (id === 'clients/error-understood') return judgeErrorUnderstood(requirement, [...aspects.values()]);
    return result.outcome.kind === 'raised'
      ? conformsVerdict
      : createFailedVerdict(
          requirement,
          createFinding(
            result,
            { name: 'the streamed call', expected: 'rejected', actual: 'no error' },
            'wrong-status',
          ),
        );
  });
}

/**
 * Creates the verdict for an aspect. The check fails only if the gateway caused the loss. `clients/error-understood`
 * judges losses that the SDK alone caused.
 */
function createAspectVerdict(requirement: SdkRequirement, aspect: AspectResult | undefined): SdkVerdict {
  if (aspect?.kind === 'undecided') return aspect.verdict;
  if (aspect?.kind === 'lost' && aspect.loss.violates.length > 0)
    return createFailedVerdict(requirement, aspect.loss.finding);
  return conformsVerdict;
}

function judgeErrorUnderstood(requirement: SdkRequirement, aspects: readonly AspectResult[]): SdkVerdict {
  const losses = aspects.flatMap((item) => (item.kind === 'lost' ? [item.loss] : []));
  const causedBySdk = losses.filter(({ violates }) => violates.length === 0);
  if (causedBySdk.length > 0)
    return createFailedVerdict(requirement, ...causedBySdk.map((loss) => loss.finding));
  if (losses.length > 0) return createNotApplicableVerdict('The response itself is wrong.');
  const undecided = aspects.find((item) => item.kind === 'undecided');
  return undecided?.kind === 'undecided' ? undecided.verdict : conformsVerdict;
}
