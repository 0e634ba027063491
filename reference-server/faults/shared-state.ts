import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { ApiKey } from '../gateway/state.ts';
import { allOf, byHeader, isBrowser, not, onOperation, onSurface } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere } from './overrides.ts';

/** How long a request waits before its checks, in milliseconds, so that requests overlap. */
const wait = 5;

/**
 * Delays each request whose credential in `Authorization` or `x-api-key` begins with `sk-`, and then replaces the key
 * with the result of `choose`. `choose` gets the key of the request, and the keys of all requests under way,
 * including this request. Undefined stands for an unknown or deleted key.
 */
const mixKeys =
  (
    choose: (own: ApiKey | undefined, underWay: readonly (ApiKey | undefined)[]) => ApiKey | undefined,
  ): Overrides =>
  (base) => {
    const underWay = new Set<Context>();
    const sent = ({ request: { headers } }: Context): string | undefined =>
      headers.authorization?.replace('Bearer ', '') ?? headers['x-api-key'];
    const keyOf = (ctx: Context): ApiKey | undefined =>
      ctx.state.keys.find(({ value, deleted }) => !deleted && value === sent(ctx));
    const mixed = new WeakMap<Context['request'], ApiKey | undefined>();
    return {
      shortCircuit: async (ctx) => {
        if (!sent(ctx)?.startsWith('sk-')) return base.shortCircuit(ctx);
        underWay.add(ctx);
        await sleep(wait);
        mixed.set(ctx.request, choose(keyOf(ctx), [...underWay].map(keyOf)));
        underWay.delete(ctx);
        return base.shortCircuit(ctx);
      },
      findKey: (credential, ctx) =>
        mixed.has(ctx.request) ? mixed.get(ctx.request) : base.findKey(credential, ctx),
    };
  };

/** How long the balance is cached, in milliseconds. */
const cacheTime = 1000;

const cacheBalance: Overrides = (base) => {
  let cached: { readonly key: ApiKey; readonly until: number } | undefined;
  return applyWhere(allOf(onOperation('balance'), byHeader('bearer'), not(isBrowser)), () => ({
    findKey: (credential, ctx) => {
      const key = base.findKey(credential, ctx);
      const now = Date.now();
      if (key?.role === 'valid') cached = { key, until: now + cacheTime };
      return key?.deleted === false || !/^sk-\S/.test(credential.value) || !cached || cached.until < now
        ? key
        : cached.key;
    },
  }))(base);
};

/** Faults in which a request uses the key of another request. */
export const sharedStateFaults: readonly Fault[] = [
  {
    id: 'shared-state/wrong-key-of-another-request',
    about: 'Rejects a valid key while a request with a wrong key is under way.',
    violates: ['requests/overlapping-calls'],
    setup: () => ({
      decisions: mixKeys((own, underWay) =>
        own?.role === 'valid' && underWay.includes(undefined) ? undefined : own,
      ),
    }),
  },
  {
    id: 'shared-state/valid-key-of-another-request',
    about:
      'Accepts a wrong key while a request with the valid key is under way, except on billing-type endpoints.',
    violates: ['auth/bad-bearer-token', 'streams/bad-bearer-token'],
    setup: () => ({
      decisions: applyWhere(
        not(onSurface('billing')),
        mixKeys((own, underWay) => own ?? underWay.find((key) => key?.role === 'valid')),
      ),
    }),
  },
  {
    id: 'shared-state/balance-cached',
    about:
      'Shows the balance to any bearer token within one second of a successful request for the balance, as a cache that ignores the key does.',
    violates: ['auth/billing-bad-bearer-token'],
    setup: () => ({ decisions: cacheBalance }),
  },
  {
    id: 'shared-state/balance-of-another-request',
    about:
      'Rejects a valid call with `insufficient_balance` while a call from an account without a balance is under way.',
    violates: ['requests/overlapping-calls'],
    setup: () => ({
      decisions: mixKeys((own, underWay) =>
        own?.role === 'valid' ? (underWay.find((key) => key?.role === 'depleted') ?? own) : own,
      ),
    }),
  },
];
