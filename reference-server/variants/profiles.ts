import type { ProfileChanges } from '../gateway/profile.ts';
import { readSeed } from '../gateway/seed.ts';
import type { Variant, VariantSetup } from './variant.ts';

const withProfile = (change: (keys: ReturnType<typeof keysOf>) => ProfileChanges) => (): VariantSetup => ({
  profile: change(keysOf()),
});

function keysOf(): { valid: string; deleted: string; depleted: string; foreign: string } {
  const { keys } = readSeed();
  return {
    valid: keys.valid.key,
    deleted: keys.deleted.key,
    depleted: keys.depleted.key,
    foreign: keys.foreign.key,
  };
}

const noBilling = { balance: null, usage: null, record: null, internalError: null };
const noNative = { messages: null, generate: null, streamGenerate: null };
const good = {
  chat: { good: 'gpt-reference' },
  responses: { good: 'gpt-reference' },
  messages: { good: 'claude-reference' },
  generate: { good: 'gemini-reference' },
};

/**
 * Variants with unusual profiles, for example without optional properties, or with several models for a role. The
 * suite does not check behaviour that depends on a missing property.
 */
export const profileVariants: readonly Variant[] = [
  {
    id: 'profiles/valid-key-only',
    about: 'Has a profile with only the valid key.',
    setup: withProfile(({ valid }) => ({ keys: { valid } })),
  },
  {
    id: 'profiles/no-deleted-key',
    about: 'Has a profile without a deleted key.',
    setup: withProfile(({ deleted: _, ...keys }) => ({ keys })),
  },
  {
    id: 'profiles/foreign-key-only',
    about: 'Has a profile with a key of another account, but without a record of that account.',
    setup: withProfile(() => ({ records: { own: readSeed().records.own.id } })),
  },
  {
    id: 'profiles/foreign-record-only',
    about: 'Has a profile with a record of another account, but without a key of that account.',
    setup: withProfile(({ foreign: _, ...keys }) => ({ keys })),
  },
  {
    id: 'profiles/no-records',
    about: 'Has a profile without request records.',
    setup: withProfile(() => ({ records: {} })),
  },
  {
    id: 'profiles/no-own-record',
    about: 'Has a profile with only a record of another account.',
    setup: withProfile(() => ({ records: { foreign: readSeed().records.foreign.id } })),
  },
  {
    id: 'profiles/no-limit',
    about: 'Has a profile without a rate limit, and enforces no rate limit.',
    setup: withProfile(() => ({ rateLimit: undefined })),
  },
  {
    id: 'profiles/good-models-only',
    about: 'Has a profile with only callable models.',
    setup: withProfile(() => ({ models: good })),
  },
  {
    id: 'profiles/no-models',
    about: 'Has a profile without models, so that the suite chooses models from the model list.',
    setup: withProfile(() => ({ models: {} })),
  },
  {
    id: 'profiles/text-only-gateway',
    about: 'Has a profile whose models accept no images.',
    setup: withProfile(() => ({
      models: {
        chat: { good: 'gpt-reference-text', textOnly: 'gpt-reference-text' },
        responses: { good: 'gpt-reference-text', textOnly: 'gpt-reference-text' },
        messages: { good: 'claude-reference-text', textOnly: 'claude-reference-text' },
        generate: { good: 'gemini-reference-text', textOnly: 'gemini-reference-text' },
      },
    })),
  },
  {
    id: 'profiles/one-model-for-three',
    about: 'Has a profile with one model for several protocols.',
    setup: withProfile(() => ({
      models: { ...good, chat: { good: 'claude-reference', mismatched: 'responses-reference' } },
    })),
  },
  {
    id: 'profiles/no-billing',
    about: 'Offers no billing-type endpoints.',
    setup: withProfile(() => ({ operations: noBilling, rateLimit: undefined })),
  },
  {
    id: 'profiles/no-internal-error',
    about: 'Has a profile without a request that causes an internal error.',
    setup: withProfile(() => ({ operations: { internalError: null } })),
  },
  {
    id: 'profiles/no-usage',
    about: 'Offers the balance as the only billing-type endpoint.',
    setup: withProfile(() => ({
      operations: { usage: null, record: null, internalError: null },
      rateLimit: undefined,
    })),
  },
  {
    id: 'profiles/family-a-only',
    about: 'Offers no model calls of families B and C.',
    setup: withProfile(() => ({ operations: noNative })),
  },
  {
    id: 'profiles/no-native-streams',
    about: 'Offers no streaming in family C.',
    setup: withProfile(() => ({ operations: { streamGenerate: null } })),
  },
  {
    id: 'profiles/bare',
    about:
      'Has a profile with only a key, and serves no operation of families B and C at the paths that the suite then tries.',
    setup: withProfile(({ valid }) => ({
      keys: { valid },
      models: {},
      records: {},
      rateLimit: undefined,
      operations: { ...noBilling, messages: undefined, generate: undefined, streamGenerate: undefined },
    })),
  },
  {
    id: 'models/several-of-a-kind',
    about: 'Has a profile with several models in some roles.',
    setup: () => ({
      profile: {
        models: {
          chat: {
            good: 'gpt-reference',
            textOnly: ['gpt-reference-text', 'gemini-reference-text'],
            unsupported: ['gpt-reference-retired', 'gemini-reference-retired'],
          },
          messages: { good: 'claude-reference', mismatched: ['gpt-reference', 'gemini-reference'] },
        },
      },
    }),
  },
];
