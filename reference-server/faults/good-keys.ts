import { withDecisions } from '../combine-setups.ts';
import type { GatewayOperationId, HeaderName } from '../gateway/operations.ts';
import { allOf, byHeader, inFamily, isStreamed, onOperation, withKey } from './conditions.ts';
import type { Fault } from './fault.ts';
import { acceptHeaders, applyWhere, checkFirst, combineOverrides } from './overrides.ts';

// The body must be parsed first, since the body determines whether a stream is requested.
const refuseInStreams = (operation: GatewayOperationId, header: HeaderName): Fault['setup'] =>
  withDecisions(
    combineOverrides(
      applyWhere(onOperation(operation), checkFirst('body')),
      applyWhere(allOf(onOperation(operation), byHeader(header), withKey('valid'), isStreamed), refuseKey),
    ),
  );

// Most faults refuse only the valid key, so that the responses to bad keys in the same header stay correct.
const refuseKey = () => ({ isKeyValid: () => false });

/**
 * Faults in which the gateway refuses a valid key in a header that section 4 accepts, or does not ignore a key in a
 * header that section 4 does not list.
 */
export const goodKeyFaults: readonly Fault[] = [
  {
    id: 'good-key/x-api-key-refused-on-responses',
    about: 'Rejects the valid key in `x-api-key` on `responses`.',
    violates: ['auth/good-x-api-key'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('responses'), byHeader('x-api-key'), withKey('valid')), refuseKey),
    ),
  },
  {
    id: 'good-key/x-api-key-refused-when-chat-streams',
    about: 'Rejects the valid key in `x-api-key` on streamed chat calls.',
    violates: ['auth/good-x-api-key', 'chat/conversation'],
    setup: refuseInStreams('chat', 'x-api-key'),
  },
  {
    id: 'good-key/x-api-key-refused-when-responses-streams',
    about: 'Rejects the valid key in `x-api-key` on streamed `responses` calls.',
    violates: ['auth/good-x-api-key'],
    setup: refuseInStreams('responses', 'x-api-key'),
  },
  {
    id: 'good-key/bearer-refused-when-family-b-streams',
    about: 'Rejects the valid key in `Authorization` on streamed calls of family B.',
    violates: ['auth/good-bearer-token'],
    setup: refuseInStreams('messages', 'bearer'),
  },
  {
    id: 'good-key/bearer-refused-by-the-model-list',
    about: 'Rejects the valid key in `Authorization` on the model list.',
    violates: ['auth/good-bearer-token', 'models/list-succeeds'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('models'), byHeader('bearer'), withKey('valid')), refuseKey),
    ),
  },
  {
    id: 'good-key/x-api-key-refused-by-messages',
    about: 'Rejects the valid key in `x-api-key` in family B.',
    violates: ['auth/good-x-api-key'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('B'), byHeader('x-api-key'), withKey('valid')), refuseKey),
    ),
  },
  {
    id: 'good-key/bearer-refused-in-family-c',
    about: 'Rejects the valid key in `Authorization` in family C.',
    violates: ['auth/good-bearer-token'],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), byHeader('bearer'), withKey('valid')), refuseKey)),
  },
  {
    id: 'good-key/x-api-key-refused-in-family-c',
    about: 'Rejects the valid key in `x-api-key` in family C.',
    violates: ['auth/good-x-api-key'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('C'), byHeader('x-api-key'), withKey('valid')), refuseKey),
    ),
  },
  {
    id: 'good-key/bearer-refused-for-usage-and-records',
    about: 'Rejects the valid key in `Authorization` on the usage and record endpoints.',
    violates: ['auth/good-bearer-token'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('usage', 'record'), byHeader('bearer'), withKey('valid')), refuseKey),
    ),
  },
  {
    id: 'good-key/x-api-key-refused-for-balance-and-records',
    about: 'Rejects the valid key in `x-api-key` on the balance and record endpoints.',
    violates: ['auth/good-x-api-key'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('balance', 'record'), byHeader('x-api-key'), withKey('valid')), refuseKey),
    ),
  },
  {
    id: 'good-key/x-goog-api-key-taken-by-the-model-list',
    about: 'Accepts a key in `x-goog-api-key` on the model list.',
    violates: ['auth/goog-header-outside-family-c'],
    setup: withDecisions(applyWhere(onOperation('models'), acceptHeaders('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-taken-by-one-billing-endpoint',
    about: 'Accepts a key in `x-goog-api-key` on the record endpoint.',
    violates: ['auth/billing-goog-header'],
    setup: withDecisions(applyWhere(onOperation('record'), acceptHeaders('x-goog-api-key'))),
  },
];
