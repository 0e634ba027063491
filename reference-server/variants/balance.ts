import type { Overrides } from '../decisions/index.ts';
import type { Check } from '../decisions/order.ts';
import { deciding, type Variant } from './variant.ts';

const rechargeUrl =
  (url: string): Overrides =>
  (base) => ({
    detailsOf: (failure, ctx) =>
      failure.kind === 'low-balance' ? { recharge_url: url } : base.detailsOf(failure, ctx),
  });

/** A depleted key gets nothing at all, with that status where the specification states none. */
const shutOut =
  (status: number): Overrides =>
  (base) => ({
    checks: (ctx): readonly Check[] => {
      const made = base.checks(ctx);
      return made.includes('balance') ? made : [...made, 'balance'];
    },
    statusOf: (failure, ctx) =>
      failure.kind === 'low-balance' && ctx.operation?.does === 'read' ? status : base.statusOf(failure, ctx),
  });

/** What sections 2.2 and 7.1 leave open about accounts without balance. */
export const balanceVariants: readonly Variant[] = [
  {
    id: 'balance/shut-out-402',
    about: 'Answers an account without balance with 402 on the model list and on billing-type endpoints too.',
    setup: deciding(shutOut(402)),
  },
  {
    id: 'balance/shut-out-403',
    about: 'Answers an account without balance with 403 on the model list and on billing-type endpoints too.',
    setup: deciding(shutOut(403)),
  },
  {
    id: 'balance/more-details',
    about: 'Adds the balance, the currency and plans to `details` with the top-up address.',
    setup: deciding((base) => ({
      detailsOf: (failure, ctx) =>
        failure.kind === 'low-balance'
          ? { balance: 0, currency: 'USD', plans: [{ price: 5 }], ...base.detailsOf(failure, ctx) }
          : base.detailsOf(failure, ctx),
    })),
  },
  {
    id: 'balance/odd-address',
    about: 'Writes the top-up address with upper-case letters, a port, a query and a fragment.',
    setup: deciding(rechargeUrl('HTTPS://Gateway.Example:8443/top-up?account=a%20b&lang=de#now')),
  },
  {
    id: 'balance/plain-address',
    about: 'Sends a top-up address with plain HTTP and an IP address.',
    setup: deciding(rechargeUrl('http://[::1]:8080')),
  },
  {
    id: 'balance/relative-address',
    about: 'Sends a path as the top-up address.',
    warns: ['balance/recharge-url-absolute'],
    setup: deciding(rechargeUrl('/console/recharge')),
  },
];
