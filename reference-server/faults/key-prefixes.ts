import { readSeed } from '../gateway/seed.ts';
import type { Fault } from './fault.ts';

const replaceKey = (role: 'valid' | 'foreign' | 'depleted', key: string) => {
  const seed = readSeed();
  return { seed: { ...seed, keys: { ...seed.keys, [role]: { ...seed.keys[role], key } } } };
};

/** Faults in which the gateway issues a key without the prefix of section 2.1. */
export const keyPrefixFaults: readonly Fault[] = [
  {
    id: 'bad-key/valid-key-without-prefix',
    about: 'Issues a key that does not start with `sk-`.',
    violates: ['auth/key-prefix'],
    setup: () => replaceKey('valid', 'gw_Reference_Valid_0123456789abcdefghijKLMNOP'),
  },
  {
    id: 'bad-key/foreign-key-without-prefix',
    about: 'Issues a key that does not start with `sk-` to another account.',
    violates: ['auth/key-prefix'],
    setup: () => replaceKey('foreign', 'pk-Reference-Foreign-7777777777ghijklmnopQRST'),
  },
  {
    id: 'bad-key/depleted-key-without-prefix',
    about: 'Issues a key that does not start with `sk-` to an account without a balance.',
    violates: ['auth/key-prefix'],
    setup: () => replaceKey('depleted', 'SK-Reference-Depleted-5555555555mnopqrstuvABCD'),
  },
];
