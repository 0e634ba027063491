import { acceptHeaderVariants } from './accept-headers.ts';
import { billingVariants } from './billing.ts';
import { checkOrderVariants } from './check-order.ts';
import { credentialVariants } from './credentials.ts';
import { errorVariants } from './errors.ts';
import { intermediaryVariants } from './intermediaries.ts';
import { keyVariants } from './keys.ts';
import { lowBalanceVariants } from './low-balance.ts';
import { messageVariants } from './messages.ts';
import { modelVariants } from './models.ts';
import { pathVariants } from './paths-and-parameters.ts';
import { profileVariants } from './profiles.ts';
import { rateLimitVariants } from './rate-limits.ts';
import { requestVariants } from './requests.ts';
import { routeVariants } from './routes.ts';
import { runtimeMessageVariants } from './runtime-messages.ts';
import { streamArrayVariants } from './stream-arrays.ts';
import { streamErrorVariants } from './stream-errors.ts';
import { streamVariants } from './streams.ts';
import { traceVariants } from './traces.ts';
import { transferVariants } from './transfer.ts';
import { transientFailureVariants } from './transient-failures.ts';
import type { Variant } from './variant.ts';

export type { Variant } from './variant.ts';

/**
 * All variants of `conformance serve --variant`. A violation or warning that the suite reports with a variant is a
 * false positive, except for the warnings in `warns` of the variant.
 */
export const variants: readonly Variant[] = [
  ...credentialVariants,
  ...acceptHeaderVariants,
  ...checkOrderVariants,
  ...requestVariants,
  ...messageVariants,
  ...runtimeMessageVariants,
  ...modelVariants,
  ...lowBalanceVariants,
  ...billingVariants,
  ...pathVariants,
  ...errorVariants,
  ...traceVariants,
  ...streamVariants,
  ...streamArrayVariants,
  ...streamErrorVariants,
  ...transferVariants,
  ...routeVariants,
  ...intermediaryVariants,
  ...transientFailureVariants,
  ...rateLimitVariants,
  ...keyVariants,
  ...profileVariants,
];
