import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { CheckName, Overrides } from '../gateway/decisions.ts';
import type { Variant } from './variant.ts';

/**
 * Refuses every request of an account without a balance. `status` applies to the model list and billing-type endpoints,
 * for which 7.1 defines no status.
 */
const refuseEverywhere =
  (status: number): Overrides =>
  (base) => ({
    listChecks: (ctx): readonly CheckName[] => {
      const checks = base.listChecks(ctx);
      return checks.includes('balance') ? checks : [...checks, 'balance'];
    },
    errorStatusOf: (failure, ctx) =>
      failure.kind === 'low-balance' && ctx.operation?.kind === 'read'
        ? status
        : base.errorStatusOf(failure, ctx),
  });

/** Delays the effect of a change of the balance. `delay` is the time after the next call, in milliseconds. */
const delayBalance =
  (delay: number, isDelayed: (ctx: Context) => boolean = () => true): Overrides =>
  (base) => {
    const known = new Map<string, { readonly pays: boolean; readonly changedAt: number | undefined }>();
    return {
      canPay(account, ctx) {
        const pays = base.canPay(account, ctx);
        if (!isDelayed(ctx)) return pays;
        const id = account?.id ?? '';
        const { pays: before, changedAt = ctx.now } = known.get(id) ?? { pays };
        const isLate = pays !== before && ctx.now - changedAt < delay;
        known.set(id, isLate ? { pays: before, changedAt } : { pays, changedAt: undefined });
        return isLate ? before : pays;
      },
    };
  };

/** Variants of the responses to accounts without a balance: sections 2.2 and 7.1 leave these choices open. */
export const lowBalanceVariants: readonly Variant[] = [
  {
    id: 'balance/shut-out-402',
    about:
      'Rejects every request from an account without a balance: with 402 on the model list and on billing-type endpoints.',
    setup: withDecisions(refuseEverywhere(402)),
  },
  {
    id: 'balance/shut-out-403',
    about:
      'Rejects every request from an account without a balance: with 403 on the model list and on billing-type endpoints.',
    setup: withDecisions(refuseEverywhere(403)),
  },
  {
    id: 'balance/changes-late',
    about: 'Applies a top-up, and the loss of a balance, two seconds after the next call.',
    setup: withDecisions(delayBalance(2_000)),
  },
  {
    id: 'balance/changes-very-late',
    about:
      'Applies a top-up, and the loss of a balance, to calls of family A ten seconds after the next of these calls.',
    warns: ['lifecycle/drained-account', 'lifecycle/topped-up-account'],
    setup: withDecisions(delayBalance(10_000, ({ family }) => family === 'A')),
  },
];
