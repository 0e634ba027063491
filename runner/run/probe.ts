import { type AcceptedHeader, mapOperations, type OperationId, operationIds } from '../catalog/operations.ts';
import {
  type Control,
  type Controls,
  type Execution,
  isHeaderControl,
  isKeyAccepted,
} from '../evidence/controls.ts';
import { answerOf, type Exchange, succeeded } from '../exchange/exchange.ts';
import { defaultRetryPolicy } from '../exchange/retry-policy.ts';
import { type PlannedCase, plan } from '../plan/plan.ts';
import { findModelOperation } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { diagnose, summarizeAnswer } from '../report/diagnose.ts';
import { createRedact, type Redact, redactAll, redactRest } from '../report/redaction/redact.ts';
import type { Diagnosis } from '../report/report.ts';
import { deriveKeys } from '../request/keys.ts';
import { createChangeGateway } from '../send/change-gateway.ts';
import type { ConnectionOptions } from '../send/connection-options.ts';
import { defaultLimits } from '../send/deadline.ts';
import { execute } from '../send/execute.ts';
import { openTransport } from '../send/http.ts';
import { createRateLimiter } from '../send/rate-limiter.ts';
import { createUnreadBodies, openRoundSender } from '../send/sender.ts';
import { createStopSwitch } from '../send/stop-switch.ts';

/** The results of valid requests to a gateway. Keys are redacted. */
export interface ProbeResult {
  /** Whether a control of any operation succeeded. */
  readonly accepted: boolean;
  readonly operations: Readonly<Record<OperationId, ProbedOperationResult>>;
  /** The reasons why the gateway, or an operation, could not be tested. */
  readonly diagnosis: readonly Diagnosis[];
}

export interface ProbedOperationResult {
  readonly kind: Control['kind'];
  /** An entry of the model list that stands for several models, if therefore no model is known. */
  readonly pattern?: string | undefined;
  /** The headers in which the operation accepted the valid key. */
  readonly headers: readonly AcceptedHeader[];
  /**
   * The ID of the model that was called successfully; undefined if no call succeeded, if the operation needs no model,
   * or if the ID contains a key.
   */
  readonly model: string | undefined;
  /** Whether a streamed request succeeded. */
  readonly streams: boolean;
  /** The result of a valid request that failed; undefined if the control succeeded or no request was sent. */
  readonly failure: ProbedFailure | undefined;
  /** The result of a streamed request that failed; undefined if the request succeeded or was not sent. */
  readonly streamFailure: ProbedFailure | undefined;
}

/** The result of a valid request that failed. `status` is undefined if no response was received. */
export interface ProbedFailure {
  readonly status: number | undefined;
  /**
   * The status with the message of the gateway, such as `404 "No such route"`, or the reason why no response was
   * received.
   */
  readonly summary: string;
  readonly model: string | undefined;
}

/** Sends the controls of a run. Resolves to the result of each operation, and to the diagnosis. */
export async function probe(
  promise: GatewayPromise,
  { reach, signal }: { readonly reach?: ConnectionOptions; readonly signal: AbortSignal },
): Promise<ProbeResult> {
  const { profile, operations, errors } = promise;
  const cases = plan(promise).cases.filter(({ phase }) => phase === 'controls');
  const keys = deriveKeys(profile.keys, { secrets: profile.secrets });
  const stop = createStopSwitch(signal, undefined);
  const concurrency = 4;
  const transport = openTransport(profile.baseUrl, {
    connections: concurrency,
    limits: { ...defaultLimits, ...profile.timeouts },
    reach,
    signal: stop.signal,
  });
  const connection = {
    transport,
    stop,
    concurrency,
    rateLimiter: createRateLimiter(defaultRetryPolicy, { atOnce: concurrency, signal: stop.signal }),
    budget: undefined,
    onExchange: () => {},
    change: createChangeGateway(profile, transport),
    unreadBodies: createUnreadBodies(),
  };
  try {
    const execution = await execute(cases, openRoundSender(connection, { promise, keys }));
    const redact = createRedact(keys.secrets);
    return {
      accepted: isKeyAccepted(execution.controls),
      operations: mapOperations((id) =>
        readOperation(id, { cases, execution, redact, headers: operations[id].headers }),
      ),
      diagnosis: redactAll(
        diagnose(execution, {
          baseUrl: profile.baseUrl,
          operations,
          errors,
          redact,
        }),
        redactRest(redact),
      ),
    };
  } finally {
    stop.release();
    await transport.close();
  }
}

/** Returns the operations for which a valid request succeeded. */
export function listWorkingOperations({ operations }: ProbeResult): OperationId[] {
  return operationIds.filter((id) => operations[id].kind === 'succeeded');
}

function readOperation(
  id: OperationId,
  {
    cases,
    execution,
    redact,
    headers,
  }: {
    readonly cases: readonly PlannedCase[];
    readonly execution: Execution;
    readonly redact: Redact;
    readonly headers: readonly AcceptedHeader[];
  },
): ProbedOperationResult {
  const { controls, exchanges } = execution;
  const control: Control = controls.plain.get(id) ?? { kind: 'not-offered' };
  const own = cases.filter(({ attributes }) => attributes.operation === id);
  const sent = (items: readonly PlannedCase[]): Exchange[] =>
    items.flatMap((item) => exchanges.get(item.id) ?? []);
  return {
    kind: control.kind,
    pattern:
      control.kind === 'no-model' && control.pattern !== undefined ? redact(control.pattern) : undefined,
    headers: headers.filter((header) => controls.headers.has(`${id} ${header}`)),
    model: control.kind === 'succeeded' ? findCalledModel(id, controls, redact) : undefined,
    streams: controls.streamed.get(id)?.kind === 'succeeded',
    failure:
      control.kind === 'succeeded' ? undefined : readFailure(sent(own.filter(isHeaderControl)), redact),
    streamFailure:
      controls.streamed.get(id)?.kind === 'succeeded'
        ? undefined
        : readFailure(sent(own.filter((item) => !isHeaderControl(item))), redact),
  };
}

function findCalledModel(id: OperationId, controls: Controls, redact: Redact): string | undefined {
  const calls = findModelOperation(id);
  const model = calls && controls.models.get(calls);
  return model !== undefined && redact(model) === model ? model : undefined;
}

/**
 * Returns the result that best explains why an operation failed: a result other than a 2xx, preferably not a 401 or
 * 403, or else the first result. Returns undefined for an empty list.
 */
function readFailure(exchanges: readonly Exchange[], redact: Redact): ProbedFailure | undefined {
  const errors = exchanges.filter(({ result }) => !succeeded(result));
  const chosen =
    errors.find((exchange) => ![401, 403].includes(answerOf(exchange)?.status ?? 0)) ??
    errors[0] ??
    exchanges[0];
  return (
    chosen && {
      status: answerOf(chosen)?.status,
      summary: summarizeAnswer(chosen, redact),
      model: chosen.model === undefined ? undefined : redact(chosen.model),
    }
  );
}
