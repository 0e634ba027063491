import { withDecisions } from '../combine-setups.ts';
import { limitRequests } from './rate-limits.ts';
import { refuseRequest } from './responses.ts';
import type { Variant } from './variant.ts';

/** Variants of transient failures: sections 7.2, 7.3 and 8 leave these choices open. */
export const transientFailureVariants: readonly Variant[] = [
  {
    id: 'limits/pause-to-a-date',
    about: 'Responds to a few requests with 429 and a date in `Retry-After`.',
    setup: withDecisions((base) => ({
      finish: (response, ctx) => {
        if (![9, 60, 61, 62, 200, 333].includes(ctx.number)) return response;
        const refused = refuseRequest({ kind: 'too-frequent', retryAfter: 1 }, ctx, base);
        const others = refused.headers.filter(([name]) => name !== 'retry-after');
        const date = new Date(ctx.now + 900).toUTCString();
        return { ...refused, headers: [...others, ['Retry-After', date]] };
      },
    })),
  },
  {
    id: 'limits/unavailable-in-a-burst',
    about:
      'Responds with 503 to every second billing-type request from the 201st on, and does not count these requests.',
    setup: () => {
      const lost = new Set<number>();
      let count = 0;
      return {
        seed: limitRequests(400, '10s'),
        profile: { rateLimit: { operation: 'usage', requests: 401, within: '10s' } },
        decisions: (base) => ({
          grantRequest: (ctx) => {
            count += 1;
            if (count < 200 || count % 2 === 0) return base.grantRequest(ctx);
            lost.add(ctx.number);
            return { kind: 'granted' };
          },
          finish: (response, ctx) =>
            lost.has(ctx.number)
              ? refuseRequest({ kind: 'internal' }, ctx, base, { errorStatusOf: () => 503 })
              : response,
        }),
      };
    },
  },
  {
    id: 'limits/maintenance',
    about: 'Responds to every request with 503 for about one second, beginning with the 150th request.',
    setup: () => {
      let end = Number.POSITIVE_INFINITY;
      return {
        decisions: (base) => ({
          finish: (response, ctx) => {
            if (ctx.number === 150) end = ctx.now + 900;
            if (ctx.number < 150 || ctx.now >= end) return response;
            const refused = refuseRequest({ kind: 'internal' }, ctx, base, { errorStatusOf: () => 503 });
            return { ...refused, headers: [...refused.headers, ['retry-after', '1']] };
          },
        }),
      };
    },
  },
];
