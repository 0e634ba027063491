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
    about: 'Now and then a request is one too many, and may be sent again in a second.',
    setup: pausing(() => '1'),
  },
  {
    id: 'limits/pause-to-a-date',
    about: 'The pause is stated as a date.',
    setup: pausing((ctx) => new Date(ctx.now + 900).toUTCString()),
  },
  { id: 'limits/no-pause', about: 'The pause is of no length.', setup: pausing(() => '0') },
  { id: 'limits/unstated-pause', about: 'The pause is not stated.', setup: pausing(() => undefined) },
  { id: 'limits/unreadable-pause', about: 'The pause is stated in words.', setup: pausing(() => 'soon') },
  {
    id: 'limits/unavailable-at-times',
    about: 'Some requests meet 503 in shape, and are answered when they are sent again.',
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
    about: 'Some requests that are refused meet 503 three times before they are.',
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
    about: 'Some requests meet 500 in shape, and are answered when they are sent again.',
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
    about: 'Where many ask at once, every second request for usage meets 503 before anybody counts it.',
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
      'Some plain calls and billing-type requests meet the 502 page of a proxy, and are answered when they are sent again.',
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
    about: 'Some connections break in the middle of an answer.',
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
    about: 'A client may send a hundred requests a second, whatever they are.',
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
    about: 'For a second in the middle everything is unavailable, as its answers say.',
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
    about: 'A key may make forty billing-type requests a second, which an orderly client exceeds.',
    setup: () => ({ seed: limited(40, '1s') }),
  },
  {
    id: 'limits/by-address',
    about: 'Billing-type requests are counted by address, before the key is looked at.',
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
    about: 'The limit that the profile states is on the balance.',
    setup: () => ({ profile: { rateLimit: { operation: 'balance', requests: 121, within: '10s' } } }),
  },
  {
    id: 'limits/on-records',
    about: 'The limit that the profile states is on records.',
    setup: () => ({ profile: { rateLimit: { operation: 'record', requests: 121, within: '10s' } } }),
  },
  {
    id: 'limits/by-fixed-window',
    about: 'Requests are counted in windows of the clock, so that twice as many may pass.',
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
