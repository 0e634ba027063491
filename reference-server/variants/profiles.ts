import type { ProfileChanges } from '../gateway/profile.ts';
import { readSeed } from '../gateway/seed.ts';
import type { Variant, VariantSetup } from './variant.ts';

const stating = (change: (keys: ReturnType<typeof keysOf>) => ProfileChanges) => (): VariantSetup => ({
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

/** What a profile may leave out: what it lacks isn't judged. */
export const profileVariants: readonly Variant[] = [
  {
    id: 'profiles/valid-key-only',
    about: 'The profile states no key but the valid one.',
    setup: stating(({ valid }) => ({ keys: { valid } })),
  },
  {
    id: 'profiles/no-deleted-key',
    about: 'No deleted key is known.',
    setup: stating(({ deleted: _, ...keys }) => ({ keys })),
  },
  {
    id: 'profiles/foreign-key-only',
    about: 'A foreign key is known, and no foreign record.',
    setup: stating(() => ({ records: { own: readSeed().records.own.id } })),
  },
  {
    id: 'profiles/foreign-record-only',
    about: 'A foreign record is known, and no foreign key.',
    setup: stating(({ foreign: _, ...keys }) => ({ keys })),
  },
  {
    id: 'profiles/no-records',
    about: 'No request record is known.',
    setup: stating(() => ({ records: {} })),
  },
  {
    id: 'profiles/no-own-record',
    about: 'Only a foreign record is known.',
    setup: stating(() => ({ records: { foreign: readSeed().records.foreign.id } })),
  },
  {
    id: 'profiles/no-limit',
    about: 'No frequency limit is stated, and none is kept.',
    setup: stating(() => ({ rateLimit: undefined })),
  },
  {
    id: 'profiles/good-models-only',
    about: 'The profile names only models that can be called.',
    setup: stating(() => ({ models: good })),
  },
  {
    id: 'profiles/no-models',
    about: 'The profile names no models; they are found in the list.',
    setup: stating(() => ({ models: {} })),
  },
  {
    id: 'profiles/text-only-gateway',
    about: 'The good models take no images.',
    setup: stating(() => ({
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
    about: 'One model speaks several dialects.',
    setup: stating(() => ({
      models: { ...good, chat: { good: 'claude-reference', mismatched: 'responses-reference' } },
    })),
  },
  {
    id: 'profiles/no-billing',
    about: 'No billing-type endpoint is stated.',
    setup: stating(() => ({ operations: noBilling, rateLimit: undefined })),
  },
  {
    id: 'profiles/no-internal-error',
    about: 'No request is known that brings an internal error.',
    setup: stating(() => ({ operations: { internalError: null } })),
  },
  {
    id: 'profiles/no-usage',
    about: 'Of billing-type endpoints there is the balance only.',
    setup: stating(() => ({
      operations: { usage: null, record: null, internalError: null },
      rateLimit: undefined,
    })),
  },
  {
    id: 'profiles/family-a-only',
    about: 'Families B and C are not offered.',
    setup: stating(() => ({ operations: noNative })),
  },
  {
    id: 'profiles/no-native-streams',
    about: 'Family C does not stream.',
    setup: stating(() => ({ operations: { streamGenerate: null } })),
  },
  {
    id: 'profiles/bare',
    about: 'The profile states a key, and nothing else is known; what is offered besides has to be guessed.',
    setup: stating(({ valid }) => ({
      keys: { valid },
      models: {},
      records: {},
      rateLimit: undefined,
      operations: { ...noBilling, messages: undefined, generate: undefined, streamGenerate: undefined },
    })),
  },
];
