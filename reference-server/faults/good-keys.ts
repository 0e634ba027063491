import { withDecisions } from '../combine-setups.ts';
import type { GatewayOperationId, HeaderName } from '../gateway/operations.ts';
import {
  allOf,
  byHeader,
  inFamily,
  isStreamed,
  not,
  onOperation,
  onSurface,
  refusedFor,
  withKey,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import {
  acceptHeaders,
  applyWhere,
  checkFirst,
  combineOverrides,
  crash,
  ignoreHeaders,
  setStatus,
} from './overrides.ts';

const withBadKeyRequirements = (...requirements: readonly string[]): readonly string[] => [
  ...requirements,
  'auth/bad-x-api-key',
  'auth/deleted-x-api-key',
];

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
    id: 'good-key/x-api-key-ignored-on-chat',
    about: 'Ignores `x-api-key` on `chat`.',
    violates: withBadKeyRequirements('auth/good-x-api-key', 'streams/bad-api-key'),
    setup: withDecisions(applyWhere(onOperation('chat'), ignoreHeaders('x-api-key'))),
  },
  {
    id: 'good-key/x-api-key-refused-on-responses',
    about: 'Rejects the valid key in `x-api-key` on `responses`.',
    violates: ['auth/good-x-api-key'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('responses'), byHeader('x-api-key'), withKey('valid')), refuseKey),
    ),
  },
  {
    id: 'good-key/bearer-ignored-in-family-b',
    about: 'Ignores `Authorization` in family B.',
    violates: [
      'auth/good-bearer-token',
      'auth/bad-bearer-token',
      'auth/deleted-bearer-token',
      'streams/bad-bearer-token',
    ],
    setup: withDecisions(applyWhere(inFamily('B'), ignoreHeaders('bearer'))),
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
    id: 'good-key/bearer-forbidden-on-balance',
    about: 'Responds to the valid bearer token with 403 on the balance endpoint.',
    violates: ['auth/good-bearer-token'],
    setup: withDecisions(
      combineOverrides(
        applyWhere(allOf(onOperation('balance'), byHeader('bearer'), withKey('valid')), refuseKey),
        applyWhere(
          allOf(onOperation('balance'), byHeader('bearer'), withKey('valid'), refusedFor('bad-key')),
          setStatus(403),
        ),
      ),
    ),
  },
  {
    id: 'good-key/x-api-key-crashes-the-usage-endpoint',
    about: 'Responds with 500 to every request with the header `x-api-key` on the usage endpoint.',
    violates: [
      'auth/good-x-api-key',
      'auth/billing-bad-x-api-key',
      'auth/billing-empty-x-api-key',
      'auth/key-with-text-after',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('usage'), ({ request }) => request.headers['x-api-key'] !== undefined),
        crash,
      ),
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
    id: 'good-key/x-goog-api-key-ignored-in-family-c',
    about: 'Ignores `x-goog-api-key` in family C.',
    violates: [
      'auth/good-x-goog-api-key',
      'auth/bad-x-goog-api-key',
      'auth/deleted-x-goog-api-key',
      'streams/bad-api-key',
    ],
    setup: withDecisions(applyWhere(inFamily('C'), ignoreHeaders('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-refused-when-streaming',
    about: 'Rejects the valid key in `x-goog-api-key` on streamed calls of family C.',
    violates: ['auth/good-x-goog-api-key'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('streamGenerate'), byHeader('x-goog-api-key'), withKey('valid')),
        refuseKey,
      ),
    ),
  },
  {
    id: 'good-key/x-goog-api-key-taken-by-the-model-list',
    about: 'Accepts a key in `x-goog-api-key` on the model list.',
    violates: ['auth/goog-header-outside-family-c'],
    setup: withDecisions(applyWhere(onOperation('models'), acceptHeaders('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-taken-in-families-a-and-b',
    about: 'Accepts a key in `x-goog-api-key` in families A and B.',
    violates: ['auth/goog-header-outside-family-c', 'streams/goog-header-outside-family-c'],
    setup: withDecisions(applyWhere(inFamily('A', 'B'), acceptHeaders('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-taken-by-billing',
    about: 'Accepts a key in `x-goog-api-key` on billing-type endpoints.',
    violates: ['auth/billing-goog-header'],
    setup: withDecisions(applyWhere(onSurface('billing'), acceptHeaders('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-taken-by-one-billing-endpoint',
    about: 'Accepts a key in `x-goog-api-key` on the record endpoint.',
    violates: ['auth/billing-goog-header'],
    setup: withDecisions(applyWhere(onOperation('record'), acceptHeaders('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-called-invalid-outside-family-c',
    about:
      'Treats a key in `x-goog-api-key` as an invalid key instead of a missing key in families A and B and on the model list.',
    violates: ['auth/goog-header-outside-family-c', 'streams/goog-header-outside-family-c'],
    setup: withDecisions(
      combineOverrides(
        applyWhere(allOf(onSurface('model', 'list'), not(inFamily('C'))), acceptHeaders('x-goog-api-key')),
        applyWhere(allOf(not(inFamily('C')), byHeader('x-goog-api-key')), refuseKey),
      ),
    ),
  },
];
