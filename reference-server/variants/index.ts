import { balanceVariants } from './balance.ts';
import { billingVariants } from './billing.ts';
import { credentialVariants } from './credentials.ts';
import { errorVariants } from './errors.ts';
import { keyVariants } from './keys.ts';
import { limitVariants } from './limits.ts';
import { messageVariants } from './messages.ts';
import { modelVariants } from './models.ts';
import { orderVariants } from './orders.ts';
import { placeVariants } from './places.ts';
import { profileVariants } from './profiles.ts';
import { requestVariants } from './requests.ts';
import { routeVariants } from './routes.ts';
import { runtimeVariants } from './runtimes.ts';
import { streamErrorVariants } from './stream-errors.ts';
import { streamVariants } from './streams.ts';
import { traceVariants } from './traces.ts';
import type { Variant } from './variant.ts';
import { wireVariants } from './wire.ts';

export type { Variant } from './variant.ts';

/** All variants, those of `conformance serve --variant`. A test that fails against one of them reports a false positive. */
export const variants: readonly Variant[] = [
  ...credentialVariants,
  ...orderVariants,
  ...requestVariants,
  ...messageVariants,
  ...runtimeVariants,
  ...modelVariants,
  ...balanceVariants,
  ...billingVariants,
  ...placeVariants,
  ...errorVariants,
  ...traceVariants,
  ...streamVariants,
  ...streamErrorVariants,
  ...wireVariants,
  ...routeVariants,
  ...limitVariants,
  ...keyVariants,
  ...profileVariants,
];
