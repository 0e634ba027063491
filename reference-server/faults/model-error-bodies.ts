import { deciding, modelBody, noBody, onlyWhere, text } from './changes.ts';
import { all, inFamily, not, on, refused, refusedFor, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const malformed = refusedFor('unparseable-body');
const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const plain = not(streamed);

/** Errors of model endpoints that have not the outer form of section 2.2. */
export const modelErrorBodyFaults: readonly Fault[] = [
  {
    id: 'error-body/html',
    about: 'Answers an unlisted model with an HTML page on responses.',
    breaks: ['model-error/json-object', 'model-error/content-type', 'models/unlisted'],
    setup: deciding(
      onlyWhere(all(on('responses'), plain, refusedFor('unknown-model')), text('text/html', html)),
    ),
  },
  {
    id: 'error-body/plain-text',
    about: 'Answers a model of another protocol with plain text in family C.',
    breaks: ['model-error/json-object', 'model-error/content-type', 'models/mismatched'],
    setup: deciding(
      onlyWhere(
        all(inFamily('C'), plain, refusedFor('mismatched-model')),
        text('text/plain', 'Something went wrong'),
      ),
    ),
  },
  {
    id: 'error-body/none',
    about: 'Answers an account without balance without a body in family B.',
    breaks: ['model-error/json-object', 'model-error/content-type', 'balance/family-b'],
    setup: deciding(onlyWhere(all(on('messages'), plain, refusedFor('low-balance')), noBody)),
  },
  {
    id: 'error-body/array',
    about: 'Sends an array as the error body of a refused image in family C.',
    breaks: ['model-error/json-object', 'models/image-to-text-only'],
    setup: deciding(
      onlyWhere(
        all(on('generate'), refusedFor('image-refused')),
        modelBody((error, trace) => [{ error, ...trace }]),
      ),
    ),
  },
  {
    id: 'error-body/quoted',
    about: 'Sends the error body of an unsupported model as a JSON string that contains JSON on chat.',
    breaks: ['model-error/json-object', 'models/unsupported'],
    setup: deciding(
      onlyWhere(
        all(on('chat'), plain, refusedFor('unsupported-model')),
        modelBody((error, trace) => JSON.stringify({ error, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/error-string',
    about: 'Sends the message itself as `error` for an unsupported model in family B.',
    breaks: ['model-error/error-object', 'models/unsupported'],
    setup: deciding(
      onlyWhere(
        all(inFamily('B'), plain, refusedFor('unsupported-model')),
        modelBody((error, trace) => ({ error: error.message, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/error-missing',
    about: 'Sends the members of `error` at the top level for a model of another protocol on chat.',
    breaks: ['model-error/error-object', 'models/mismatched'],
    setup: deciding(
      onlyWhere(
        all(on('chat'), plain, refusedFor('mismatched-model')),
        modelBody((error, trace) => ({ ...error, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/error-nested',
    about: 'Sends `error.error` instead of `error` for an account without balance on responses.',
    breaks: [
      'model-error/message-string',
      'model-error/type-string',
      'model-error/code-integer',
      'model-error/details-present',
      'balance/family-a',
    ],
    setup: deciding(
      onlyWhere(
        all(on('responses'), plain, refusedFor('low-balance')),
        modelBody((error, trace) => ({ error: { error }, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/envelope-of-openai',
    about: 'Sends the error body of OpenAI for malformed bodies in families A and B.',
    breaks: ['model-error/code-integer', 'model-error/details-present', 'model-error/trace-id-present'],
    setup: deciding(
      onlyWhere(
        all(inFamily('A', 'B'), malformed),
        modelBody(({ message, type }) => ({ error: { message, type, param: null, code: null } })),
      ),
    ),
  },
  {
    id: 'error-body/envelope-of-anthropic',
    about: 'Sends the error body of Anthropic for bad keys in family B.',
    breaks: [
      'model-error/code-integer',
      'model-error/details-present',
      'model-error/trace-id-present',
      'model-error/streamed',
    ],
    setup: deciding(
      onlyWhere(
        all(inFamily('B'), refusedFor('bad-key')),
        modelBody(({ message, type }, { trace_id }) => ({
          type: 'error',
          error: { type, message },
          request_id: trace_id,
        })),
      ),
    ),
  },
  {
    id: 'error-body/envelope-of-google',
    about: 'Sends the error body of Google for invalid bodies in family C.',
    breaks: [
      'model-error/type-string',
      'model-error/trace-id-present',
      'model-error/details-object-or-null',
      'generate/body',
      'requests/body-object',
    ],
    setup: deciding(
      onlyWhere(
        all(on('generate'), refusedFor('invalid-body')),
        modelBody(({ message, code }) => ({
          error: { code, message, status: 'INVALID_ARGUMENT', details: [] },
        })),
      ),
    ),
  },
  {
    id: 'error-body/billing-shape-on-chat',
    about: 'Answers an image for a text-only model on chat in the form of billing-type endpoints.',
    breaks: [
      'models/image-to-text-only',
      'model-error/type-string',
      'model-error/code-integer',
      'model-error/details-present',
      'model-error/trace-id-present',
    ],
    setup: deciding(
      onlyWhere(all(on('chat'), plain, refusedFor('image-refused')), () => ({ errorShape: () => 'billing' })),
    ),
  },
  {
    id: 'error-body/called-text',
    about: 'Sends JSON errors with the content type `text/plain`.',
    breaks: ['model-error/content-type'],
    setup: deciding(onlyWhere(refused, () => ({ contentTypeOf: () => 'text/plain' }))),
  },
  {
    id: 'error-body/content-type-missing-on-generate',
    about: 'Sends errors of family C with the content type `application/octet-stream`.',
    breaks: ['model-error/content-type'],
    setup: deciding(
      onlyWhere(all(inFamily('C'), refused), () => ({ contentTypeOf: () => 'application/octet-stream' })),
    ),
  },
];
