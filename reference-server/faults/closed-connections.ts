import { withDecisions } from '../combine-setups.ts';
import { isMalformed } from './body-overrides.ts';
import { allOf, onOperation, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, closeConnection } from './overrides.ts';

const isNonObject: RequestCondition = ({ failure }) =>
  failure?.kind === 'invalid-body' && failure.place === 'body';

const malformed = [
  'requests/body-json',
  'requests/large-body-json',
  'streams/body-json',
  'streams/large-body-json',
  'requests/lenient-json',
  'requests/lenient-json-no-server-error',
  'streams/lenient-json',
  'streams/error-before-start',
];

/** Faults in which the gateway closes the connection instead of sending a response. */
export const closedConnectionFaults: readonly Fault[] = [
  {
    id: 'closed-connection/malformed-body-on-chat',
    about: 'Closes the connection after a malformed body on `chat`.',
    violates: malformed,
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isMalformed), closeConnection)),
  },
  {
    id: 'closed-connection/body-that-is-no-object',
    about: 'Closes the connection after a chat body that is not an object.',
    violates: ['chat/body-object'],
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isNonObject), closeConnection)),
  },
];
