import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { ApiKey } from '../gateway/state.ts';
import { byHeader, onSurface, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';

/** How long a deleted key is still accepted after the last request before its deletion, in milliseconds. */
const gracePeriod = 2_000;

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

const inXApiKey = [
  'auth/deleted-x-api-key',
  'auth/billing-bad-x-api-key',
  'streams/bad-api-key',
  'lifecycle/deleted-key',
];

/** Faults in the response to requests after a key was deleted, or a balance was changed, while the gateway runs. */
export const lifecycleFaults: readonly Fault[] = [
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
];
