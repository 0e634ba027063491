import { readSeed, type Seed } from '../gateway/seed.ts';
import { refuseRequest } from './responses.ts';
import type { Variant } from './variant.ts';

/** Returns the seed with this limit for each key and billing-type operation. `within` is a duration such as `10s`. */
export const limitRequests = (requests: number, within: string): Seed => ({
  ...readSeed(),
  rateLimit: { requests, within },
});

/** Variants of rate limits: sections 7.2 and 8 leave these choices open. */
export const rateLimitVariants: readonly Variant[] = [
  {
    id: 'limits/hundred-a-second',
    about: 'Limits all requests of all keys together to a hundred per second.',
    setup: () => {
      let times: number[] = [];
      return {
        decisions: (base) => ({
          finish: (response, ctx) => {
            times = times.filter((time) => ctx.now - time < 1000);
            if (times.length >= 100) return refuseRequest({ kind: 'too-frequent', retryAfter: 1 }, ctx, base);
            times.push(ctx.now);
            return response;
          },
        }),
      };
    },
  },
  {
    id: 'limits/by-address',
    about:
      'Counts the billing-type requests of all keys together before checking the key, like a limit by client address.',
    setup: () => {
      let times: number[] = [];
      return {
        seed: limitRequests(50, '2s'),
        decisions: (base) => ({
          listChecks: (ctx) => {
            const checks = base.listChecks(ctx);
            return checks.includes('frequency')
              ? ['frequency', ...checks.filter((check) => check !== 'frequency')]
              : checks;
          },
          grantRequest: (ctx) => {
            times = times.filter((time) => ctx.now - time < 2000);
            if (times.length >= 50) return { kind: 'refused', retryAfter: 2 };
            times.push(ctx.now);
            return { kind: 'granted' };
          },
        }),
      };
    },
  },
  {
    id: 'limits/by-fixed-window',
    about:
      'Counts billing-type requests in fixed windows of five seconds, so that up to twice the limit can pass in a short time.',
    setup: () => {
      const windows = new Map<string, number>();
      return {
        profile: { rateLimit: { operation: 'usage', requests: 121, within: '5s' } },
        decisions: () => ({
          grantRequest: (ctx) => {
            const window = `${ctx.key?.value} ${Math.floor(ctx.now / 5000)}`;
            const count = (windows.get(window) ?? 0) + 1;
            windows.set(window, count);
            return count <= 60
              ? { kind: 'granted' }
              : {
                  kind: 'refused',
                  retryAfter: Math.ceil(((Math.floor(ctx.now / 5000) + 1) * 5000 - ctx.now) / 1000),
                };
          },
        }),
      };
    },
  },
];
