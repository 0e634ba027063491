import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { ModelRoles } from '../gateway/profile.ts';
import { readSeed, type Seed } from '../gateway/seed.ts';
import { createTextContent, withContent } from './responses.ts';
import type { Variant, VariantSetup } from './variant.ts';

/** Returns the seed with the model IDs that `rename` returns. */
export const renameModels = (rename: (id: string) => string): Seed => {
  const seed = readSeed();
  return { ...seed, models: seed.models.map((model) => ({ ...model, id: rename(model.id) })) };
};

// Renames the models of family B, so that no ID contains `claude`.
const withoutClaude = (): Seed => renameModels((id) => id.replace('claude', 'poet'));

/**
 * Accepts every model in every protocol, except for the example in the specification: Claude-type models on
 * `responses`.
 */
const acceptOtherProtocols: Overrides = () => ({
  supportsProtocol: (model, ctx) => ctx.operation?.protocol !== 'responses' || !model.id.includes('claude'),
});

const withoutMismatched = (profile: VariantSetup['profile'], seed: Seed): VariantSetup => {
  const roles = (family: string): Omit<ModelRoles, 'mismatched'> => {
    const ids = seed.models.map(({ id }) => id).filter((id) => id.includes(family));
    const [good = '', textOnly = '', unsupported = '', unavailable = ''] = ids;
    return { good, textOnly, unsupported, unavailable };
  };
  const poet = seed.models.some(({ id }) => id.includes('poet')) ? 'poet' : 'claude';
  return {
    seed,
    decisions: acceptOtherProtocols,
    profile: {
      ...profile,
      models: {
        chat: roles('gpt'),
        responses: roles('gpt'),
        messages: roles(poet),
        generate: roles('gemini'),
      },
    },
  };
};

/** Variants of models, the model list or messages about models: the specification leaves these choices open. */
export const modelVariants: readonly Variant[] = [
  {
    id: 'models/list-of-names',
    about: 'Sends the model list as `{ models: [{ name }] }`.',
    setup: withDecisions((base) => ({
      createModelEntry: (model) => ({ name: model.id, context: 4096 }),
      createModelList: (entries) => ({ models: entries }),
      createNativeModelList: base.createNativeModelList,
    })),
  },
  {
    id: 'models/bare-array',
    about: 'Sends the model list as an array of strings.',
    setup: withDecisions(() => ({
      createModelEntry: (model) => model.id,
      createModelList: (entries) => entries,
    })),
  },
  {
    id: 'models/list-by-id',
    about: 'Sends the model list as an object whose member names are the model IDs.',
    setup: withDecisions(() => ({
      createModelEntry: (model) => ({ [model.id]: { available: true } }),
      createModelList: (entries) => ({ models: Object.assign({}, ...entries) }),
    })),
  },
  {
    id: 'models/list-by-vendor',
    about: 'Nests the model list by vendor, and writes the vendor before each ID.',
    setup: withDecisions(() => ({
      createModelEntry: (model) => ({ model: `vendor/${model.id}` }),
      createModelList: (entries) => ({ code: 0, data: { vendor: { items: entries } } }),
    })),
  },
  {
    id: 'models/list-as-native',
    about: 'Sends the model list in the format of family C, with `models/` before each ID.',
    setup: withDecisions((base) => ({
      createModelEntry: base.createNativeModelEntry,
      createModelList: base.createNativeModelList,
    })),
  },
  {
    id: 'models/list-as-text',
    about: 'Sends the model list as plain text, one ID per line.',
    warns: ['models/list-json'],
    setup: withDecisions((base) => ({
      finish: (response, ctx) =>
        ctx.operation?.id === 'models' && !ctx.failure
          ? withContent(
              response,
              createTextContent(
                'text/plain',
                base
                  .listModels(ctx)
                  .map((model) => `${model.id}\n`)
                  .join(''),
              ),
            )
          : response,
    })),
  },
  {
    id: 'models/list-without-uncallable',
    about: 'Omits unsupported and unavailable models from the model list.',
    setup: withDecisions((base) => ({
      listModels: (ctx) =>
        base.listModels(ctx).filter((model) => model.supported !== false && model.available !== false),
    })),
  },
  {
    id: 'models/long-list',
    about: 'Responds to model-list requests with a body of more than 800 kB.',
    setup: withDecisions((base) => ({
      createModelList: (entries, ctx) => {
        const others = Array.from({ length: 5000 }, (_, index) => ({
          id: `other-model-${index}`,
          description: 'x'.repeat(120),
        }));
        return { object: 'list', data: [...others, ...entries], page: base.createModelList([], ctx) };
      },
    })),
  },
  {
    id: 'models/ids-with-slash-and-colon',
    about: 'Uses model IDs such as `vendor/name:free`, which are percent-encoded in paths.',
    setup: () => ({ seed: renameModels((id) => `vendor/${id}:free`) }),
  },
  {
    id: 'models/ids-raw-in-paths',
    about: 'Uses model IDs with slashes and colons that are not percent-encoded in paths.',
    setup: () => ({
      seed: renameModels((id) => `vendor/${id}:free`),
      profile: {
        operations: {
          generate: 'POST /v1beta/models/{+model}:generateContent',
          streamGenerate: 'POST /v1beta/models/{+model}:streamGenerateContent?alt=sse',
        },
      },
    }),
  },
  {
    id: 'models/ids-with-odd-characters',
    about: 'Uses model IDs with dots, at signs, spaces, percent signs and letters outside ASCII.',
    setup: () => ({ seed: renameModels((id) => `Ünïcode ${id}@2024.1%+&=#?`) }),
  },
  {
    id: 'models/ids-in-any-case',
    about: 'Accepts model IDs in any case and with the prefix `models/`.',
    setup: withDecisions((base) => ({
      findModel: (id, ctx) => base.findModel(id.toLowerCase().replace(/^models\//, ''), ctx),
    })),
  },
  {
    id: 'models/aliases',
    about: 'Accepts `auto` as the ID of the first model that the operation can call.',
    setup: withDecisions((base) => ({
      findModel: (id, ctx) =>
        id === 'auto'
          ? ctx.state.models.find((model) => base.supportsProtocol(model, ctx))
          : base.findModel(id, ctx),
    })),
  },
  {
    id: 'models/translated',
    about: 'Accepts models of other protocols, except for Claude-type models on `responses`.',
    setup: () => withoutMismatched({}, readSeed()),
  },
  {
    id: 'models/all-translated',
    about: 'Accepts models of every protocol in every family, and uses no model ID that contains `claude`.',
    setup: () => withoutMismatched({}, withoutClaude()),
  },
];
