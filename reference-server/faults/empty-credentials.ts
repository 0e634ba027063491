import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import {
  allOf,
  byHeader,
  inFamily,
  onOperation,
  onSurface,
  type RequestCondition,
  refusedFor,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, setStatusAndType } from './overrides.ts';

const isEmpty: RequestCondition = ({ credential }) => credential.header !== 'none' && credential.value === '';
const acceptEmptyKey: Overrides = (base) => ({
  findKey: (credential, ctx) => base.findKey(credential, ctx) ?? ctx.state.keys[0],
});

/**
 * Faults in which the gateway accepts an empty credential, or refuses an empty credential with the wrong status or
 * type.
 */
export const emptyCredentialFaults: readonly Fault[] = [
  {
    id: 'credential-form/empty-bearer-answered-400',
    about: 'Responds to an empty bearer token with 400 on the model list.',
    violates: ['auth/empty-bearer-token'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('models'), byHeader('bearer'), isEmpty, refusedFor('bad-key')),
        setStatusAndType(400, 'invalid_request_error'),
      ),
    ),
  },
  {
    id: 'credential-form/empty-x-api-key-is-anonymous-on-chat',
    about: 'Treats an empty `x-api-key` on `chat` as the valid key.',
    violates: ['auth/empty-x-api-key', 'streams/empty-api-key'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), byHeader('x-api-key'), isEmpty), acceptEmptyKey),
    ),
  },
  {
    id: 'credential-form/empty-x-api-key-called-a-token',
    about: 'Responds to an empty `x-api-key` with the type `invalid_bearer_token` in family B.',
    violates: ['auth/empty-x-api-key', 'streams/empty-api-key'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('B'), byHeader('x-api-key'), isEmpty, refusedFor('bad-key')), (base) => ({
        errorTypeOf: (failure, ctx) => base.errorTypeOf({ ...failure, ...{ header: 'bearer' } }, ctx),
      })),
    ),
  },
  {
    id: 'credential-form/empty-x-goog-api-key-is-anonymous',
    about: 'Treats an empty `x-goog-api-key` as the valid key.',
    violates: ['auth/empty-x-goog-api-key', 'streams/empty-api-key'],
    setup: withDecisions(applyWhere(allOf(byHeader('x-goog-api-key'), isEmpty), acceptEmptyKey)),
  },
  {
    id: 'credential-form/empty-x-goog-api-key-forbidden',
    about: 'Responds to an empty `x-goog-api-key` with 403.',
    violates: ['auth/empty-x-goog-api-key', 'streams/empty-api-key'],
    setup: withDecisions(
      combineOverrides(
        applyWhere(
          allOf(byHeader('x-goog-api-key'), isEmpty, refusedFor('bad-key')),
          setStatusAndType(403, 'permission_denied'),
        ),
      ),
    ),
  },
  {
    id: 'credential-form/empty-credential-on-billing-answered-400',
    about: 'Responds to an empty credential with 400 on billing-type endpoints.',
    violates: ['auth/billing-malformed-credential', 'auth/billing-empty-x-api-key'],
    setup: withDecisions(
      applyWhere(allOf(onSurface('billing'), isEmpty, refusedFor('bad-key')), (base) => ({
        errorStatusOf: () => 400,
        errorCodeOf: () => 'invalid_request',
        errorMessageOf: base.errorMessageOf,
      })),
    ),
  },
];
