import type { Operations } from '../catalog/operations.ts';
import { operationIds } from '../catalog/operations.ts';
import { baseUrlHint } from '../profile/base-url.ts';
import { modelOperation, modelOperations } from '../profile/profile.ts';
import { type Control, keyAccepted } from '../send/controls.ts';
import { answerOf, type Exchange } from '../send/exchange.ts';
import type { Execution } from '../send/execute.ts';
import { summarizeAnswer } from './answer-summary.ts';
import type { DescribeContext } from './describe-exchange.ts';
import type { Redact } from './redact.ts';
import type { Diagnosis } from './report.ts';
import { wordList } from './word-list.ts';

/** What a run is diagnosed with. */
export interface DiagnoseContext extends Pick<DescribeContext, 'baseUrl' | 'redact'> {
  readonly operations: Operations;
}

/** An operation without a good call that succeeded. */
interface FailedControl {
  readonly id: string;
  readonly kind: Control['kind'];
  readonly exchange: Exchange;
}

/** What kept the run or an operation from being judged, each once, with the likely cause and the remedy. */
export function diagnose(execution: Execution, context: DiagnoseContext): Diagnosis[] {
  const { controls, stopped } = execution;
  const { baseUrl, redact } = context;
  if (stopped?.kind === 'unanswered') {
    const message = `${stopped.reason} Is it running at ${baseUrl}?`;
    return [{ kind: 'unreachable', operation: undefined, message }];
  }
  if (stopped) return [{ kind: 'stopped', operation: undefined, message: stopped.reason }];
  const failed = operationIds.flatMap((id): FailedControl[] => {
    const control = controls.plain.get(id);
    return control && 'exchange' in control ? [{ id, kind: control.kind, exchange: control.exchange }] : [];
  });
  const untried = keyAccepted(controls)
    ? []
    : modelOperations.filter((id) => controls.plain.get(id)?.kind === 'no-model');
  const general = keyAccepted(controls) ? undefined : diagnoseAll(failed, untried, context);
  if (general) return [general];
  const own = failed
    .filter(({ kind }) => kind !== 'absent' || !keyAccepted(controls))
    .map(
      ({ id, kind, exchange }): Diagnosis => ({
        kind: 'control-failed',
        operation: id,
        message: wordFailed({ id, kind, exchange }, redact),
      }),
    );
  const [first] = untried;
  const unknown: Diagnosis[] =
    first === undefined
      ? []
      : [{ kind: 'control-failed', operation: first, message: wordUntried(untried).trim() }];
  const locked = [...controls.lockedOut].map(
    ([id, exchange]): Diagnosis => ({
      kind: 'locked-out',
      operation: id,
      message: wordLockedOut(id, exchange, redact),
    }),
  );
  const nothing: Diagnosis[] =
    keyAccepted(controls) || failed.length === 0
      ? []
      : [
          {
            kind: 'no-good-call',
            operation: undefined,
            message: 'No valid call succeeded, for more than one reason.',
          },
        ];
  return [...own, ...unknown, ...locked, ...nothing];
}

/** The one reason why no operation answered with success; undefined where they failed for several reasons. */
function diagnoseAll(
  failed: readonly FailedControl[],
  untried: readonly string[],
  { baseUrl, operations, redact }: DiagnoseContext,
): Diagnosis | undefined {
  const [first] = failed;
  if (!first) return undefined;
  const isEvery = (kind: Control['kind']): boolean => failed.every((control) => control.kind === kind);
  const rest = wordUntried(untried);
  if (isEvery('refused')) {
    const refused =
      rest === ''
        ? `The key is refused everywhere (${summarizeAnswer(first.exchange, redact)}).`
        : `The key is refused (${wordAsked(failed, redact)}).`;
    const message = `${refused} Is GATEWAY_API_KEY, or keys.valid of the profile, a key of this gateway?${rest}`;
    return { kind: 'key-refused', operation: undefined, message };
  }
  if (isEvery('absent') || isEvery('web-page')) {
    // Where a web page answers, a model would not help.
    const [page, remedy] = isEvery('web-page') ? [', which is a web page', ''] : ['', rest];
    const advice = baseUrlHint(baseUrl, operations) ?? (remedy === '' ? 'Is that the right base URL?' : '');
    const message = `Below ${baseUrl}, ${wordAsked(failed, redact)}${page}.${advice && ` ${advice}`}${remedy}`;
    return { kind: 'wrong-path', operation: undefined, message };
  }
  return undefined;
}

/** What was asked and how it was answered: `POST /v1/chat/completions and GET /v1/models were answered 404`. */
function wordAsked(failed: readonly FailedControl[], redact: Redact): string {
  const requests = new Map<string, string[]>();
  for (const { exchange } of failed) {
    const answer = summarizeAnswer(exchange, redact);
    const request = `${exchange.request.method} ${redact(exchange.request.path)}`;
    requests.set(answer, [...(requests.get(answer) ?? []), request]);
  }
  return [...requests]
    .map(([answer, asked]) => `${wordList(asked)} ${asked.length === 1 ? 'was' : 'were'} answered ${answer}`)
    .join(', ');
}

/** The operations that were not tried, and how to have them tried; begins with a space, and is empty for none. */
function wordUntried(untried: readonly string[]): string {
  const [first] = untried;
  if (first === undefined) return '';
  const were = untried.length === 1 ? 'was' : 'were';
  return ` ${wordList(untried)} ${were} not tried, because no model is known. Name one: \`models.${first}.good\` in the profile, or \`conformance init --model ${first}=ID\`.`;
}

/** Why nothing that is specific to an operation can be judged. */
function wordFailed({ id, kind, exchange }: FailedControl, redact: Redact): string {
  const answer = summarizeAnswer(exchange, redact);
  const model = exchange.model === undefined ? undefined : JSON.stringify(exchange.model);
  if (kind === 'web-page')
    return `A web page answers at the path of ${id} (${answer}), so what is specific to it can't be judged.`;
  if (kind === 'unknown-model')
    return `The gateway does not know the model ${model} of ${id} (${answer}), so what is specific to ${id} can't be judged. Name another: \`models.${modelOperation(id)}.good\` in the profile.`;
  return `No good call of ${id} succeeded (${answer}), so what is specific to it can't be judged.${model === undefined ? '' : ` It asked for the model ${model}.`}`;
}

/** Why an operation no longer accepts the good key. */
function wordLockedOut(id: string, exchange: Exchange, redact: Redact): string {
  const answer = summarizeAnswer(exchange, redact);
  return (answerOf(exchange)?.status ?? 0) >= 500
    ? `After requests without a good key, a good call of ${id} failed (${answer}): the gateway or its upstream may be down.`
    : `After requests without a good key, ${id} refused the good key too (${answer}): a guard may have locked this address out.`;
}

/** Diagnoses of several rounds, or parts of a run, without repetitions. */
export function saidOnce(items: readonly Diagnosis[]): Diagnosis[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
