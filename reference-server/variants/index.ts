import { noteForAll } from '../causes.ts';
import { combineSetups } from '../combine-setups.ts';
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
    ...inCode(credentialVariants),
    ...readVariants('accept-headers'),
    ...readVariants('check-order'),
    ...inCode(checkOrderVariants),
    ...readVariants('requests'),
    ...inCode(requestVariants),
    ...readVariants('messages'),
    ...inCode(messageVariants),
    ...readVariants('models'),
    ...inCode(modelVariants),
    ...readVariants('low-balance'),
    ...inCode(lowBalanceVariants),
    ...readVariants('billing'),
    ...inCode(billingVariants),
    ...readVariants('paths-and-parameters'),
    ...inCode(pathVariants),
    ...readVariants('errors'),
    ...inCode(errorVariants),
    ...readVariants('traces'),
    ...inCode(traceVariants),
    ...readVariants('streams'),
    ...inCode(streamVariants),
    ...inCode(streamArrayVariants),
    ...readVariants('stream-errors'),
    ...readVariants('transfer'),
    ...inCode(transferVariants),
    ...readVariants('routes'),
    ...inCode(routeVariants),
    ...readVariants('intermediaries'),
    ...inCode(intermediaryVariants),
    ...readVariants('transient-failures'),
    ...inCode(transientFailureVariants),
    ...readVariants('rate-limits'),
    ...inCode(rateLimitVariants),
    ...readVariants('keys'),
    ...inCode(keyVariants),
    ...readVariants('profiles'),
  ];
  return variants;
}

/** Variants in code say nothing of the requests that they change, so they are noted for all. */
const inCode = (list: readonly Variant[]): readonly Variant[] =>
  list.map((variant) => ({
    ...variant,
    setup: (origin = { kind: 'variant', id: variant.id, about: variant.about }) =>
      combineSetups([variant.setup(), noteForAll(origin)]),
  }));
