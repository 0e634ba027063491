import type { Context } from '../gateway/context.ts';

/** The name of a check of the gateway. `frequency` checks the rate limit, and `form` validates the parsed body. */
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
 * Returns the checks of a request in their order of execution. The first failed check determines the response, which
 * therefore reveals nothing about the later checks.
 */
export function listChecks(ctx: Context): readonly CheckName[] {
  if (ctx.operation?.kind === 'call') return modelCall;
  if (ctx.operation?.kind === 'count') return modelCall.filter((check) => check !== 'balance');
  if (ctx.surface !== 'billing') return ['credential'];
  const takesBody = ctx.match.kind === 'found' && ctx.match.route.takesBody;
  return takesBody ? ['credential', 'frequency', 'body', 'form'] : ['credential', 'frequency'];
}
