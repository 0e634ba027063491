import type { HeaderName, OperationId } from '../gateway/operations.ts';
import { crashing, deciding, firstOfAll, ignoring, onlyWhere, status, taking, together } from './changes.ts';
import { all, at, by, inFamily, not, ofKey, on, refusedFor, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const everyDuty = (...requirements: readonly string[]): readonly string[] => [
  ...requirements,
  'auth/bad-x-api-key',
  'auth/deleted-x-api-key',
  'auth/bad-api-key-with-invalid-body',
  'auth/bad-api-key-with-unlisted-model',
];

// Whether a stream is asked for is known only once the body is read.
const refusedInStreams = (operation: OperationId, header: HeaderName): Fault['setup'] =>
  deciding(
    together(
      onlyWhere(on(operation), firstOfAll('body')),
      onlyWhere(all(on(operation), by(header), ofKey('valid'), streamed), refusingTheGoodKey),
    ),
  );

// The valid key alone is refused, so that nothing else about the header changes.
const refusingTheGoodKey = () => ({ keyWorks: () => false });

/** A good key is refused in a header that section 4 accepts, or taken from one that it does not. */
export const goodKeyFaults: readonly Fault[] = [
  {
    id: 'good-key/x-api-key-ignored-on-chat',
    about: 'Ignores `x-api-key` on chat.',
    breaks: everyDuty('auth/good-x-api-key', 'streams/bad-api-key'),
    setup: deciding(onlyWhere(on('chat'), ignoring('x-api-key'))),
  },
  {
    id: 'good-key/x-api-key-refused-on-responses',
    about: 'Refuses the valid key in `x-api-key` on responses.',
    breaks: ['auth/good-x-api-key'],
    setup: deciding(onlyWhere(all(on('responses'), by('x-api-key'), ofKey('valid')), refusingTheGoodKey)),
  },
  {
    id: 'good-key/bearer-ignored-in-family-b',
    about: 'Ignores `Authorization` in family B.',
    breaks: [
      'auth/good-bearer-token',
      'auth/bad-bearer-token',
      'auth/deleted-bearer-token',
      'auth/bad-bearer-token-with-invalid-body',
      'auth/bad-bearer-token-with-unlisted-model',
      'streams/bad-bearer-token',
    ],
    setup: deciding(onlyWhere(inFamily('B'), ignoring('bearer'))),
  },
  {
    id: 'good-key/x-api-key-refused-when-chat-streams',
    about: 'Refuses the valid key in `x-api-key` on streaming chat calls.',
    breaks: ['auth/good-x-api-key', 'streams/unlisted-model'],
    setup: refusedInStreams('chat', 'x-api-key'),
  },
  {
    id: 'good-key/x-api-key-refused-when-responses-streams',
    about: 'Refuses the valid key in `x-api-key` on streaming responses calls.',
    breaks: ['auth/good-x-api-key', 'streams/unlisted-model'],
    setup: refusedInStreams('responses', 'x-api-key'),
  },
  {
    id: 'good-key/bearer-refused-when-family-b-streams',
    about: 'Refuses the valid key in `Authorization` on streaming calls of family B.',
    breaks: ['auth/good-bearer-token', 'streams/unlisted-model'],
    setup: refusedInStreams('messages', 'bearer'),
  },
  {
    id: 'good-key/bearer-refused-by-the-model-list',
    about: 'Refuses the valid key in `Authorization` on the model list.',
    breaks: ['auth/good-bearer-token', 'models/list-succeeds'],
    setup: deciding(onlyWhere(all(on('models'), by('bearer'), ofKey('valid')), refusingTheGoodKey)),
  },
  {
    id: 'good-key/bearer-forbidden-on-balance',
    about: 'Answers the valid bearer token with 403 on the balance endpoint.',
    breaks: ['auth/good-bearer-token'],
    setup: deciding(
      together(
        onlyWhere(all(on('balance'), by('bearer'), ofKey('valid')), refusingTheGoodKey),
        onlyWhere(all(on('balance'), by('bearer'), ofKey('valid'), refusedFor('bad-key')), status(403)),
      ),
    ),
  },
  {
    id: 'good-key/x-api-key-crashes-the-usage-endpoint',
    about: 'Answers a key in `x-api-key` with 500 on the usage endpoint.',
    breaks: ['auth/good-x-api-key', 'auth/billing-bad-x-api-key', 'auth/billing-empty-x-api-key'],
    setup: deciding(
      onlyWhere(
        all(on('usage'), ({ request }) => request.headers['x-api-key'] !== undefined),
        crashing,
      ),
    ),
  },
  {
    id: 'good-key/x-api-key-refused-by-messages',
    about: 'Refuses the valid key in `x-api-key` in family B.',
    breaks: ['auth/good-x-api-key'],
    setup: deciding(onlyWhere(all(inFamily('B'), by('x-api-key'), ofKey('valid')), refusingTheGoodKey)),
  },
  {
    id: 'good-key/bearer-refused-in-family-c',
    about: 'Refuses the valid key in `Authorization` in family C.',
    breaks: ['auth/good-bearer-token'],
    setup: deciding(onlyWhere(all(inFamily('C'), by('bearer'), ofKey('valid')), refusingTheGoodKey)),
  },
  {
    id: 'good-key/x-api-key-refused-in-family-c',
    about: 'Refuses the valid key in `x-api-key` in family C.',
    breaks: ['auth/good-x-api-key'],
    setup: deciding(onlyWhere(all(inFamily('C'), by('x-api-key'), ofKey('valid')), refusingTheGoodKey)),
  },
  {
    id: 'good-key/bearer-refused-for-usage-and-records',
    about: 'Refuses the valid key in `Authorization` on the endpoints of usage and request records.',
    breaks: ['auth/good-bearer-token'],
    setup: deciding(onlyWhere(all(on('usage', 'record'), by('bearer'), ofKey('valid')), refusingTheGoodKey)),
  },
  {
    id: 'good-key/x-api-key-refused-for-balance-and-records',
    about: 'Refuses the valid key in `x-api-key` on the endpoints of balance and request records.',
    breaks: ['auth/good-x-api-key'],
    setup: deciding(
      onlyWhere(all(on('balance', 'record'), by('x-api-key'), ofKey('valid')), refusingTheGoodKey),
    ),
  },
  {
    id: 'good-key/x-goog-api-key-ignored-in-family-c',
    about: 'Ignores `x-goog-api-key` in family C.',
    breaks: [
      'auth/good-x-goog-api-key',
      'auth/bad-x-goog-api-key',
      'auth/deleted-x-goog-api-key',
      'auth/bad-api-key-with-invalid-body',
      'auth/bad-api-key-with-unlisted-model',
      'streams/bad-api-key',
    ],
    setup: deciding(onlyWhere(inFamily('C'), ignoring('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-refused-when-streaming',
    about: 'Refuses the valid key in `x-goog-api-key` on streaming calls of family C.',
    breaks: ['auth/good-x-goog-api-key'],
    setup: deciding(
      onlyWhere(all(on('streamGenerate'), by('x-goog-api-key'), ofKey('valid')), refusingTheGoodKey),
    ),
  },
  {
    id: 'good-key/x-goog-api-key-taken-by-the-model-list',
    about: 'Accepts a key in `x-goog-api-key` on the model list.',
    breaks: ['auth/goog-header-outside-family-c'],
    setup: deciding(onlyWhere(on('models'), taking('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-taken-in-families-a-and-b',
    about: 'Accepts a key in `x-goog-api-key` in families A and B.',
    breaks: ['auth/goog-header-outside-family-c', 'streams/goog-header-outside-family-c'],
    setup: deciding(onlyWhere(inFamily('A', 'B'), taking('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-taken-by-billing',
    about: 'Accepts a key in `x-goog-api-key` on billing-type endpoints.',
    breaks: ['auth/billing-goog-header'],
    setup: deciding(onlyWhere(at('billing'), taking('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-taken-by-one-billing-endpoint',
    about: 'Accepts a key in `x-goog-api-key` on the endpoint of request records.',
    breaks: ['auth/billing-goog-header'],
    setup: deciding(onlyWhere(on('record'), taking('x-goog-api-key'))),
  },
  {
    id: 'good-key/x-goog-api-key-called-invalid-outside-family-c',
    about: 'Answers a key in `x-goog-api-key` outside family C as an invalid key instead of a missing one.',
    breaks: ['auth/goog-header-outside-family-c', 'streams/goog-header-outside-family-c'],
    setup: deciding(
      together(
        onlyWhere(all(at('model', 'list'), not(inFamily('C'))), taking('x-goog-api-key')),
        onlyWhere(all(not(inFamily('C')), by('x-goog-api-key')), refusingTheGoodKey),
      ),
    ),
  },
];
