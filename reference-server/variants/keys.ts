import { readSeed, type Seed } from '../gateway/seed.ts';
import type { Variant, VariantSetup } from './variant.ts';

const withKeys = (valid: string, deleted: string, depleted: string, foreign: string) => (): VariantSetup => {
  const seed = readSeed();
  const keys: Seed['keys'] = {
    valid: { ...seed.keys.valid, key: valid },
    deleted: { ...seed.keys.deleted, key: deleted },
    depleted: { ...seed.keys.depleted, key: depleted },
    foreign: { ...seed.keys.foreign, key: foreign },
  };
  return { seed: { ...seed, keys } };
};

const longKey = (letter: string): string => `sk-${letter.repeat(1500)}${'0123456789'.repeat(50)}`;

/** Variants of the form of keys. Section 2.1 defines only the prefix. */
export const keyVariants: readonly Variant[] = [
  {
    id: 'keys/no-letters',
    about: 'Issues keys with only digits after the prefix.',
    setup: withKeys(
      'sk-8841207733514409',
      'sk-1112223334445556',
      'sk-9998887776665554',
      'sk-4242424242424242',
    ),
  },
  {
    id: 'keys/no-digits',
    about: 'Issues keys with only letters after the prefix.',
    setup: withKeys(
      'sk-QwertyuiopAsdfghjkl',
      'sk-ZxcvbnmPoiuytrewq',
      'sk-LkjhgfdsaMnbvcxzq',
      'sk-PlokmijnuhbygvTfc',
    ),
  },
  {
    id: 'keys/very-long',
    about: 'Issues keys of 2,003 characters.',
    setup: withKeys(longKey('a'), longKey('b'), longKey('c'), longKey('d')),
  },
  {
    id: 'keys/very-short',
    about: 'Issues keys of a few characters.',
    setup: withKeys('sk-a9', 'sk-b', 'sk-c', 'sk-d'),
  },
  {
    id: 'keys/punctuated',
    about: 'Issues keys with dots, slashes and other punctuation.',
    setup: withKeys('sk-proj_a/b+c.d~e==', 'sk-proj_b/b+c.d~e==', 'sk-proj_c/b+c.d~e==', 'sk-$%&*!|{}[]<>'),
  },
  {
    id: 'keys/alike',
    about: 'Issues keys that differ in one character.',
    setup: withKeys(
      'sk-Team-0000000000000001',
      'sk-Team-0000000000000002',
      'sk-Team-0000000000000003',
      'sk-Team-0000000000000004',
    ),
  },
  {
    id: 'keys/upper-case',
    about: 'Issues keys with upper-case letters after the prefix.',
    setup: withKeys('sk-AAAABBBBCCCC1', 'sk-AAAABBBBCCCC2', 'sk-AAAABBBBCCCC3', 'sk-AAAABBBBCCCC4'),
  },
];
