import { withDecisions } from '../combine-setups.ts';
import { isMalformed } from './body-overrides.ts';
import { allOf, inFamily, onOperation, type RequestCondition, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setStatus, setType } from './overrides.ts';

const isNonObject: RequestCondition = ({ failure }) =>
  failure?.kind === 'invalid-body' && failure.place === 'body';
const isInvalidBody = refusedFor('invalid-body');

const malformed = [
  'requests/body-json',
  'requests/large-body-json',
  'requests/lenient-json',
  'streams/body-json',
  'streams/large-body-json',
  'streams/lenient-json',
];
const crashes = [...malformed, 'requests/lenient-json-no-server-error'];

/** Faults in the response to bodies that are malformed, empty, not objects, or invalid in protocols other than chat. */
export const requestBodyFaults: readonly Fault[] = [
  {
    id: 'request-body/malformed-500-in-family-c',
    about: 'Responds to a malformed body with 500 in family C.',
    violates: crashes,
    setup: withDecisions(applyWhere(allOf(inFamily('C'), isMalformed), setStatus(500))),
  },
  {
    id: 'request-body/malformed-500-by-header',
    about:
      'Responds to a malformed body with 500 if the key is in `x-api-key` in family A, or in `Authorization` in families B and C.',
    violates: [
      'requests/body-json',
      'streams/body-json',
      'requests/lenient-json',
      'requests/lenient-json-no-server-error',
      'streams/lenient-json',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(
          isMalformed,
          ({ family, credential }) => credential.header === (family === 'A' ? 'x-api-key' : 'bearer'),
        ),
        setStatus(500),
      ),
    ),
  },
  {
    id: 'request-body/malformed-415',
    about: 'Responds to a malformed body with 415 in family B.',
    violates: malformed,
    setup: withDecisions(applyWhere(allOf(onOperation('messages'), isMalformed), setStatus(415))),
  },
  {
    id: 'request-body/malformed-called-missing-model',
    about: 'Responds to a malformed body with the type `model_not_available` on `responses`.',
    violates: malformed,
    setup: withDecisions(
      applyWhere(allOf(onOperation('responses'), isMalformed), setType('model_not_available')),
    ),
  },
  {
    id: 'request-body/no-object-500-on-chat',
    about: 'Responds with 500 if the JSON of a chat body is not an object.',
    violates: ['chat/body-object'],
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isNonObject), setStatus(500))),
  },
  {
    id: 'request-body/no-object-500-elsewhere',
    about: 'Responds with 500 on `responses` and in family B if the JSON of the body is not an object.',
    violates: ['requests/body-object'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('responses', 'messages'), isNonObject), setStatus(500)),
    ),
  },
  {
    id: 'request-body/messages-500',
    about: 'Responds to an invalid body with 500 in family B.',
    violates: ['messages/body', 'requests/body-object'],
    setup: withDecisions(applyWhere(allOf(onOperation('messages'), isInvalidBody), setStatus(500))),
  },
  {
    id: 'request-body/generate-mistyped',
    about: 'Responds to an invalid body with the type `model_not_available` on `generate`.',
    violates: ['generate/body', 'requests/body-object'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('generate'), isInvalidBody), setType('model_not_available')),
    ),
  },
];
