import type { Context } from '../gateway/context.ts';
import { readSeed, type Seed } from '../gateway/seed.ts';
import { refusal } from './answers.ts';
import { unlucky } from './unlucky.ts';
import type { Variant, VariantSetup } from './variant.ts';

const limited = (requests: number, within: string): Seed => ({
  ...readSeed(),
  rateLimit: { requests, within },
});

const takesJsonOnly = ({ operation, request: { headers } }: Context): boolean =>
  operation?.streams !== 'always' && headers.accept === 'application/json';

/** A gateway that asks for a pause at a few requests, whatever they are. */
const pausing = (retryAfter: (ctx: Context) => string | undefined) => (): VariantSetup => {
  const busy = new Set([9, 60, 61, 62, 200, 333]);
  return {
    decisions: (base) => ({
      finish: (answer, ctx) => {
        if (!busy.has(ctx.number)) return answer;
        const refused = refusal({ kind: 'too-frequent', retryAfter: 1 }, ctx, base);
        const value = retryAfter(ctx);
        const others = refused.headers.filter(([name]) => name !== 'retry-after');
        return { ...refused, headers: value === undefined ? others : [...others, ['Retry-After', value]] };
      },
    }),
  };
};

/** What sections 7.2, 7.3 and 8 leave open about frequency and passing troubles. */
export const limitVariants: readonly Variant[] = [
  {
    id: 'limits/pause-in-seconds',
    about: 'Answers a few requests with 429 and a `Retry-After` of one second.',
    setup: pausing(() => '1'),
  },
  {
    id: 'limits/pause-to-a-date',
    about: 'Answers a few requests with 429 and a date in `Retry-After`.',
    setup: pausing((ctx) => new Date(ctx.now + 900).toUTCString()),
  },
  {
    id: 'limits/no-pause',
    about: 'Answers a few requests with 429 and a `Retry-After` of 0.',
    setup: pausing(() => '0'),
  },
  {
    id: 'limits/unstated-pause',
    about: 'Answers a few requests with 429 and no `Retry-After`.',
    setup: pausing(() => undefined),
  },
  {
    id: 'limits/unreadable-pause',
    about: 'Answers a few requests with 429 and a word in `Retry-After`.',
    setup: pausing(() => 'soon'),
  },
  {
    id: 'limits/unavailable-at-times',
    about: 'Answers some requests with 503 once, and normally when they are repeated.',
    setup: () => {
      const isUnlucky = unlucky(9);
      return {
        decisions: (base) => ({
          finish: (answer, ctx) =>
            isUnlucky(ctx) ? refusal({ kind: 'internal' }, ctx, base, { statusOf: () => 503 }) : answer,
        }),
      };
    },
  },
  {
    id: 'limits/unavailable-several-times',
    about: 'Answers some requests that it refuses with 503 three times first.',
    setup: () => {
      const isUnlucky = unlucky(25, 3);
      return {
        decisions: (base) => ({
          finish: (answer, ctx) =>
            ctx.failure && ctx.failure.kind !== 'too-frequent' && isUnlucky(ctx)
              ? refusal({ kind: 'internal' }, ctx, base, { statusOf: () => 503 })
              : answer,
        }),
      };
    },
  },
  {
    id: 'limits/internal-errors-at-times',
    about: 'Answers some requests with 500 once, and normally when they are repeated.',
    setup: () => {
      const isUnlucky = unlucky(11);
      return {
        decisions: (base) => ({
          finish: (answer, ctx) => (isUnlucky(ctx) ? refusal({ kind: 'internal' }, ctx, base) : answer),
        }),
      };
    },
  },
  {
    id: 'limits/unavailable-in-a-burst',
    about: 'Answers every second usage request of a burst with 503, and does not count it.',
    setup: () => {
      const lost = new Set<number>();
      let asked = 0;
      return {
        seed: limited(400, '10s'),
        profile: { rateLimit: { operation: 'usage', requests: 401, within: '10s' } },
        decisions: (base) => ({
          grant: (ctx) => {
            asked += 1;
            if (asked < 200 || asked % 2 === 0) return base.grant(ctx);
            lost.add(ctx.number);
            return { kind: 'granted' };
          },
          finish: (answer, ctx) =>
            lost.has(ctx.number) ? refusal({ kind: 'internal' }, ctx, base, { statusOf: () => 503 }) : answer,
        }),
      };
    },
  },
  {
    id: 'limits/proxy-errors-at-times',
    about:
      'Answers some plain calls and billing-type requests with the 502 page of a proxy once, and normally when they are repeated.',
    warns: ['model-error/other-statuses', 'billing-error/other-statuses'],
    setup: () => {
      const isUnlucky = unlucky(13);
      return {
        decisions: () => ({
          finish: (answer, ctx) =>
            ctx.surface !== 'list' && takesJsonOnly(ctx) && isUnlucky(ctx)
              ? {
                  status: 502,
                  headers: [],
                  content: { kind: 'text', mediaType: 'text/html', text: '<h1>502</h1>' },
                }
              : answer,
        }),
      };
    },
  },
  {
    id: 'limits/connections-dropped-at-times',
    about: 'Breaks some connections in the middle of a response.',
    setup: () => {
      const isUnlucky = unlucky(10);
      return {
        decisions: () => ({
          transmit: (wire, ctx) => (isUnlucky(ctx) ? { ...wire, ending: 'cut', framing: 'chunked' } : wire),
        }),
      };
    },
  },
  {
    id: 'limits/hundred-a-second',
    about: 'Limits all requests together to a hundred per second.',
    setup: () => {
      let times: number[] = [];
      return {
        decisions: (base) => ({
          finish: (answer, ctx) => {
            times = times.filter((time) => ctx.now - time < 1000);
            if (times.length >= 100) return refusal({ kind: 'too-frequent', retryAfter: 1 }, ctx, base);
            times.push(ctx.now);
            return answer;
          },
        }),
      };
    },
  },
  {
    id: 'limits/maintenance',
    about: 'Answers every request with 503 and `Retry-After` for one second.',
    setup: () => {
      let end = Number.POSITIVE_INFINITY;
      return {
        decisions: (base) => ({
          finish: (answer, ctx) => {
            if (ctx.number === 150) end = ctx.now + 900;
            if (ctx.number < 150 || ctx.now >= end) return answer;
            const refused = refusal({ kind: 'internal' }, ctx, base, { statusOf: () => 503 });
            return { ...refused, headers: [...refused.headers, ['retry-after', '1']] };
          },
        }),
      };
    },
  },
  {
    id: 'limits/narrow',
    about: 'Limits each key to forty billing-type requests per second, which a sequential client can exceed.',
    setup: () => ({ seed: limited(40, '1s') }),
  },
  {
    id: 'limits/by-address',
    about: 'Counts billing-type requests by client address, before it checks the key.',
    setup: () => {
      let times: number[] = [];
      return {
        seed: limited(50, '1s'),
        decisions: (base) => ({
          checks: (ctx) => {
            const made = base.checks(ctx);
            return made.includes('frequency')
              ? ['frequency', ...made.filter((check) => check !== 'frequency')]
              : made;
          },
          grant: (ctx) => {
            times = times.filter((time) => ctx.now - time < 1000);
            if (times.length >= 50) return { kind: 'refused', retryAfter: 1 };
            times.push(ctx.now);
            return { kind: 'granted' };
          },
        }),
      };
    },
  },
  {
    id: 'limits/on-balance',
    about: 'Enforces the frequency limit of the profile on the balance endpoint.',
    setup: () => ({ profile: { rateLimit: { operation: 'balance', requests: 121, within: '10s' } } }),
  },
  {
    id: 'limits/on-records',
    about: 'Enforces the frequency limit of the profile on the endpoint of request records.',
    setup: () => ({ profile: { rateLimit: { operation: 'record', requests: 121, within: '10s' } } }),
  },
  {
    id: 'limits/by-fixed-window',
    about: 'Counts requests in fixed windows of the clock, so that up to twice as many can pass.',
    setup: () => {
      const windows = new Map<string, number>();
      return {
        profile: { rateLimit: { operation: 'usage', requests: 121, within: '5s' } },
        decisions: () => ({
          grant: (ctx) => {
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
