import { withDecisions } from '../combine-setups.ts';
import { allOf, inFamily, isRefused, isStreamed, not, onOperation, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, replaceModelBody, sendLatin1, sendNoBody, sendText } from './overrides.ts';

const isMalformedBody = refusedFor('unparseable-body');
const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const isPlainRequest = not(isStreamed);

/** Faults in which error bodies of model endpoints do not have the form of section 2.2 or the right content type. */
export const modelErrorBodyFaults: readonly Fault[] = [
  {
    id: 'error-body/html',
    about: 'Responds with an HTML page to non-streamed `responses` calls to an unlisted model.',
    violates: ['model-error/json-object', 'model-error/content-type', 'models/unlisted'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('responses'), isPlainRequest, refusedFor('unknown-model')),
        sendText('text/html', html),
      ),
    ),
  },
  {
    id: 'error-body/plain-text',
    about: 'Responds with plain text to non-streamed calls of family C to a model of another protocol.',
    violates: ['model-error/json-object', 'model-error/content-type', 'models/mismatched'],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('C'), isPlainRequest, refusedFor('mismatched-model')),
        sendText('text/plain', 'Something went wrong'),
      ),
    ),
  },
  {
    id: 'error-body/none',
    about: 'Omits the body of `insufficient_balance` errors in non-streamed calls of family B.',
    violates: ['model-error/json-object', 'model-error/content-type', 'balance/family-b'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('messages'), isPlainRequest, refusedFor('low-balance')), sendNoBody),
    ),
  },
  {
    id: 'error-body/latin-1',
    about: 'Sends errors about an unlisted model in Latin-1 in non-streamed `responses` calls.',
    violates: ['model-error/json-object', 'models/unlisted'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('responses'), isPlainRequest, refusedFor('unknown-model')),
        sendLatin1('Das Modell in `model` ist ungültig.'),
      ),
    ),
  },
  {
    id: 'error-body/mislabeled-as-gzip',
    about:
      'Sends uncompressed errors about an unsupported model with `content-encoding: gzip` in non-streamed calls of family B, as a proxy that decompresses the body but keeps the header.',
    violates: ['model-error/json-object', 'models/unsupported'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('B'), isPlainRequest, refusedFor('unsupported-model')), () => ({
        transmit: (wire) => ({ ...wire, headers: [...wire.headers, ['content-encoding', 'gzip']] }),
      })),
    ),
  },
  {
    id: 'error-body/array',
    about: 'Sends an array as the body of errors about a rejected image on `generate`.',
    violates: ['model-error/json-object', 'models/image-to-text-only'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('generate'), refusedFor('image-refused')),
        replaceModelBody((error, trace) => [{ error, ...trace }]),
      ),
    ),
  },
  {
    id: 'error-body/quoted',
    about:
      'Sends a JSON string that contains JSON as the body of errors about an unsupported model in non-streamed chat calls.',
    violates: ['model-error/json-object', 'models/unsupported'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('chat'), isPlainRequest, refusedFor('unsupported-model')),
        replaceModelBody((error, trace) => JSON.stringify({ error, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/error-string',
    about:
      'Sends the message itself as `error` in errors about an unsupported model in non-streamed calls of family B.',
    violates: ['model-error/error-object', 'models/unsupported'],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('B'), isPlainRequest, refusedFor('unsupported-model')),
        replaceModelBody((error, trace) => ({ error: error.message, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/error-missing',
    about:
      'Sends the members of `error` at the top level in errors about a model of another protocol in non-streamed chat calls.',
    violates: ['model-error/error-object', 'models/mismatched'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('chat'), isPlainRequest, refusedFor('mismatched-model')),
        replaceModelBody((error, trace) => ({ ...error, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/error-nested',
    about:
      'Sends `error.error` instead of `error` in `insufficient_balance` errors of non-streamed `responses` calls.',
    violates: [
      'model-error/message-string',
      'model-error/type-string',
      'model-error/code-integer',
      'model-error/details-present',
      'balance/family-a',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('responses'), isPlainRequest, refusedFor('low-balance')),
        replaceModelBody((error, trace) => ({ error: { error }, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/envelope-of-openai',
    about: 'Responds to malformed and empty bodies in families A and B with the error body of OpenAI.',
    violates: [
      'model-error/code-integer',
      'model-error/details-present',
      'model-error/trace-id-present',
      'model-error/streamed',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('A', 'B'), isMalformedBody),
        replaceModelBody(({ message, type }) => ({ error: { message, type, param: null, code: null } })),
      ),
    ),
  },
  {
    id: 'error-body/envelope-of-anthropic',
    about: 'Responds to bad keys in family B with the error body of Anthropic.',
    violates: [
      'model-error/code-integer',
      'model-error/details-present',
      'model-error/trace-id-present',
      'model-error/streamed',
      'accept/error-body',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('B'), refusedFor('bad-key')),
        replaceModelBody(({ message, type }, { trace_id }) => ({
          type: 'error',
          error: { type, message },
          request_id: trace_id,
        })),
      ),
    ),
  },
  {
    id: 'error-body/envelope-of-google',
    about: 'Responds to invalid bodies on `generate` with the error body of Google.',
    violates: [
      'model-error/type-string',
      'model-error/trace-id-present',
      'model-error/details-object-or-null',
      'generate/body',
      'requests/body-object',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('generate'), refusedFor('invalid-body')),
        replaceModelBody(({ message, code }) => ({
          error: { code, message, status: 'INVALID_ARGUMENT', details: [] },
        })),
      ),
    ),
  },
  {
    id: 'error-body/billing-shape-on-chat',
    about:
      'Responds to an image for a text-only model in a non-streamed chat call with the error body of billing-type endpoints.',
    violates: [
      'models/image-to-text-only',
      'model-error/type-string',
      'model-error/code-integer',
      'model-error/details-present',
      'model-error/trace-id-present',
    ],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isPlainRequest, refusedFor('image-refused')), () => ({
        chooseErrorShape: () => 'billing',
      })),
    ),
  },
  {
    id: 'error-body/called-text',
    about: 'Sends JSON errors with the content type `text/plain`.',
    violates: ['model-error/content-type'],
    setup: withDecisions(applyWhere(isRefused, () => ({ contentTypeOf: () => 'text/plain' }))),
  },
  {
    id: 'error-body/content-type-missing-on-generate',
    about: 'Sends errors of family C with the content type `application/octet-stream`.',
    violates: ['model-error/content-type'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('C'), isRefused), () => ({
        contentTypeOf: () => 'application/octet-stream',
      })),
    ),
  },
];
