import type { Overrides } from '../decisions/index.ts';
import { readSeed } from '../gateway/seed.ts';
import { comparing, deciding, firstOfAll, onlyWhere, takingAnyKey, together } from './changes.ts';
import { all, at, by, everyNth, inFamily, ofKey, on, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const everywhere = [
  'auth/bad-bearer-token',
  'auth/bad-x-api-key',
  'auth/bad-x-goog-api-key',
  'auth/billing-bad-bearer-token',
  'auth/billing-bad-x-api-key',
  'streams/bad-bearer-token',
  'streams/bad-api-key',
];

const deletedWorks: Overrides = () => ({ keyWorks: () => true });
// Half of a key is what a truncated one has left.
const isHalf = (sent: string, key: string): boolean => sent === key.slice(0, Math.ceil(key.length / 2));
const startsAlike = (sent: string, key: string): boolean => sent.length >= 16 && key.startsWith(sent);

const renamed = (role: 'valid' | 'foreign' | 'depleted', key: string) => {
  const seed = readSeed();
  return { seed: { ...seed, keys: { ...seed.keys, [role]: { ...seed.keys[role], key } } } };
};

/** A key that should be refused is taken. */
export const badKeyFaults: readonly Fault[] = [
  {
    id: 'bad-key/suffix-ignored',
    about: 'Accepts a good key followed by a dash and any text.',
    breaks: everywhere,
    setup: deciding(comparing((sent, key) => sent.startsWith(`${key}-`))),
  },
  {
    id: 'bad-key/extension-ignored',
    about: 'Accepts a good key followed by any text in `Authorization`.',
    breaks: ['auth/bad-bearer-token', 'auth/billing-bad-bearer-token', 'streams/bad-bearer-token'],
    setup: deciding(
      onlyWhere(
        by('bearer'),
        comparing((sent, key) => sent.startsWith(key)),
      ),
    ),
  },
  {
    id: 'bad-key/extension-ignored-in-x-api-key',
    about: 'Accepts a good key followed by any text in `x-api-key`.',
    breaks: ['auth/bad-x-api-key', 'auth/billing-bad-x-api-key', 'streams/bad-api-key'],
    setup: deciding(
      onlyWhere(
        by('x-api-key'),
        comparing((sent, key) => sent.startsWith(key)),
      ),
    ),
  },
  {
    id: 'bad-key/extension-ignored-in-x-goog-api-key',
    about: 'Accepts a good key followed by any text in `x-goog-api-key`.',
    breaks: ['auth/bad-x-goog-api-key', 'streams/bad-api-key'],
    setup: deciding(
      onlyWhere(
        by('x-goog-api-key'),
        comparing((sent, key) => sent.startsWith(key)),
      ),
    ),
  },
  {
    id: 'bad-key/beginning-is-enough',
    about: 'Accepts the beginning of a good key if it has at least 16 characters.',
    breaks: everywhere,
    setup: deciding(comparing(startsAlike)),
  },
  {
    id: 'bad-key/beginning-is-enough-for-the-model-list',
    about: 'Accepts the first half of a good key on the model list.',
    breaks: ['auth/bad-bearer-token', 'auth/bad-x-api-key'],
    setup: deciding(onlyWhere(on('models'), comparing(isHalf))),
  },
  {
    id: 'bad-key/middle-ignored',
    about: 'Compares only the length of a key, its first seven characters and its last four.',
    breaks: everywhere,
    setup: deciding(
      comparing(
        (sent, key) =>
          sent.length === key.length && sent.startsWith(key.slice(0, 7)) && sent.endsWith(key.slice(-4)),
      ),
    ),
  },
  {
    id: 'bad-key/case-ignored',
    about: 'Compares keys without regard to case.',
    breaks: everywhere,
    setup: deciding(comparing((sent, key) => sent.toLowerCase() === key.toLowerCase())),
  },
  {
    id: 'bad-key/case-ignored-on-responses',
    about: 'Compares keys without regard to case on responses.',
    breaks: [
      'auth/bad-bearer-token',
      'auth/bad-x-api-key',
      'streams/bad-bearer-token',
      'streams/bad-api-key',
    ],
    setup: deciding(
      onlyWhere(
        on('responses'),
        comparing((sent, key) => sent.toLowerCase() === key.toLowerCase()),
      ),
    ),
  },
  {
    id: 'bad-key/prefix-optional',
    about: 'Accepts a good key without its prefix `sk-`.',
    breaks: everywhere,
    setup: deciding(comparing((sent, key) => `sk-${sent}` === key)),
  },
  {
    id: 'bad-key/prefix-optional-for-records',
    about: 'Accepts a good key without its prefix `sk-` on the endpoint of request records.',
    breaks: ['auth/billing-bad-bearer-token', 'auth/billing-bad-x-api-key'],
    setup: deciding(
      onlyWhere(
        on('record'),
        comparing((sent, key) => `sk-${sent}` === key),
      ),
    ),
  },
  {
    id: 'bad-key/anything-taken-by-messages',
    about: 'Accepts any bearer token in family B.',
    breaks: [
      'auth/bad-bearer-token',
      'auth/deleted-bearer-token',
      'auth/empty-bearer-token',
      'streams/bad-bearer-token',
      'streams/malformed-credential',
    ],
    setup: deciding(onlyWhere(all(inFamily('B'), by('bearer')), takingAnyKey)),
  },
  {
    id: 'bad-key/anything-taken-when-streamed',
    about: 'Accepts any key on streaming calls.',
    breaks: [
      'streams/bad-bearer-token',
      'streams/bad-api-key',
      'streams/malformed-credential',
      'streams/empty-api-key',
    ],
    setup: deciding(together(firstOfAll('body'), onlyWhere(streamed, takingAnyKey))),
  },
  {
    id: 'bad-key/deleted-works-on-one-node',
    about: 'Accepts a deleted bearer token on chat in one of five requests.',
    breaks: ['auth/deleted-bearer-token'],
    setup: () => ({
      decisions: onlyWhere(everyNth(5, all(on('chat'), by('bearer'), ofKey('deleted'))), deletedWorks),
    }),
  },
  {
    id: 'bad-key/deleted-works',
    about: 'Accepts a deleted key.',
    breaks: [
      'auth/deleted-bearer-token',
      'auth/deleted-x-api-key',
      'auth/deleted-x-goog-api-key',
      'auth/billing-bad-bearer-token',
      'auth/billing-bad-x-api-key',
      'streams/bad-bearer-token',
      'streams/bad-api-key',
    ],
    setup: deciding(deletedWorks),
  },
  {
    id: 'bad-key/deleted-works-on-the-model-list',
    about: 'Accepts a deleted key on the model list.',
    breaks: ['auth/deleted-bearer-token', 'auth/deleted-x-api-key'],
    setup: deciding(onlyWhere(on('models'), deletedWorks)),
  },
  {
    id: 'bad-key/deleted-works-in-x-goog-api-key',
    about: 'Accepts a deleted key in `x-goog-api-key`.',
    breaks: ['auth/deleted-x-goog-api-key', 'streams/bad-api-key'],
    setup: deciding(onlyWhere(by('x-goog-api-key'), deletedWorks)),
  },
  {
    id: 'bad-key/deleted-works-for-usage',
    about: 'Accepts a deleted bearer token on the usage endpoint.',
    breaks: ['auth/billing-bad-bearer-token'],
    setup: deciding(onlyWhere(all(on('usage'), by('bearer')), deletedWorks)),
  },
  {
    id: 'bad-key/deleted-works-when-streamed',
    about: 'Accepts a deleted key on streaming chat calls.',
    breaks: ['streams/bad-bearer-token', 'streams/bad-api-key'],
    setup: deciding(together(firstOfAll('body'), onlyWhere(all(on('chat'), streamed), deletedWorks))),
  },
  {
    id: 'bad-key/deleted-works-on-one-node-in-family-b',
    about: 'Accepts a deleted bearer token in family B in one of five requests.',
    breaks: ['auth/deleted-bearer-token'],
    setup: () => ({
      decisions: onlyWhere(everyNth(5, all(inFamily('B'), by('bearer'), ofKey('deleted'))), deletedWorks),
    }),
  },
  {
    id: 'bad-key/valid-key-without-prefix',
    about: 'Issues a key that does not start with `sk-`.',
    breaks: ['auth/key-prefix'],
    setup: () => renamed('valid', 'gw_Reference_Valid_0123456789abcdefghijKLMNOP'),
  },
  {
    id: 'bad-key/foreign-key-without-prefix',
    about: 'Issues a key that does not start with `sk-` to another account.',
    breaks: ['auth/key-prefix'],
    setup: () => renamed('foreign', 'pk-Reference-Foreign-7777777777ghijklmnopQRST'),
  },
  {
    id: 'bad-key/depleted-key-without-prefix',
    about: 'Issues a key that does not start with `sk-` to an account without balance.',
    breaks: ['auth/key-prefix'],
    setup: () => renamed('depleted', 'SK-Reference-Depleted-5555555555mnopqrstuvABCD'),
  },
  {
    id: 'bad-key/public-billing',
    about: 'Accepts any key on billing-type endpoints.',
    breaks: [
      'auth/billing-bad-bearer-token',
      'auth/billing-bad-x-api-key',
      'auth/billing-malformed-credential',
      'auth/billing-empty-x-api-key',
    ],
    setup: deciding(onlyWhere(at('billing'), takingAnyKey)),
  },
];
