import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { acceptNonObject, acceptUnparseable, callClaudeModel, isMalformed } from './body-overrides.ts';
import { allOf, inFamily, onOperation, type RequestCondition, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, setStatus, setType } from './overrides.ts';

const isEmptyBody: RequestCondition = ({ failure }) =>
  failure?.kind === 'unparseable-body' && failure.reason.includes('empty');
const isNonObject: RequestCondition = ({ failure }) =>
  failure?.kind === 'invalid-body' && failure.place === 'body';
const isInvalidBody = refusedFor('invalid-body');
const isRepairable = (text: string): boolean => /^\{/.test(text) && !text.startsWith("{'");
const ignoreProblemsAt =
  (place: RegExp): Overrides =>
  (base) => ({
    findBodyProblem: (body, ctx) => {
      const problem = base.findBodyProblem(body, ctx);
      return problem && place.test(problem.place) ? undefined : problem;
    },
  });

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
    id: 'request-body/malformed-500',
    about: 'Responds to a malformed body with 500 on `chat`.',
    violates: crashes,
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isMalformed), setStatus(500))),
  },
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
    id: 'request-body/malformed-repaired',
    about: "Accepts malformed JSON that begins with `{`, but not with `{'`, on `responses`.",
    violates: [
      'requests/body-json',
      'requests/large-body-json',
      'streams/body-json',
      'streams/large-body-json',
      'streams/error-before-start',
    ],
    setup: withDecisions(applyWhere(onOperation('responses'), acceptUnparseable(isRepairable))),
  },
  {
    id: 'request-body/form-taken',
    about: 'Accepts a URL-encoded form instead of JSON on `chat`.',
    violates: ['requests/body-json'],
    setup: withDecisions(
      applyWhere(
        onOperation('chat'),
        acceptUnparseable((text) => text.startsWith('model=')),
      ),
    ),
  },
  {
    id: 'request-body/text-taken-for-a-prompt',
    about: 'Accepts plain text that begins with `This` instead of JSON in family B.',
    violates: ['requests/body-json'],
    setup: withDecisions(
      applyWhere(
        onOperation('messages'),
        combineOverrides(
          acceptUnparseable((text) => text.startsWith('This')),
          callClaudeModel,
        ),
      ),
    ),
  },
  {
    id: 'request-body/markup-taken',
    about: 'Accepts XML instead of JSON on `chat`.',
    violates: ['requests/body-json'],
    setup: withDecisions(
      applyWhere(
        onOperation('chat'),
        acceptUnparseable((text) => text.startsWith('<')),
      ),
    ),
  },
  {
    id: 'request-body/empty-taken',
    about: 'Accepts an empty body on `chat`.',
    violates: ['chat/empty-body'],
    setup: withDecisions(
      applyWhere(
        onOperation('chat'),
        acceptUnparseable((text) => text === ''),
      ),
    ),
  },
  {
    id: 'request-body/empty-411',
    about: 'Responds to an empty body with 411 on `chat`.',
    violates: ['chat/empty-body'],
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isEmptyBody), setStatus(411))),
  },
  {
    id: 'request-body/empty-500-on-responses',
    about: 'Responds to an empty body with 500 on `responses`.',
    violates: ['requests/empty-body'],
    setup: withDecisions(applyWhere(allOf(onOperation('responses'), isEmptyBody), setStatus(500))),
  },
  {
    id: 'request-body/empty-taken-in-families-b-and-c',
    about: 'Accepts an empty body in family B and on `generate`.',
    violates: ['requests/empty-body'],
    setup: withDecisions(
      applyWhere(
        onOperation('messages', 'generate'),
        combineOverrides(
          acceptUnparseable((text) => text === ''),
          callClaudeModel,
        ),
      ),
    ),
  },
  {
    id: 'request-body/no-object-taken-by-chat',
    about: 'Accepts JSON that is not an object on `chat`.',
    violates: ['chat/body-object'],
    setup: withDecisions(applyWhere(onOperation('chat'), acceptNonObject)),
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
    id: 'request-body/no-object-taken-by-family-c',
    about: 'Accepts JSON that is not an object on `generate`.',
    violates: ['requests/body-object'],
    setup: withDecisions(applyWhere(onOperation('generate'), acceptNonObject)),
  },
  {
    id: 'request-body/responses-input-optional',
    about: 'Does not validate `input` on `responses`.',
    violates: ['responses/body'],
    setup: withDecisions(applyWhere(onOperation('responses'), ignoreProblemsAt(/^input/))),
  },
  {
    id: 'request-body/responses-422',
    about: 'Responds to an invalid body with 422 on `responses`.',
    violates: ['responses/body', 'requests/body-object'],
    setup: withDecisions(applyWhere(allOf(onOperation('responses'), isInvalidBody), setStatus(422))),
  },
  {
    id: 'request-body/messages-max-tokens-optional',
    about: 'Does not validate `max_tokens` in family B.',
    violates: ['messages/body'],
    setup: withDecisions(applyWhere(onOperation('messages'), ignoreProblemsAt(/^max_tokens/))),
  },
  {
    id: 'request-body/messages-unchecked',
    about: 'Does not validate `messages` in family B.',
    violates: ['messages/body'],
    setup: withDecisions(applyWhere(onOperation('messages'), ignoreProblemsAt(/^messages/))),
  },
  {
    id: 'request-body/messages-500',
    about: 'Responds to an invalid body with 500 in family B.',
    violates: ['messages/body', 'requests/body-object'],
    setup: withDecisions(applyWhere(allOf(onOperation('messages'), isInvalidBody), setStatus(500))),
  },
  {
    id: 'request-body/generate-unchecked',
    about: 'Does not validate `contents` on `generate`.',
    violates: ['generate/body'],
    setup: withDecisions(applyWhere(onOperation('generate'), ignoreProblemsAt(/^contents/))),
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
