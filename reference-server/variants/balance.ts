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
    about: 'A depleted key gets 402 from the list and from billing-type endpoints.',
    setup: deciding(shutOut(402)),
  },
  {
    id: 'balance/shut-out-403',
    about: 'A depleted key gets 403 from the list and from billing-type endpoints.',
    setup: deciding(shutOut(403)),
  },
  {
    id: 'balance/more-details',
    about: 'The details tell what is left and what is wanted, beside the top-up address.',
    setup: deciding((base) => ({
      detailsOf: (failure, ctx) =>
        failure.kind === 'low-balance'
          ? { balance: 0, currency: 'USD', plans: [{ price: 5 }], ...base.detailsOf(failure, ctx) }
          : base.detailsOf(failure, ctx),
    })),
  },
  {
    id: 'balance/odd-address',
    about: 'The top-up address is written with capitals, a port, a query and a fragment.',
    setup: deciding(rechargeUrl('HTTPS://Gateway.Example:8443/top-up?account=a%20b&lang=de#now')),
  },
  {
    id: 'balance/plain-address',
    about: 'The top-up address is plain http, by number.',
    setup: deciding(rechargeUrl('http://[::1]:8080')),
  },
  {
    id: 'balance/relative-address',
    about: 'The top-up address is a path.',
    warns: ['balance/recharge-url-absolute'],
    setup: deciding(rechargeUrl('/console/recharge')),
  },
];
