import type { Context } from '../gateway/context.ts';

/** The names of the checks. */
export type CheckName =
  | 'credential'
  | 'frequency'
  | 'body'
  | 'form'
  | 'known-model'
  | 'protocol'
  | 'support'
  | 'images'
  | 'balance';

const modelCall: readonly CheckName[] = [
  'credential',
  'body',
  'form',
  'known-model',
  'protocol',
  'support',
  'images',
  'balance',
];

/**
 * Lists the checks of a request in their order: key, body, model, balance. A response therefore reveals nothing
 * about the checks after the one that failed.
 */
export function checks(ctx: Context): readonly CheckName[] {
  if (ctx.operation?.kind === 'call') return modelCall;
  if (ctx.operation?.kind === 'count') return modelCall.filter((check) => check !== 'balance');
  if (ctx.surface !== 'billing') return ['credential'];
  const takesBody = ctx.match.kind === 'found' && ctx.match.route.takesBody;
  return takesBody ? ['credential', 'frequency', 'body', 'form'] : ['credential', 'frequency'];
}
