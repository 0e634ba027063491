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
    about: 'What stands behind a dash after a good key is ignored.',
    breaks: everywhere,
    setup: deciding(comparing((sent, key) => sent.startsWith(`${key}-`))),
  },
  {
    id: 'bad-key/extension-ignored',
    about: 'Anything behind a good key is ignored, in Authorization.',
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
    about: 'Anything behind a good key is ignored, in x-api-key.',
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
    about: 'Anything behind a good key is ignored, in x-goog-api-key.',
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
    about: 'The first half of a key is enough.',
    breaks: everywhere,
    setup: deciding(comparing(startsAlike)),
  },
  {
    id: 'bad-key/beginning-is-enough-for-the-model-list',
    about: 'Half a key is enough to list the models.',
    breaks: ['auth/bad-bearer-token', 'auth/bad-x-api-key'],
    setup: deciding(onlyWhere(on('models'), comparing(isHalf))),
  },
  {
    id: 'bad-key/middle-ignored',
    about: 'Keys are compared as consoles show them: by their first and last letters, and their length.',
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
    about: 'Keys are compared without regard to case.',
    breaks: everywhere,
    setup: deciding(comparing((sent, key) => sent.toLowerCase() === key.toLowerCase())),
  },
  {
    id: 'bad-key/case-ignored-on-responses',
    about: 'On responses keys are compared without regard to case.',
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
    about: 'A key is taken without its prefix too.',
    breaks: everywhere,
    setup: deciding(comparing((sent, key) => `sk-${sent}` === key)),
  },
  {
    id: 'bad-key/prefix-optional-for-records',
    about: 'The request record is shown to a key without its prefix.',
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
    about: 'Family B takes any bearer token.',
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
    about: 'A streamed call takes any key.',
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
    about: 'One node of five keeps a deleted bearer token alive on chat.',
    breaks: ['auth/deleted-bearer-token'],
    setup: () => ({
      decisions: onlyWhere(everyNth(5, all(on('chat'), by('bearer'), ofKey('deleted'))), deletedWorks),
    }),
  },
  {
    id: 'bad-key/deleted-works',
    about: 'A deleted key still works.',
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
    about: 'A deleted key still lists the models.',
    breaks: ['auth/deleted-bearer-token', 'auth/deleted-x-api-key'],
    setup: deciding(onlyWhere(on('models'), deletedWorks)),
  },
  {
    id: 'bad-key/deleted-works-in-x-goog-api-key',
    about: 'A deleted key in x-goog-api-key still works.',
    breaks: ['auth/deleted-x-goog-api-key', 'streams/bad-api-key'],
    setup: deciding(onlyWhere(by('x-goog-api-key'), deletedWorks)),
  },
  {
    id: 'bad-key/deleted-works-for-usage',
    about: 'A deleted bearer token still reads the usage.',
    breaks: ['auth/billing-bad-bearer-token'],
    setup: deciding(onlyWhere(all(on('usage'), by('bearer')), deletedWorks)),
  },
  {
    id: 'bad-key/deleted-works-when-streamed',
    about: 'A deleted key still streams chat.',
    breaks: ['streams/bad-bearer-token', 'streams/bad-api-key'],
    setup: deciding(together(firstOfAll('body'), onlyWhere(all(on('chat'), streamed), deletedWorks))),
  },
  {
    id: 'bad-key/deleted-works-on-one-node-in-family-b',
    about: 'One node of five keeps a deleted bearer token alive in family B.',
    breaks: ['auth/deleted-bearer-token'],
    setup: () => ({
      decisions: onlyWhere(everyNth(5, all(inFamily('B'), by('bearer'), ofKey('deleted'))), deletedWorks),
    }),
  },
  {
    id: 'bad-key/valid-key-without-prefix',
    about: 'The gateway issues keys that do not start with sk-.',
    breaks: ['auth/key-prefix'],
    setup: () => renamed('valid', 'gw_Reference_Valid_0123456789abcdefghijKLMNOP'),
  },
  {
    id: 'bad-key/foreign-key-without-prefix',
    about: 'Some keys, such as those of another account, do not start with sk-.',
    breaks: ['auth/key-prefix'],
    setup: () => renamed('foreign', 'pk-Reference-Foreign-7777777777ghijklmnopQRST'),
  },
  {
    id: 'bad-key/depleted-key-without-prefix',
    about: 'Free accounts have keys that do not start with sk-.',
    breaks: ['auth/key-prefix'],
    setup: () => renamed('depleted', 'SK-Reference-Depleted-5555555555mnopqrstuvABCD'),
  },
  {
    id: 'bad-key/public-billing',
    about: 'Billing-type endpoints take any key.',
    breaks: [
      'auth/billing-bad-bearer-token',
      'auth/billing-bad-x-api-key',
      'auth/billing-malformed-credential',
      'auth/billing-empty-x-api-key',
    ],
    setup: deciding(onlyWhere(at('billing'), takingAnyKey)),
  },
];
