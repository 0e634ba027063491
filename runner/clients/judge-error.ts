import { readMember } from '../../common/pointer.ts';
import { findRequirements } from '../catalog/requirements.ts';
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { isTransientResult } from '../exchange/reading.ts';
import type { SourceContext } from '../judge/check-response.ts';
import { kindOfExchange } from '../judge/failure-kind.ts';
import type { Finding } from '../judge/finding.ts';
import type { FailureKind } from '../judge/severity.ts';
import { listViolations, type ViolatedRequirement } from '../judge/violations.ts';
import {
  createFinding,
  createInconclusiveVerdict,
  createNotApplicableVerdict,
  formatRaised,
  type Mismatch,
  type SdkCallResult,
  type SdkVerdict,
} from './judge-valid-call.ts';
import type { SdkError } from './sdk.ts';
import type { SdkRequirementId, SdkSpec } from './sdk-spec.ts';

/** The data that all rejected calls of an SDK share. */
export interface RejectedCallContext extends SourceContext {
  readonly spec: SdkSpec;
  readonly classOf: (status: number) => string;
}

/** The ID of a requirement on one aspect of an error, such as its message. */
export type ErrorAspect = Exclude<
  SdkRequirementId,
  | 'clients/call-succeeds'
  | 'clients/stream-completes'
  | 'clients/list-models'
  | 'clients/error-understood'
  | 'clients/streamed-error-raised'
>;

/** A call that the gateway must reject, with its last exchange. */
export interface RejectedExchange {
  readonly result: SdkCallResult;
  readonly context: RejectedCallContext;
  readonly exchange: Exchange;
  readonly answer: Answer;
  /** The violated requirements on the status and the type of the response. */
  readonly violations: readonly ViolatedRequirement[];
  /** The status that the response should have; undefined if no violation is about the status. */
  readonly requiredStatus: number | undefined;
}

/** An aspect of an error that the user of an SDK does not get. */
export interface Loss {
  readonly finding: Finding;
  /** The violated requirements on the response that cause the loss; empty if the SDK alone causes the loss. */
  readonly violates: readonly string[];
}

export type AspectResult =
  | { readonly kind: 'satisfied' }
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'undecided'; readonly verdict: SdkVerdict };

const satisfiedResult: AspectResult = { kind: 'satisfied' };
const noError: SdkError = { class: 'no error', text: '', messages: [], types: [], traces: [] };

const aspectJudges: { readonly [A in ErrorAspect]: (rejected: RejectedExchange) => AspectResult } = {
  'clients/error-class': (rejected) => {
    const { context, answer, requiredStatus, result } = rejected;
    const wanted = context.classOf(requiredStatus ?? answer.status);
    const raised = readSdkError(rejected).class;
    if (requiredStatus === undefined) {
      if (raised === wanted) return satisfiedResult;
      return createLostResult(
        rejected,
        { name: 'the error', expected: wanted, actual: formatRaised(result.outcome) },
        [],
      );
    }
    const effect =
      raised === wanted ? `${raised} with status ${answer.status}` : `${raised} instead of ${wanted}`;
    const [expected, actual] = [String(requiredStatus), String(answer.status)];
    return createLostResult(
      rejected,
      { name: 'the status', expected, actual, effect },
      listStatusViolations(rejected),
    );
  },
  'clients/no-retry': (rejected) => {
    const { exchanges } = rejected.result;
    if (exchanges.length === 1) return satisfiedResult;
    const isTransientBefore = exchanges.slice(0, -1).some(({ result }) => isTransientResult(result));
    if (isTransientBefore && rejected.requiredStatus === undefined)
      return createUndecidedResult(createInconclusiveVerdict('An earlier response may have been transient.'));
    const actual = String(exchanges.length);
    return createLostResult(
      rejected,
      { name: 'the number of requests', expected: '1', actual },
      listStatusViolations(rejected),
    );
  },
  'clients/message-reaches-user': (rejected) => {
    const message = readBodyMember(rejected, '/error/message');
    const { messages } = readSdkError(rejected);
    const violates = listAspectViolations(rejected, 'clients/message-reaches-user');
    if (typeof message === 'string' && violates.length === 0 && includesMessage(messages, message))
      return satisfiedResult;
    const seen =
      violates.length > 0
        ? { expected: 'a non-empty string', actual: formatJson(message) }
        : describeLostMember(message, messages[0]);
    return createLostResult(rejected, { name: 'error.message', ...seen }, violates);
  },
  'clients/type-reaches-user': (rejected) => {
    const type = readBodyMember(rejected, '/error/type');
    if (typeof type !== 'string' && rejected.exchange.attributes.streamed === 'true')
      return createUndecidedResult(
        createNotApplicableVerdict('The response to the streamed call has no error.type.'),
      );
    const { types } = readSdkError(rejected);
    const violates = [
      ...rejected.violations.map(({ requirement }) => requirement),
      ...listAspectViolations(rejected, 'clients/type-reaches-user'),
    ];
    if (typeof type === 'string' && violates.length === 0 && types.includes(type)) return satisfiedResult;
    const seen =
      violates.length > 0
        ? { expected: 'the required type', actual: formatJson(type), ...describeRequiredType(rejected) }
        : describeLostMember(type, types[0]);
    return createLostResult(rejected, { name: 'error.type', ...seen }, violates);
  },
  'clients/trace-id-reachable': (rejected) => {
    const sent = [rejected.answer.headers['x-trace-id'], readBodyMember(rejected, '/trace_id')];
    const { traces } = readSdkError(rejected);
    if (traces.some((trace) => trace !== '' && sent.includes(trace))) return satisfiedResult;
    const violates = listAspectViolations(rejected, 'clients/trace-id-reachable');
    return createLostResult(
      rejected,
      { name: 'the trace ID', expected: 'in the error', actual: formatJson(traces[0]) },
      violates,
    );
  },
};

function describeLostMember(sent: unknown, seen: string | undefined): Omit<Mismatch, 'name'> {
  return {
    expected: 'the value in the response',
    actual: formatJson(seen),
    effect: `the response has ${formatJson(sent)}`,
  };
}

function describeRequiredType({ violations }: RejectedExchange): Pick<Mismatch, 'effect'> {
  const types = violations.flatMap(({ findings }) =>
    findings.flatMap((found) => (found.kind === 'wrong-type' ? found.expected : [])),
  );
  return types.length > 0 ? { effect: `${[...new Set(types)].join(' or ')} is required` } : {};
}

/** The aspects that are not judged if the status is wrong, because the response is then a different error. */
const statusDependentAspects: readonly SdkRequirementId[] = [
  'clients/message-reaches-user',
  'clients/type-reaches-user',
  'clients/trace-id-reachable',
];

/** Judges one aspect of the error that the user of an SDK gets. */
export function judgeErrorAspect(aspect: ErrorAspect, rejected: RejectedExchange): AspectResult {
  if (rejected.requiredStatus !== undefined && statusDependentAspects.includes(aspect))
    return createUndecidedResult(
      createNotApplicableVerdict('The response does not have the required status.'),
    );
  return aspectJudges[aspect](rejected);
}

/** Whether a requirement is about one aspect of an error. */
export function isErrorAspect(id: SdkRequirementId): id is ErrorAspect {
  return id in aspectJudges;
}

function createUndecidedResult(verdict: SdkVerdict): AspectResult {
  return { kind: 'undecided', verdict };
}

function createLostResult(
  rejected: RejectedExchange,
  expected: Mismatch,
  violates: readonly string[],
): AspectResult {
  const finding = createFinding(rejected.result, expected, severityOfLoss(rejected, expected), violates);
  return { kind: 'lost', loss: { finding, violates } };
}

/** Returns the severity of the wrong response or, if the status is right, that of the lost member. */
function severityOfLoss(
  { exchange, violations, requiredStatus }: RejectedExchange,
  { name }: Mismatch,
): FailureKind {
  if (requiredStatus !== undefined)
    return kindOfExchange(
      violations.flatMap(({ findings }) => findings),
      exchange,
    );
  return name === 'error.type' ? 'wrong-type' : 'wrong-detail';
}

function readSdkError({ result: { outcome } }: RejectedExchange): SdkError {
  return outcome.kind === 'raised' ? outcome.error : noError;
}

function listStatusViolations({ requiredStatus, violations }: RejectedExchange): string[] {
  return requiredStatus === undefined ? [] : violations.map(({ requirement }) => requirement);
}

function listAspectViolations({ context, exchange }: RejectedExchange, aspect: ErrorAspect): string[] {
  const ids = context.spec.requirements.find(({ id }) => id === aspect)?.restsOn ?? [];
  return findViolations(exchange, ids, context).map(({ requirement }) => requirement);
}

function readBodyMember({ answer: { content } }: RejectedExchange, pointer: string): unknown {
  return content.kind === 'json' ? readMember(content.value, pointer) : undefined;
}

/** Whether one of the texts contains a message, unchanged or as a JSON string. */
function includesMessage(texts: readonly string[], message: string): boolean {
  const escaped = JSON.stringify(message).slice(1, -1);
  return texts.some((text) => text.includes(message) || text.includes(escaped));
}

function formatJson(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** Returns the requirements among `ids` that apply to the exchange and that its response violates. */
export function findViolations(
  exchange: Exchange,
  ids: readonly string[],
  context: SourceContext,
): ViolatedRequirement[] {
  const named = context.promise.requirements.filter(({ id }) => ids.includes(id));
  return listViolations(findRequirements(exchange.attributes, named), exchange, context);
}

/** Returns the first status that the violations require; undefined if no violation is about the status. */
export function findRequiredStatus(violations: readonly ViolatedRequirement[]): number | undefined {
  for (const { findings } of violations) {
    const found = findings.find((item) => item.kind === 'wrong-status');
    if (found) return Number.parseInt(found.expected, 10);
  }
  return undefined;
}
