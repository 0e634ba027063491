import { withDecisions } from '../combine-setups.ts';
import type { Json } from '../json.ts';
import {
  allOf,
  byHeader,
  inFamily,
  isStreamed,
  not,
  onOperation,
  onSurface,
  type RequestCondition,
  refusedFor,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, type ModelError, replaceModelBody, setMessage, setType } from './overrides.ts';

// Changes members of `error`. The value undefined removes a member.
const changeError = (
  where: RequestCondition,
  change: (error: ModelError) => Record<string, Json | undefined>,
) =>
  withDecisions(
    applyWhere(
      where,
      replaceModelBody((right, trace) => {
        const members = Object.entries({ ...right, ...change(right) });
        const kept = members.flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        );
        return { error: Object.fromEntries(kept), ...trace };
      }),
    ),
  );
const onModelEndpoint = onSurface('model');
const isPlainRequest = allOf(onModelEndpoint, not(isStreamed));
const isBadKey = refusedFor('bad-key');

/** Faults in which a member of `error` is missing, or has the wrong type or value (2.2). */
export const modelErrorFieldFaults: readonly Fault[] = [
  {
    id: 'error-field/message-missing',
    about: 'Omits the message about a missing key on `generate`.',
    violates: ['model-error/message-string', 'accept/error-body'],
    setup: changeError(allOf(onOperation('generate'), refusedFor('missing-credential')), () => ({
      message: undefined,
    })),
  },
  {
    id: 'error-field/message-object',
    about: 'Sends an object with translations as the message about a bad key on `generate`.',
    violates: ['model-error/message-string', 'accept/error-body'],
    setup: changeError(allOf(onOperation('generate'), isBadKey), () => ({
      message: { en: 'Wrong key.', de: 'Falsch.' },
    })),
  },
  {
    id: 'error-field/message-list',
    about: 'Sends an array as the message about an invalid body in family B.',
    violates: ['model-error/message-string'],
    setup: changeError(allOf(onOperation('messages'), refusedFor('invalid-body')), ({ message: one }) => ({
      message: [one],
    })),
  },
  {
    id: 'error-field/message-empty',
    about: 'Sends an empty message about a model of another protocol in non-streamed chat calls.',
    violates: ['model-error/message-not-empty'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isPlainRequest, refusedFor('mismatched-model')), setMessage('')),
    ),
  },
  {
    id: 'error-field/message-blank',
    about: 'Sends a space and a line break as the message about a rejected image in family C.',
    violates: ['model-error/message-not-empty'],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), refusedFor('image-refused')), setMessage(' \n'))),
  },
  {
    id: 'error-field/type-null',
    about: 'Sends null as the type of `insufficient_balance` errors on `generate`.',
    violates: ['model-error/type-string', 'balance/family-c'],
    setup: changeError(allOf(onOperation('generate'), refusedFor('low-balance')), () => ({ type: null })),
  },
  {
    id: 'error-field/type-missing',
    about: 'Omits the type of errors about a model of another protocol in non-streamed `responses` calls.',
    violates: ['model-error/type-string', 'models/mismatched'],
    setup: changeError(
      allOf(onOperation('responses'), isPlainRequest, refusedFor('mismatched-model')),
      () => ({
        type: undefined,
      }),
    ),
  },
  {
    id: 'error-field/type-the-word-none',
    about:
      'Sends the string `None` as the type of errors about an unlisted model in non-streamed chat calls.',
    violates: ['model-error/type-fits-status-family-a', 'models/unlisted', 'models/unusual-id'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isPlainRequest, refusedFor('unknown-model')), setType('None')),
    ),
  },
  {
    id: 'error-field/type-empty',
    about: 'Sends an empty type in `insufficient_balance` errors of non-streamed calls of family B.',
    violates: ['model-error/type-fits-status-families-b-c', 'balance/family-b'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('messages'), isPlainRequest, refusedFor('low-balance')), setType('')),
    ),
  },
  {
    id: 'error-field/type-capitalised',
    about: 'Writes the types of errors about unlisted and unsupported models in upper case on `generate`.',
    violates: ['models/unlisted', 'models/unsupported', 'model-error/type-fits-status-families-b-c'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('generate'), refusedFor('unknown-model', 'unsupported-model')),
        (base) => ({
          errorTypeOf: (failure, ctx) => base.errorTypeOf(failure, ctx).toUpperCase(),
        }),
      ),
    ),
  },
  {
    id: 'error-field/code-string',
    about: 'Sends `error.code` as a string on model endpoints and the model list.',
    violates: [
      'model-error/code-integer',
      'model-error/streamed',
      'model-error/model-list',
      'model-error/other-statuses',
      'accept/error-body',
    ],
    setup: changeError(onSurface('model', 'list'), ({ code }) => ({ code: String(code) })),
  },
  {
    id: 'error-field/code-string-on-402',
    about: 'Sends the code of a 402 error as a string on `generate`.',
    violates: ['model-error/code-integer'],
    setup: changeError(allOf(onOperation('generate'), refusedFor('low-balance')), () => ({ code: '402' })),
  },
  {
    id: 'error-field/code-null',
    about: 'Sends null as the code of errors about a malformed or empty body in family B.',
    violates: ['model-error/code-integer', 'model-error/streamed'],
    setup: changeError(allOf(onOperation('messages'), refusedFor('unparseable-body')), () => ({
      code: null,
    })),
  },
  {
    id: 'error-field/code-missing',
    about:
      'Omits the code of errors about a rejected image on `generate` and in non-streamed `responses` calls.',
    violates: ['model-error/code-integer'],
    setup: changeError(
      allOf(onOperation('responses', 'generate'), isPlainRequest, refusedFor('image-refused')),
      () => ({
        code: undefined,
      }),
    ),
  },
  {
    id: 'error-field/code-the-type',
    about: 'Sends the type as the code of errors about a bad key on `generate`.',
    violates: ['model-error/code-integer', 'accept/error-body'],
    setup: changeError(allOf(onOperation('generate'), isBadKey), ({ type: kind }) => ({ code: kind })),
  },
  {
    id: 'error-field/code-of-upstream',
    about:
      'Sends the status of the provider, 503, as the code of errors about an unsupported model in non-streamed calls.',
    violates: ['model-error/code-equals-status'],
    setup: changeError(allOf(isPlainRequest, refusedFor('unsupported-model')), () => ({ code: 503 })),
  },
  {
    id: 'error-field/code-internal-number',
    about: 'Sends the internal number 40101 as the code of errors about a bad bearer token on `generate`.',
    violates: ['model-error/code-equals-status'],
    setup: changeError(allOf(onOperation('generate'), isBadKey, byHeader('bearer')), () => ({ code: 40101 })),
  },
  {
    id: 'error-field/code-zero',
    about: 'Sends 0 as the code of `insufficient_balance` errors in non-streamed calls of family A.',
    violates: ['model-error/code-equals-status'],
    setup: changeError(allOf(inFamily('A'), isPlainRequest, refusedFor('low-balance')), () => ({ code: 0 })),
  },
  {
    id: 'error-field/details-missing',
    about: 'Omits `details` instead of sending null on model endpoints and the model list.',
    violates: [
      'model-error/details-present',
      'model-error/streamed',
      'model-error/model-list',
      'model-error/other-statuses',
      'accept/error-body',
    ],
    setup: changeError(onSurface('model', 'list'), ({ details }) => ({ details: details ?? undefined })),
  },
  {
    id: 'error-field/details-missing-on-401',
    about: 'Omits `details` in 401 errors of `generate`.',
    violates: ['model-error/details-present', 'accept/error-body'],
    setup: changeError(allOf(onOperation('generate'), refusedFor('bad-key', 'missing-credential')), () => ({
      details: undefined,
    })),
  },
  {
    id: 'error-field/details-missing-on-unlisted-models',
    about: 'Omits `details` in errors about an unlisted model in non-streamed calls of family B.',
    violates: ['model-error/details-present'],
    setup: changeError(allOf(onOperation('messages'), isPlainRequest, refusedFor('unknown-model')), () => ({
      details: undefined,
    })),
  },
  {
    id: 'error-field/details-empty-text',
    about: 'Sends an empty string as `details` in errors about a malformed or empty body on `generate`.',
    violates: ['model-error/details-object-or-null'],
    setup: changeError(allOf(onOperation('generate'), refusedFor('unparseable-body')), () => ({
      details: '',
    })),
  },
  {
    id: 'error-field/details-list',
    about: 'Sends an empty array as `details` in errors about a bad key on `generate`.',
    violates: ['model-error/details-object-or-null', 'accept/error-body'],
    setup: changeError(allOf(onOperation('generate'), isBadKey), () => ({ details: [] })),
  },
];
