import { billingChanges } from './billing.ts';
import { bodyChanges } from './bodies.ts';
import { checkOrderChanges } from './check-order.ts';
import { errorChanges } from './errors.ts';
import { keyChanges } from './keys.ts';
import { lifecycleChanges } from './lifecycle.ts';
import { modelChanges } from './models.ts';
import type { NamedChanges } from './named-change.ts';
import { streamChanges } from './streams.ts';

/** All changes that need code, by name. `npm run generate` writes them into the schema of rules. */
export const namedChanges: NamedChanges = {
  ...checkOrderChanges,
  ...errorChanges,
  ...modelChanges,
  ...billingChanges,
  ...streamChanges,
  ...lifecycleChanges,
  ...keyChanges,
  ...bodyChanges,
};
