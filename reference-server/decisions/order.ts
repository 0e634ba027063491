import type { Context } from '../gateway/context.ts';

/** The checks there are. */
export type Check =
  | 'credential'
  | 'frequency'
  | 'body'
  | 'form'
  | 'known-model'
  | 'protocol'
  | 'support'
  | 'images'
  | 'balance';

const modelCall: readonly Check[] = [
  'credential',
  'body',
  'form',
  'known-model',
  'protocol',
  'support',
  'images',
  'balance',
];

/** The key first, then form, then model, then balance: who is refused for one reason learns nothing about the next. */
export function checks(ctx: Context): readonly Check[] {
  if (ctx.operation?.does === 'call') return modelCall;
  if (ctx.operation?.does === 'count') return modelCall.filter((check) => check !== 'balance');
  if (ctx.surface !== 'billing') return ['credential'];
  const takesBody = ctx.match.kind === 'found' && ctx.match.route.takesBody;
  return takesBody ? ['credential', 'frequency', 'body', 'form'] : ['credential', 'frequency'];
}
