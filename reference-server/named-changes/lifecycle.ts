import { setTimeout as sleep } from 'node:timers/promises';
import type { Overrides } from '../gateway/decisions.ts';
import type { NamedChanges } from './named-change.ts';

/** Keeps the first answer to whether an account can pay, once it is `kept`. */
const keepBalance =
  (kept: boolean): Overrides =>
  (base) => {
    const seen = new Set<string>();
    return {
      canPay(account, ctx) {
        const pays = base.canPay(account, ctx);
        const id = account?.id ?? '';
        if (pays === kept) seen.add(id);
        return seen.has(id) ? kept : pays;
      },
    };
  };

/** Changes of what the gateway remembers of keys and balances that change while it runs. */
export const lifecycleChanges: NamedChanges = {
  'key-in-use-kept': {
    about: 'a key that is deleted while a request with it in Authorization is under way stays valid',
    decisions(base) {
      const inUse = new Set<string>();
      return {
        async shortCircuit(ctx) {
          const { authorization = '' } = ctx.request.headers;
          const key = ctx.state.keys.find(({ value, deleted }) => !deleted && authorization.endsWith(value));
          if (!key) return base.shortCircuit(ctx);
          await sleep(5);
          if (key.deleted) inUse.add(key.id);
          return base.shortCircuit(ctx);
        },
        isKeyValid: (key, ctx) => base.isKeyValid(key, ctx) || inUse.has(key.id),
      };
    },
  },
  'next-key-refused': {
    about: 'after a key is deleted, the next request with another key is refused',
    decisions(base) {
      const known = new Set<string>();
      let refusesNext = false;
      return {
        isKeyValid(key, ctx) {
          for (const { id, deleted } of ctx.state.keys) {
            if (!deleted) known.add(id);
            else if (known.delete(id)) refusesNext = true;
          }
          if (!base.isKeyValid(key, ctx)) return false;
          const isRefused = refusesNext;
          refusesNext = false;
          return !isRefused;
        },
      };
    },
  },
  'empty-balance-kept': {
    about: 'an account that once had no balance has none forever',
    decisions: keepBalance(false),
  },
  'paying-balance-kept': {
    about: 'an account that once had a balance has one forever',
    decisions: keepBalance(true),
  },
};
