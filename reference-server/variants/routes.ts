import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import { refuseRequest } from './responses.ts';
import type { Variant } from './variant.ts';

const hasNoRoute = ({ match }: Context): boolean =>
  match.kind === 'unknown-path' || match.kind === 'wrong-method';

/** Variants of the responses to paths and methods that section 4 does not list. */
export const routeVariants: readonly Variant[] = [
  {
    id: 'routes/unknown-asks-for-a-key',
    about:
      'Responds to unknown paths and wrong methods with 401 if the key is missing or unknown, and otherwise with 403.',
    setup: withDecisions((base) => ({
      finish: (response, ctx) => {
        if (!hasNoRoute(ctx)) return response;
        const credential = base.credentialOf(['bearer', 'x-api-key', 'x-goog-api-key'], ctx);
        if (base.findKey(credential, ctx))
          return refuseRequest({ kind: 'unknown-path' }, ctx, base, { errorStatusOf: () => 403 });
        return refuseRequest({ kind: 'missing-credential' }, ctx, base);
      },
    })),
  },
];
