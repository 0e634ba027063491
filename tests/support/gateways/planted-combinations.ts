import type { RequestCondition } from '../../../reference-server/conditions.ts';
import type { PlantedDefect } from './planted-defects.ts';

const sends =
  (...names: readonly string[]): RequestCondition =>
  ({ request: { headers } }) =>
    names.some((name) => headers[name] !== undefined);

const isForwarded = sends('x-forwarded-for');

const combinedOf: PlantedDefect['extract'] = (_, { generatedRequest }) =>
  Object.entries(generatedRequest?.combined ?? {})
    .map((entry) => entry.join('='))
    .sort()
    .join(' ');

/**
 * Defects in combinations of attributes that no request of the suites has. Only generated requests find these
 * defects.
 */
export const plantedCombinations: Readonly<Record<string, PlantedDefect>> = {
  'wrong key from the own page': {
    about: 'Any key is accepted if the request has the header `origin`, but no `accept`.',
    decisions: (base) => ({
      findKey: (credential, ctx) =>
        base.findKey(credential, ctx) ??
        (sends('origin')(ctx) && !sends('accept')(ctx)
          ? ctx.state.keys.find(({ role }) => role === 'valid')
          : undefined),
    }),
    violates: 'auth/bad-bearer-token',
    extract: combinedOf,
    smallest: /^accept=absent added=origin header=bearer key=[a-z-]+$/,
  },
  'balance of forwarded calls': {
    about: 'The balance is not checked if the request has the header `x-forwarded-for`.',
    decisions: (base) => ({
      canPay: (account, ctx) => base.canPay(account, ctx) || isForwarded(ctx),
    }),
    violates: 'balance/family-a',
    extract: combinedOf,
    smallest: /^added=forwarded key=depleted$/,
  },
};
