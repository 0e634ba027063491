import { readSeed } from '../gateway/seed.ts';
import type { Variant } from './variant.ts';

const longKey = (letter: string): { readonly key: string } => ({
  key: `sk-${letter.repeat(1500)}${'0123456789'.repeat(50)}`,
});

/** Variants of the form of keys. Section 2.1 defines only the prefix. */
export const keyVariants: readonly Variant[] = [
  {
    id: 'keys/very-long',
    about: 'Issues keys of 2,003 characters.',
    setup: () => {
      const seed = readSeed();
      const { valid, deleted, depleted, foreign } = seed.keys;
      const keys = {
        valid: { ...valid, ...longKey('a') },
        deleted: { ...deleted, ...longKey('b') },
        depleted: { ...depleted, ...longKey('c') },
        foreign: { ...foreign, ...longKey('d') },
      };
      return { seed: { ...seed, keys } };
    },
  },
];
