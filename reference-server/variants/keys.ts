import { readSeed, type Seed } from '../gateway/seed.ts';
import type { Variant, VariantSetup } from './variant.ts';

/** A gateway with other keys. */
const keyed = (valid: string, deleted: string, depleted: string, foreign: string) => (): VariantSetup => {
  const seed = readSeed();
  const keys: Seed['keys'] = {
    valid: { ...seed.keys.valid, key: valid },
    deleted: { ...seed.keys.deleted, key: deleted },
    depleted: { ...seed.keys.depleted, key: depleted },
    foreign: { ...seed.keys.foreign, key: foreign },
  };
  return { seed: { ...seed, keys } };
};

const long = (letter: string): string => `sk-${letter.repeat(1500)}${'0123456789'.repeat(50)}`;

/** What section 2.1 leaves open about keys: all but their prefix. */
export const keyVariants: readonly Variant[] = [
  {
    id: 'keys/no-letters',
    about: 'Behind the prefix, keys are digits only.',
    setup: keyed('sk-8841207733514409', 'sk-1112223334445556', 'sk-9998887776665554', 'sk-4242424242424242'),
  },
  {
    id: 'keys/no-digits',
    about: 'Keys have letters only.',
    setup: keyed(
      'sk-QwertyuiopAsdfghjkl',
      'sk-ZxcvbnmPoiuytrewq',
      'sk-LkjhgfdsaMnbvcxzq',
      'sk-PlokmijnuhbygvTfc',
    ),
  },
  {
    id: 'keys/very-long',
    about: 'Keys are two thousand characters long.',
    setup: keyed(long('a'), long('b'), long('c'), long('d')),
  },
  {
    id: 'keys/very-short',
    about: 'Keys have a few characters.',
    setup: keyed('sk-a9', 'sk-b', 'sk-c', 'sk-d'),
  },
  {
    id: 'keys/punctuated',
    about: 'Keys have dots, slashes, signs and equals signs.',
    setup: keyed('sk-proj_a/b+c.d~e==', 'sk-proj_b/b+c.d~e==', 'sk-proj_c/b+c.d~e==', 'sk-$%&*!|{}[]<>'),
  },
  {
    id: 'keys/alike',
    about: 'Keys differ in one character.',
    setup: keyed(
      'sk-Team-0000000000000001',
      'sk-Team-0000000000000002',
      'sk-Team-0000000000000003',
      'sk-Team-0000000000000004',
    ),
  },
  {
    id: 'keys/upper-case',
    about: 'Keys have upper-case letters behind the prefix.',
    setup: keyed('sk-AAAABBBBCCCC1', 'sk-AAAABBBBCCCC2', 'sk-AAAABBBBCCCC3', 'sk-AAAABBBBCCCC4'),
  },
];
