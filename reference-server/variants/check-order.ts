import { withDecisions } from '../combine-setups.ts';
import type { CheckName } from '../gateway/decisions.ts';
import { namedChanges } from '../named-changes/index.ts';
import { findUnknownMember } from './requests.ts';
import type { Variant } from './variant.ts';

/** Variants of the order of the checks, which section 7 leaves open. The order determines which problem is reported. */
export const checkOrderVariants: readonly Variant[] = [
  {
    id: 'orders/strict-body-before-key',
    about: 'Validates the body and rejects its unknown members before checking the key.',
    setup: withDecisions((base) => ({
      ...namedChanges['only-objects-parsed']?.decisions(base),
      listChecks: (ctx) => {
        const checks = base.listChecks(ctx);
        const isFirst = (check: CheckName): boolean => check === 'body' || check === 'form';
        return ctx.operation?.kind === 'call' || ctx.operation?.kind === 'count'
          ? [...checks.filter(isFirst), ...checks.filter((check) => !isFirst(check))]
          : checks;
      },
      findBodyProblem: (body, ctx) => base.findBodyProblem(body, ctx) ?? findUnknownMember(body, ctx),
    })),
  },
];
