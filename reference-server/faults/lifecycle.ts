import { setTimeout as sleep } from 'node:timers/promises';
import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { ApiKey } from '../gateway/state.ts';
import { byHeader, inFamily, isStreamed, onSurface, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';

/** How long a deleted key is still accepted after the last request before its deletion, in milliseconds. */
const gracePeriod = 2_000;

const always: RequestCondition = () => true;

/**
 * Accepts a deleted key in requests that satisfy the condition, for `gracePeriod` milliseconds after the last request
 * with the key before its deletion. `nameOf` identifies the requests that count together.
 */
const keepAccepting =
  (condition: RequestCondition, nameOf: (key: ApiKey, ctx: Context) => string = ({ id }) => id): Overrides =>
  (base) => {
    const accepted = new Map<string, number>();
    return {
      isKeyValid(key, ctx) {
        const name = nameOf(key, ctx);
        if (base.isKeyValid(key, ctx)) {
          accepted.set(name, ctx.now);
          return true;
        }
        return condition(ctx) && ctx.now - (accepted.get(name) ?? 0) < gracePeriod;
      },
    };
  };

/**
 * Keeps accepting a deleted key if a request with this key in `Authorization` was under way when the key was deleted.
 */
const acceptIfInUse: Overrides = (base) => {
  const inUse = new Set<string>();
  return {
    shortCircuit: async (ctx) => {
      const { authorization = '' } = ctx.request.headers;
      const key = ctx.state.keys.find(({ value, deleted }) => !deleted && authorization.endsWith(value));
      if (!key) return base.shortCircuit(ctx);
      await sleep(5);
      if (key.deleted) inUse.add(key.id);
      return base.shortCircuit(ctx);
    },
    isKeyValid: (key, ctx) => base.isKeyValid(key, ctx) || inUse.has(key.id),
  };
};

/**
 * After a key that existed at an earlier request is deleted, refuses the next request that has another valid key and
 * satisfies the condition.
 */
const refuseOtherKey =
  (condition: RequestCondition): Overrides =>
  (base) => {
    const known = new Set<string>();
    let refusesNext = false;
    return {
      isKeyValid(key, ctx) {
        for (const { id, deleted } of ctx.state.keys) {
          if (!deleted) known.add(id);
          else if (known.delete(id)) refusesNext = true;
        }
        if (!base.isKeyValid(key, ctx)) return false;
        const isRefused = refusesNext && condition(ctx);
        if (isRefused) refusesNext = false;
        return !isRefused;
      },
    };
  };

/**
 * After the first request that satisfies the condition while its account is in the `remembered` state, ignores later
 * changes of the balance of this account in such requests.
 */
const rememberBalance =
  (remembered: 'empty' | 'paying', condition: RequestCondition): Overrides =>
  (base) => {
    const seen = new Set<string>();
    return {
      canPay(account, ctx) {
        const pays = base.canPay(account, ctx);
        if (!condition(ctx)) return pays;
        const id = account?.id ?? '';
        if (pays === (remembered === 'paying')) seen.add(id);
        return seen.has(id) ? remembered === 'paying' : pays;
      },
    };
  };

const inXApiKey = [
  'auth/deleted-x-api-key',
  'auth/billing-bad-x-api-key',
  'streams/bad-api-key',
  'lifecycle/deleted-key',
];
const inEveryHeader = [
  ...inXApiKey,
  'auth/deleted-bearer-token',
  'auth/deleted-x-goog-api-key',
  'auth/billing-bad-bearer-token',
  'streams/bad-bearer-token',
];

/** Faults in the response to requests after a key was deleted, or a balance was changed, while the gateway runs. */
export const lifecycleFaults: readonly Fault[] = [
  {
    id: 'lifecycle/late-deletion',
    about:
      'Accepts a deleted key until two seconds after the last request with this key before the deletion.',
    violates: inEveryHeader,
    setup: withDecisions(keepAccepting(always)),
  },
  {
    id: 'lifecycle/deletion-for-new-connections',
    about:
      'Accepts a deleted key on a connection until two seconds after the last request with this key on the connection before the deletion.',
    violates: inEveryHeader,
    setup: withDecisions(keepAccepting(always, ({ id }, { request }) => `${id} ${request.connection}`)),
  },
  {
    id: 'lifecycle/deletion-for-bearer-tokens',
    about:
      'Accepts a deleted key in `x-api-key` until two seconds after the last request with this key before the deletion.',
    violates: inXApiKey,
    setup: withDecisions(keepAccepting(byHeader('x-api-key'))),
  },
  {
    id: 'lifecycle/deletion-for-models',
    about:
      'Accepts a deleted key on billing-type endpoints until two seconds after the last request with this key before the deletion.',
    violates: ['lifecycle/deleted-key', 'auth/billing-bad-x-api-key', 'auth/billing-bad-bearer-token'],
    setup: withDecisions(keepAccepting(onSurface('billing'))),
  },
  {
    id: 'lifecycle/key-in-use-kept',
    about:
      'Keeps accepting a key that was deleted while a request with this key in `Authorization` was under way.',
    violates: ['lifecycle/deleted-key'],
    setup: withDecisions(acceptIfInUse),
  },
  {
    id: 'lifecycle/other-key-refused',
    about: 'Rejects the next request with another key after a key is deleted.',
    violates: ['lifecycle/other-key'],
    setup: withDecisions(refuseOtherKey(always)),
  },
  {
    id: 'lifecycle/other-key-refused-in-x-api-key',
    about: 'Rejects the next request with another key in `x-api-key` after a key is deleted.',
    violates: ['lifecycle/other-key'],
    setup: withDecisions(refuseOtherKey(byHeader('x-api-key'))),
  },
  {
    id: 'lifecycle/top-up-ignored',
    about:
      'After a call of family A from an account without a balance, rejects all later calls of family A from this account.',
    violates: ['lifecycle/topped-up-account'],
    setup: withDecisions(rememberBalance('empty', inFamily('A'))),
  },
  {
    id: 'lifecycle/top-up-ignored-when-streamed',
    about:
      'After a streamed call from an account without a balance, rejects all later streamed calls from this account.',
    violates: ['lifecycle/topped-up-account'],
    setup: withDecisions(rememberBalance('empty', isStreamed)),
  },
  {
    id: 'lifecycle/balance-kept',
    about:
      'After a model call from an account with a balance, accepts all later model calls from this account.',
    violates: [
      'balance/family-a',
      'balance/family-b',
      'balance/family-c',
      'streams/balance-family-a',
      'streams/balance-families-b-c',
      'streams/error-before-start',
      'lifecycle/drained-account',
    ],
    setup: withDecisions(rememberBalance('paying', always)),
  },
];
