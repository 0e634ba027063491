import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { CheckName, Overrides } from '../gateway/decisions.ts';
import { refuseRequest } from './responses.ts';
import type { Variant } from './variant.ts';

const setRechargeUrl =
  (url: string): Overrides =>
  (base) => ({
    errorDetailsOf: (failure, ctx) =>
      failure.kind === 'low-balance' ? { recharge_url: url } : base.errorDetailsOf(failure, ctx),
  });

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

const lowBalance = [
  'balance/family-a',
  'balance/family-b',
  'balance/family-c',
  'streams/balance-family-a',
  'streams/balance-families-b-c',
];

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
    id: 'balance/more-details',
    about: 'Adds the balance, the currency and plans to the `details` of `insufficient_balance` errors.',
    setup: withDecisions((base) => ({
      errorDetailsOf: (failure, ctx) =>
        failure.kind === 'low-balance'
          ? { balance: 0, currency: 'USD', plans: [{ price: 5 }], ...base.errorDetailsOf(failure, ctx) }
          : base.errorDetailsOf(failure, ctx),
    })),
  },
  {
    id: 'balance/changes-late',
    about: 'Applies a top-up, and the loss of a balance, two seconds after the next call.',
    setup: withDecisions(delayBalance(2_000)),
  },
  {
    id: 'balance/changes-very-late',
    about:
      'Applies a top-up, and the loss of a balance, to calls of family A six and a half seconds after the next of these calls.',
    warns: ['lifecycle/drained-account', 'lifecycle/topped-up-account'],
    setup: withDecisions(delayBalance(6_500, ({ family }) => family === 'A')),
  },
  {
    id: 'balance/odd-address',
    about: 'Writes the top-up address with upper-case letters, a port, a query and a fragment.',
    setup: withDecisions(setRechargeUrl('HTTPS://Gateway.Example:8443/top-up?account=a%20b&lang=de#now')),
  },
  {
    id: 'balance/plain-address',
    about: 'Sends a top-up address with the scheme `http` and an IP address.',
    setup: withDecisions(setRechargeUrl('http://[::1]:8080')),
  },
  {
    id: 'balance/long-pause',
    about: 'Responds with 429 and a `Retry-After` of one hour if the account has no balance.',
    undecided: lowBalance,
    setup: withDecisions((base) => ({
      finish: (response, ctx) =>
        ctx.failure?.kind === 'low-balance'
          ? refuseRequest({ kind: 'too-frequent', retryAfter: 3600 }, ctx, base)
          : response,
    })),
  },
  {
    id: 'balance/limited-calls',
    about:
      'Responds with 429 without `Retry-After` to a call from an account without a balance, after five such calls of the account.',
    undecided: lowBalance,
    setup: () => {
      const calls = new Map<string, number>();
      return {
        decisions: (base) => ({
          finish: (response, ctx) => {
            if (ctx.failure?.kind !== 'low-balance') return response;
            const account = ctx.key?.account ?? '';
            const count = (calls.get(account) ?? 0) + 1;
            calls.set(account, count);
            if (count <= 5) return response;
            const limited = refuseRequest({ kind: 'too-frequent', retryAfter: 1 }, ctx, base);
            return { ...limited, headers: limited.headers.filter(([name]) => name !== 'retry-after') };
          },
        }),
      };
    },
  },
  {
    id: 'balance/relative-address',
    about: 'Sends a path as the top-up address.',
    warns: ['balance/recharge-url-absolute'],
    setup: withDecisions(setRechargeUrl('/console/recharge')),
  },
];
