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
import { rateLimitVariants } from './rate-limits.ts';
import { readVariants } from './read-variants.ts';
import { requestVariants } from './requests.ts';
import { routeVariants } from './routes.ts';
import { streamArrayVariants } from './stream-arrays.ts';
import { streamVariants } from './streams.ts';
import { traceVariants } from './traces.ts';
import { transferVariants } from './transfer.ts';
import { transientFailureVariants } from './transient-failures.ts';
import type { Variant } from './variant.ts';

export type { Variant } from './variant.ts';

let variants: readonly Variant[] | undefined;

/**
 * Returns all variants of `conformance serve --variant`, which the first call reads. A violation or warning that the
 * suite reports with a variant is a false positive, except for the warnings in `warns` of the variant.
 */
export function listVariants(): readonly Variant[] {
  variants ??= [
    ...readVariants('credentials'),
    ...credentialVariants,
    ...readVariants('accept-headers'),
    ...readVariants('check-order'),
    ...checkOrderVariants,
    ...readVariants('requests'),
    ...requestVariants,
    ...readVariants('messages'),
    ...messageVariants,
    ...readVariants('models'),
    ...modelVariants,
    ...readVariants('low-balance'),
    ...lowBalanceVariants,
    ...readVariants('billing'),
    ...billingVariants,
    ...readVariants('paths-and-parameters'),
    ...pathVariants,
    ...readVariants('errors'),
    ...errorVariants,
    ...readVariants('traces'),
    ...traceVariants,
    ...readVariants('streams'),
    ...streamVariants,
    ...streamArrayVariants,
    ...readVariants('stream-errors'),
    ...readVariants('transfer'),
    ...transferVariants,
    ...readVariants('routes'),
    ...routeVariants,
    ...readVariants('intermediaries'),
    ...intermediaryVariants,
    ...readVariants('transient-failures'),
    ...transientFailureVariants,
    ...readVariants('rate-limits'),
    ...rateLimitVariants,
    ...readVariants('keys'),
    ...keyVariants,
    ...readVariants('profiles'),
  ];
  return variants;
}
