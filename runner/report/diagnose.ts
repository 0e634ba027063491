import { operationIds } from '../catalog/operations.ts';
import { readMember } from '../catalog/pointer.ts';
import { keyAccepted } from '../send/controls.ts';
import { answerOf, type Exchange } from '../send/exchange.ts';
import type { Execution } from '../send/execute.ts';
import type { DescribeContext } from './describe-exchange.ts';
import type { Redact } from './redact.ts';
import type { Diagnosis } from './report.ts';

/** What kept the run or an operation from being judged, each said once, with the likely cause. */
export function diagnose(
  { controls, stopped }: Execution,
  { baseUrl, redact }: Pick<DescribeContext, 'baseUrl' | 'redact'>,
): Diagnosis[] {
  if (stopped?.kind === 'unanswered') {
    const message = `${stopped.reason} Is it running at ${baseUrl}?`;
    return [{ kind: 'unreachable', operation: undefined, message }];
  }
  if (stopped) return [{ kind: 'stopped', operation: undefined, message: stopped.reason }];
  const entries = operationIds.flatMap((id) => {
    const control = controls.plain.get(id);
    return control && 'exchange' in control ? [{ id, control }] : [];
  });
  const [first] = entries;
  if (first && !keyAccepted(controls)) {
    if (entries.every(({ control }) => control.kind === 'refused')) {
      const message = `The key is refused everywhere (${told(first.control.exchange, redact)}). Is GATEWAY_API_KEY, or keys.valid of the profile, a key of this gateway?`;
      return [{ kind: 'key-refused', operation: undefined, message }];
    }
    if (entries.every(({ control }) => control.kind === 'absent')) {
      const doubled = /\/v1$/.test(baseUrl)
        ? ` The base URL ends in /v1, and request paths begin with it: try ${baseUrl.slice(0, -3)}`
        : '';
      return [
        {
          kind: 'wrong-path',
          operation: undefined,
          message: `Nothing was found at any path below ${baseUrl}.${doubled}`,
        },
      ];
    }
  }
  const failed = entries
    .filter(({ control }) => control.kind !== 'absent' || !keyAccepted(controls))
    .map(
      ({ id, control }): Diagnosis => ({
        kind: 'control-failed',
        operation: id,
        message: `No good call of ${id} succeeded (${told(control.exchange, redact)}), so what is specific to it can't be judged.${modelHint(control.exchange)}`,
      }),
    );
  const locked = [...controls.lockedOut].map(
    ([id, exchange]): Diagnosis => ({
      kind: 'locked-out',
      operation: id,
      message: `After requests without a good key, ${id} refused the good key too (${told(exchange, redact)}): a guard may have locked this address out.`,
    }),
  );
  return [...failed, ...locked];
}

/** What several rounds, or parts of a run, say alike is said once. */
export function saidOnce(items: readonly Diagnosis[]): Diagnosis[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** What came; redacted before it is cut, so that no piece of a key stays at the cut. */
function told(exchange: Exchange, redact: Redact): string {
  const answer = answerOf(exchange);
  if (!answer) return exchange.result.kind === 'failure' ? exchange.result.failure.detail : 'no answer';
  const { location } = answer.headers;
  if (answer.status >= 300 && answer.status < 400 && location !== undefined)
    return `${answer.status} to ${redact(location).slice(0, 160).toWellFormed()}, which is not followed, as a key stays with its host`;
  const value = answer.content.kind === 'json' ? answer.content.value : undefined;
  const [type, message] = [readMember(value, '/error/type'), readMember(value, '/error/message')];
  const detail = typeof message === 'string' ? message : typeof type === 'string' ? type : '';
  return `${answer.status}${detail === '' ? '' : ` ${JSON.stringify(redact(detail).slice(0, 160).toWellFormed())}`}`;
}

function modelHint({ model }: Exchange): string {
  return model === undefined ? '' : ` It asked for the model ${JSON.stringify(model)}.`;
}
