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
    about: 'Responses answers an unlisted model with an HTML page.',
    breaks: ['model-error/json-object', 'model-error/content-type', 'models/unlisted'],
    setup: deciding(
      onlyWhere(all(on('responses'), plain, refusedFor('unknown-model')), text('text/html', html)),
    ),
  },
  {
    id: 'error-body/plain-text',
    about: 'Family C answers a mismatched model with a line of text.',
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
    about: 'Family B answers a depleted account with no body.',
    breaks: ['model-error/json-object', 'model-error/content-type', 'balance/family-b'],
    setup: deciding(onlyWhere(all(on('messages'), plain, refusedFor('low-balance')), noBody)),
  },
  {
    id: 'error-body/array',
    about: 'Family C puts its errors into an array.',
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
    about: 'Chat sends the error as a JSON string inside JSON.',
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
    about: 'Where a model cannot be called, family B sends the message itself as `error`.',
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
    about: 'Chat puts the members of `error` at the top level.',
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
    about: 'Responses wraps the error of a depleted account once more, error.error.',
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
    about: 'Families A and B answer malformed bodies in the envelope of OpenAI.',
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
    about: 'Family B answers bad keys in the envelope of Anthropic.',
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
    about: 'Family C answers invalid bodies in the envelope of Google.',
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
    about: 'Chat answers images for a text-only model in the shape of billing-type endpoints.',
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
    about: 'JSON errors are called plain text in their content type.',
    breaks: ['model-error/content-type'],
    setup: deciding(onlyWhere(refused, () => ({ contentTypeOf: () => 'text/plain' }))),
  },
  {
    id: 'error-body/content-type-missing-on-generate',
    about: 'Family C errors have a content type that says nothing.',
    breaks: ['model-error/content-type'],
    setup: deciding(
      onlyWhere(all(inFamily('C'), refused), () => ({ contentTypeOf: () => 'application/octet-stream' })),
    ),
  },
];
