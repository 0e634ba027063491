import type { Context, RequestFailure } from '../gateway/context.ts';
import { pickTransientFailures } from './pick-transient-failures.ts';
import { limitRequests } from './rate-limits.ts';
import { isSuccessfulCall, refuseRequest } from './responses.ts';
import type { Variant, VariantSetup } from './variant.ts';

const takesJsonOnly = ({ operation, request: { headers } }: Context): boolean =>
  operation?.streams !== 'always' && headers.accept === 'application/json';

/**
 * The failures that depend on the rate limit or the balance. `limits/unavailable-several-times` never replaces these
 * failures with 503.
 */
const accountFailures: readonly RequestFailure['kind'][] = ['too-frequent', 'low-balance'];

const sendTooManyRequests = (retryAfter: (ctx: Context) => string | undefined) => (): VariantSetup => {
  const busy = new Set([9, 60, 61, 62, 200, 333]);
  return {
    decisions: (base) => ({
      finish: (response, ctx) => {
        if (!busy.has(ctx.number)) return response;
        const refused = refuseRequest({ kind: 'too-frequent', retryAfter: 1 }, ctx, base);
        const value = retryAfter(ctx);
        const others = refused.headers.filter(([name]) => name !== 'retry-after');
        return { ...refused, headers: value === undefined ? others : [...others, ['Retry-After', value]] };
      },
    }),
  };
};

/** Variants of transient failures: sections 7.2, 7.3 and 8 leave these choices open. */
export const transientFailureVariants: readonly Variant[] = [
  {
    id: 'limits/pause-in-seconds',
    about: 'Responds to a few requests with 429 and a `Retry-After` of one second.',
    setup: sendTooManyRequests(() => '1'),
  },
  {
    id: 'limits/pause-to-a-date',
    about: 'Responds to a few requests with 429 and a date in `Retry-After`.',
    setup: sendTooManyRequests((ctx) => new Date(ctx.now + 900).toUTCString()),
  },
  {
    id: 'limits/no-pause',
    about: 'Responds to a few requests with 429 and a `Retry-After` of 0.',
    setup: sendTooManyRequests(() => '0'),
  },
  {
    id: 'limits/unstated-pause',
    about: 'Responds to a few requests with 429 and no `Retry-After`.',
    setup: sendTooManyRequests(() => undefined),
  },
  {
    id: 'limits/unreadable-pause',
    about: 'Responds to a few requests with 429 and a word in `Retry-After`.',
    setup: sendTooManyRequests(() => 'soon'),
  },
  {
    id: 'limits/unavailable-at-times',
    about: 'Responds to some requests with 503 once, and normally to retries.',
    setup: () => {
      const isPicked = pickTransientFailures(9);
      return {
        decisions: (base) => ({
          finish: (response, ctx) =>
            isPicked(ctx)
              ? refuseRequest({ kind: 'internal' }, ctx, base, { errorStatusOf: () => 503 })
              : response,
        }),
      };
    },
  },
  {
    id: 'limits/unavailable-several-times',
    about: 'Responds with 503 three times to some invalid requests, and then with the error of the request.',
    setup: () => {
      const isPicked = pickTransientFailures(25, 3);
      return {
        decisions: (base) => ({
          finish: (response, ctx) =>
            ctx.failure && !accountFailures.includes(ctx.failure.kind) && isPicked(ctx)
              ? refuseRequest({ kind: 'internal' }, ctx, base, { errorStatusOf: () => 503 })
              : response,
        }),
      };
    },
  },
  {
    id: 'limits/internal-errors-at-times',
    about: 'Responds to some requests with 500 once, and normally to retries.',
    setup: () => {
      const isPicked = pickTransientFailures(11);
      return {
        decisions: (base) => ({
          finish: (response, ctx) =>
            isPicked(ctx) ? refuseRequest({ kind: 'internal' }, ctx, base) : response,
        }),
      };
    },
  },
  {
    id: 'limits/errors-in-200-at-times',
    about: 'Responds to some calls with 200 and only an error once, and normally to retries.',
    setup: () => {
      const isPicked = pickTransientFailures(7);
      return {
        decisions: () => ({
          finish: (response, ctx) =>
            isSuccessfulCall(ctx) && isPicked(ctx)
              ? {
                  ...response,
                  content: { kind: 'json', value: { error: { message: 'Busy.', type: 'upstream_error' } } },
                }
              : response,
        }),
      };
    },
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
    id: 'limits/pages-at-times',
    about:
      'Responds to some non-streamed calls and billing-type requests once with the page of a web server with 500, and normally to retries.',
    setup: () => {
      const isPicked = pickTransientFailures(17);
      return {
        decisions: () => ({
          finish: (response, ctx) =>
            ctx.surface !== 'list' && takesJsonOnly(ctx) && isPicked(ctx)
              ? {
                  status: 500,
                  headers: [],
                  content: { kind: 'text', mediaType: 'text/html', text: '<h1>500</h1>' },
                }
              : response,
        }),
      };
    },
  },
  {
    id: 'limits/proxy-errors-at-times',
    about:
      'Responds to some non-streamed calls and billing-type requests once with the 502 page of a proxy, and normally to retries.',
    setup: () => {
      const isPicked = pickTransientFailures(13);
      return {
        decisions: () => ({
          finish: (response, ctx) =>
            ctx.surface !== 'list' && takesJsonOnly(ctx) && isPicked(ctx)
              ? {
                  status: 502,
                  headers: [],
                  content: { kind: 'text', mediaType: 'text/html', text: '<h1>502</h1>' },
                }
              : response,
        }),
      };
    },
  },
  {
    id: 'limits/connections-dropped-at-times',
    about:
      'Closes the connection before the end of the response to some requests, and responds normally to retries.',
    setup: () => {
      const isPicked = pickTransientFailures(10);
      return {
        decisions: () => ({
          transmit: (wire, ctx) => (isPicked(ctx) ? { ...wire, ending: 'cut', framing: 'chunked' } : wire),
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
