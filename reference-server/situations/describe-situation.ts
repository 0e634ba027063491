import { STATUS_CODES } from 'node:http';
import { pluralize } from '../../common/lists.ts';
import { type GatewayOperationId, operations } from '../gateway/operations.ts';
import type { Change, Match, Rule } from '../rules/rule.ts';
import type { Situation } from './situation.ts';

/** The refusals that clients have to expect, with their status. */
export const commonRefusals: Readonly<Record<string, string>> = {
  'too-frequent': '429 too many requests',
  internal: '500 internal error',
  'bad-key': '401 wrong key',
  'low-balance': '400 or 402 balance too low',
  'unknown-model': '400 unknown model',
};

/** The operations that call a model. */
export const modelCalls: readonly GatewayOperationId[] = Object.values(operations).flatMap(({ id, kind }) =>
  kind === 'call' ? [id] : [],
);

/** Describes a situation, such as `429 too many requests – chat` or `Fault ID`, without its `times`. */
export function describeSituation(situation: Situation): string {
  if ('change' in situation) return describeRule(situation);
  return 'fault' in situation ? `Fault ${situation.fault}` : `Variant ${situation.variant}`;
}

export function describeRule({ match = {}, change }: Rule): string {
  const changes = Array.isArray(change) ? change : [change];
  const where = describeMatch(match);
  return `${changes.map(describeChange).join('; then ')}${where && ` – ${where}`}`;
}

function describeChange({ refuse, status, after, close, cut, error, headers, ...rest }: Change): string {
  return [
    ...(refuse === undefined ? [] : [describeRefusal(refuse, status)]),
    ...(refuse === undefined && status !== undefined ? [`status ${status}`] : []),
    ...(after === undefined ? [] : [`pause of ${after}`]),
    ...(close === undefined ? [] : [closings[close]]),
    ...(cut === undefined ? [] : [`connection breaks after ${pluralize(cut, 'chunk')}`]),
    ...(error === undefined ? [] : [describeStreamError(error)]),
    ...(headers === undefined ? [] : [list(headers)]),
    ...(Object.keys(rest).length === 0 ? [] : [list(rest)]),
  ].join(', ');
}

const closings = {
  'before-headers': 'connection closes without a response',
  'after-body': 'connection closes after the response',
} as const;

function describeRefusal(reason: string, status: number | undefined): string {
  const title = commonRefusals[reason] ?? `refused: ${reason}`;
  return status === undefined ? title : `${status} ${STATUS_CODES[status]?.toLowerCase() ?? reason}`;
}

function describeStreamError(error: NonNullable<Change['error']>): string {
  const { reason, after = 0 } = typeof error === 'string' ? { reason: error } : error;
  return `error inside the stream after ${pluralize(after, 'chunk')}: ${commonRefusals[reason] ?? reason}`;
}

function describeMatch({ times: _, operation, streamed, refused, by, ...rest }: Match): string {
  return [
    ...(operation === undefined ? [] : [describeOperations([operation].flat())]),
    ...(streamed === undefined ? [] : [streamed ? 'streams' : 'not streams']),
    ...(refused === undefined || (streamed && refused === false) ? [] : [list({ refused })]),
    ...(by === undefined ? [] : [`each ${by.join(' and ')} apart`]),
    ...(Object.keys(rest).length === 0 ? [] : [list(rest)]),
  ].join(', ');
}

function describeOperations(ids: readonly string[]): string {
  const covers = (all: readonly string[]): boolean =>
    all.length === ids.length && all.every((id) => ids.includes(id));
  if (covers(modelCalls)) return 'all model calls';
  return covers(Object.keys(operations)) ? 'all operations' : ids.join(', ');
}

const list = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
