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
    about: 'Omits the message of a missing key in family C.',
    breaks: ['model-error/message-string'],
    setup: error(all(on('generate'), refusedFor('missing-credential')), () => ({ message: undefined })),
  },
  {
    id: 'error-field/message-object',
    about: 'Sends an object of translations as the message of a bad key in family C.',
    breaks: ['model-error/message-string'],
    setup: error(all(on('generate'), badKey), () => ({ message: { en: 'Wrong key.', de: 'Falsch.' } })),
  },
  {
    id: 'error-field/message-list',
    about: 'Sends an array as the message of an invalid body in family B.',
    breaks: ['model-error/message-string'],
    setup: error(all(on('messages'), refusedFor('invalid-body')), ({ message: one }) => ({
      message: [one],
    })),
  },
  {
    id: 'error-field/message-empty',
    about: 'Sends an empty message for a model of another protocol on chat.',
    breaks: ['model-error/message-not-empty', 'models/message-names-model'],
    setup: deciding(onlyWhere(all(on('chat'), plain, refusedFor('mismatched-model')), message(''))),
  },
  {
    id: 'error-field/message-blank',
    about: 'Sends a line break as the message of a refused image in family C.',
    breaks: ['model-error/message-not-empty'],
    setup: deciding(onlyWhere(all(inFamily('C'), refusedFor('image-refused')), message(' \n'))),
  },
  {
    id: 'error-field/type-null',
    about: 'Sends null as the type for an account without balance in family C.',
    breaks: ['model-error/type-string', 'balance/family-c'],
    setup: error(all(on('generate'), refusedFor('low-balance')), () => ({ type: null })),
  },
  {
    id: 'error-field/type-missing',
    about: 'Omits the type for a model of another protocol on responses.',
    breaks: ['model-error/type-string', 'models/mismatched'],
    setup: error(all(on('responses'), plain, refusedFor('mismatched-model')), () => ({ type: undefined })),
  },
  {
    id: 'error-field/type-the-word-none',
    about: 'Sends the string `None` as the type of an unlisted model on chat.',
    breaks: ['model-error/type-fits-status-family-a', 'models/unlisted'],
    setup: deciding(onlyWhere(all(on('chat'), plain, refusedFor('unknown-model')), type('None'))),
  },
  {
    id: 'error-field/type-empty',
    about: 'Sends an empty type for an account without balance in family B.',
    breaks: ['model-error/type-fits-status-families-b-c', 'balance/family-b'],
    setup: deciding(onlyWhere(all(on('messages'), plain, refusedFor('low-balance')), type(''))),
  },
  {
    id: 'error-field/type-capitalised',
    about: 'Writes the types of model errors in upper case in family C.',
    breaks: ['models/unlisted', 'models/unsupported', 'model-error/type-fits-status-families-b-c'],
    setup: deciding(
      onlyWhere(all(on('generate'), refusedFor('unknown-model', 'unsupported-model')), (base) => ({
        typeOf: (failure, ctx) => base.typeOf(failure, ctx).toUpperCase(),
      })),
    ),
  },
  {
    id: 'error-field/code-string',
    about: 'Sends the code as a string.',
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
    about: 'Sends the code of a 402 as a string in family C.',
    breaks: ['model-error/code-integer'],
    setup: error(all(on('generate'), refusedFor('low-balance')), () => ({ code: '402' })),
  },
  {
    id: 'error-field/code-null',
    about: 'Sends null as the code for a malformed body in family B.',
    breaks: ['model-error/code-integer'],
    setup: error(all(on('messages'), refusedFor('unparseable-body')), () => ({ code: null })),
  },
  {
    id: 'error-field/code-missing',
    about: 'Omits the code of a refused image on responses and in family C.',
    breaks: ['model-error/code-integer'],
    setup: error(all(on('responses', 'generate'), plain, refusedFor('image-refused')), () => ({
      code: undefined,
    })),
  },
  {
    id: 'error-field/code-the-type',
    about: 'Sends the type as the code of a bad key in family C.',
    breaks: ['model-error/code-integer'],
    setup: error(all(on('generate'), badKey), ({ type: kind }) => ({ code: kind })),
  },
  {
    id: 'error-field/code-of-upstream',
    about: 'Sends the status of the provider, 503, as the code of an unsupported model.',
    breaks: ['model-error/code-equals-status'],
    setup: error(all(plain, refusedFor('unsupported-model')), () => ({ code: 503 })),
  },
  {
    id: 'error-field/code-internal-number',
    about: 'Sends the internal number 40101 as the code of a bad bearer token in family C.',
    breaks: ['model-error/code-equals-status'],
    setup: error(all(on('generate'), badKey, by('bearer')), () => ({ code: 40101 })),
  },
  {
    id: 'error-field/code-zero',
    about: 'Sends 0 as the code for an account without balance in family A.',
    breaks: ['model-error/code-equals-status'],
    setup: error(all(inFamily('A'), plain, refusedFor('low-balance')), () => ({ code: 0 })),
  },
  {
    id: 'error-field/details-missing',
    about: 'Omits `details` instead of sending null.',
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
    about: 'Omits `details` of a 401 in family C.',
    breaks: ['model-error/details-present'],
    setup: error(all(on('generate'), refusedFor('bad-key', 'missing-credential')), () => ({
      details: undefined,
    })),
  },
  {
    id: 'error-field/details-missing-on-unlisted-models',
    about: 'Omits `details` for an unlisted model in family B.',
    breaks: ['model-error/details-present'],
    setup: error(all(on('messages'), plain, refusedFor('unknown-model')), () => ({ details: undefined })),
  },
  {
    id: 'error-field/details-empty-text',
    about: 'Sends an empty string as `details` for a malformed body in family C.',
    breaks: ['model-error/details-object-or-null'],
    setup: error(all(on('generate'), refusedFor('unparseable-body')), () => ({ details: '' })),
  },
  {
    id: 'error-field/details-list',
    about: 'Sends an empty array as `details` of a bad key in family C.',
    breaks: ['model-error/details-object-or-null'],
    setup: error(all(on('generate'), badKey), () => ({ details: [] })),
  },
];
