import type { Json } from '../json.ts';
import { deciding, type ModelError, message, modelBody, onlyWhere, type } from './changes.ts';
import { all, at, by, inFamily, not, on, refusedFor, streamed, type Where } from './conditions.ts';
import type { Fault } from './fault.ts';

// A change of members of `error`; undefined takes a member away.
const error = (where: Where, change: (error: ModelError) => Record<string, Json | undefined>) =>
  deciding(
    onlyWhere(
      where,
      modelBody((right, trace) => {
        const members = Object.entries({ ...right, ...change(right) });
        const kept = members.flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        );
        return { error: Object.fromEntries(kept), ...trace };
      }),
    ),
  );
const model = at('model');
const plain = all(model, not(streamed));
const badKey = refusedFor('bad-key');

/** Members of `error` that are missing, of another type, or say something else than section 2.2 asks. */
export const modelErrorFieldFaults: readonly Fault[] = [
  {
    id: 'error-field/message-missing',
    about: 'The error of a missing key has no message.',
    breaks: ['model-error/message-string'],
    setup: error(all(on('generate'), refusedFor('missing-credential')), () => ({ message: undefined })),
  },
  {
    id: 'error-field/message-object',
    about: 'The message of a bad key is an object of languages.',
    breaks: ['model-error/message-string'],
    setup: error(all(on('generate'), badKey), () => ({ message: { en: 'Wrong key.', de: 'Falsch.' } })),
  },
  {
    id: 'error-field/message-list',
    about: 'The message of an invalid messages body is a list of complaints.',
    breaks: ['model-error/message-string'],
    setup: error(all(on('messages'), refusedFor('invalid-body')), ({ message: one }) => ({
      message: [one],
    })),
  },
  {
    id: 'error-field/message-empty',
    about: 'The message of a mismatched model is empty.',
    breaks: ['model-error/message-not-empty', 'models/message-names-model'],
    setup: deciding(onlyWhere(all(on('chat'), plain, refusedFor('mismatched-model')), message(''))),
  },
  {
    id: 'error-field/message-blank',
    about: 'The message of a refused image is a line break.',
    breaks: ['model-error/message-not-empty'],
    setup: deciding(onlyWhere(all(inFamily('C'), refusedFor('image-refused')), message(' \n'))),
  },
  {
    id: 'error-field/type-null',
    about: 'The type is null when the account is depleted, in family C.',
    breaks: ['model-error/type-string', 'balance/family-c'],
    setup: error(all(on('generate'), refusedFor('low-balance')), () => ({ type: null })),
  },
  {
    id: 'error-field/type-missing',
    about: 'The type is missing when a model is mismatched, on responses.',
    breaks: ['model-error/type-string', 'models/mismatched'],
    setup: error(all(on('responses'), plain, refusedFor('mismatched-model')), () => ({ type: undefined })),
  },
  {
    id: 'error-field/type-the-word-none',
    about: 'The type of an unlisted model is the text None.',
    breaks: ['model-error/type-fits-status-family-a', 'models/unlisted'],
    setup: deciding(onlyWhere(all(on('chat'), plain, refusedFor('unknown-model')), type('None'))),
  },
  {
    id: 'error-field/type-empty',
    about: 'The type of a depleted account is empty in family B.',
    breaks: ['model-error/type-fits-status-families-b-c', 'balance/family-b'],
    setup: deciding(onlyWhere(all(on('messages'), plain, refusedFor('low-balance')), type(''))),
  },
  {
    id: 'error-field/type-capitalised',
    about: 'Family C writes the types of model errors in capitals.',
    breaks: ['models/unlisted', 'models/unsupported', 'model-error/type-fits-status-families-b-c'],
    setup: deciding(
      onlyWhere(all(on('generate'), refusedFor('unknown-model', 'unsupported-model')), (base) => ({
        typeOf: (failure, ctx) => base.typeOf(failure, ctx).toUpperCase(),
      })),
    ),
  },
  {
    id: 'error-field/code-string',
    about: 'The code is a string.',
    breaks: [
      'model-error/code-integer',
      'model-error/streamed',
      'model-error/model-list',
      'model-error/other-statuses',
    ],
    setup: error(at('model', 'list'), ({ code }) => ({ code: String(code) })),
  },
  {
    id: 'error-field/code-string-on-402',
    about: 'The code is a string where a depleted account is answered 402.',
    breaks: ['model-error/code-integer'],
    setup: error(all(on('generate'), refusedFor('low-balance')), () => ({ code: '402' })),
  },
  {
    id: 'error-field/code-null',
    about: 'The code is null on malformed bodies.',
    breaks: ['model-error/code-integer'],
    setup: error(all(on('messages'), refusedFor('unparseable-body')), () => ({ code: null })),
  },
  {
    id: 'error-field/code-missing',
    about: 'The code is missing on refused images.',
    breaks: ['model-error/code-integer'],
    setup: error(all(on('responses', 'generate'), plain, refusedFor('image-refused')), () => ({
      code: undefined,
    })),
  },
  {
    id: 'error-field/code-the-type',
    about: 'The code of a bad key is the type again.',
    breaks: ['model-error/code-integer'],
    setup: error(all(on('generate'), badKey), ({ type: kind }) => ({ code: kind })),
  },
  {
    id: 'error-field/code-of-upstream',
    about: 'The code of a model that cannot be called is that of its provider, 503.',
    breaks: ['model-error/code-equals-status'],
    setup: error(all(plain, refusedFor('unsupported-model')), () => ({ code: 503 })),
  },
  {
    id: 'error-field/code-internal-number',
    about: 'The code of a bad bearer token is a number of the gateway, 40101.',
    breaks: ['model-error/code-equals-status'],
    setup: error(all(on('generate'), badKey, by('bearer')), () => ({ code: 40101 })),
  },
  {
    id: 'error-field/code-zero',
    about: 'The code is 0 where family A answers a depleted account.',
    breaks: ['model-error/code-equals-status'],
    setup: error(all(inFamily('A'), plain, refusedFor('low-balance')), () => ({ code: 0 })),
  },
  {
    id: 'error-field/details-missing',
    about: 'Details are left out where they are null.',
    breaks: [
      'model-error/details-present',
      'model-error/streamed',
      'model-error/model-list',
      'model-error/other-statuses',
    ],
    setup: error(at('model', 'list'), ({ details }) => ({ details: details ?? undefined })),
  },
  {
    id: 'error-field/details-missing-on-401',
    about: 'Family C leaves out details on 401.',
    breaks: ['model-error/details-present'],
    setup: error(all(on('generate'), refusedFor('bad-key', 'missing-credential')), () => ({
      details: undefined,
    })),
  },
  {
    id: 'error-field/details-missing-on-unlisted-models',
    about: 'Details are left out where family B does not know a model.',
    breaks: ['model-error/details-present'],
    setup: error(all(on('messages'), plain, refusedFor('unknown-model')), () => ({ details: undefined })),
  },
  {
    id: 'error-field/details-empty-text',
    about: 'Details are an empty text in place of null on malformed bodies.',
    breaks: ['model-error/details-object-or-null'],
    setup: error(all(on('generate'), refusedFor('unparseable-body')), () => ({ details: '' })),
  },
  {
    id: 'error-field/details-list',
    about: 'Details of a bad key are an empty list.',
    breaks: ['model-error/details-object-or-null'],
    setup: error(all(on('generate'), badKey), () => ({ details: [] })),
  },
];
