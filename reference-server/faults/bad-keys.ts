import { withDecisions } from '../combine-setups.ts';
import { allOf, byHeader, inFamily, isStreamed, onOperation, onSurface } from './conditions.ts';
import type { Fault } from './fault.ts';
import { acceptAnyKey, applyWhere, checkFirst, combineOverrides, compareKeys } from './overrides.ts';

const everyEndpoint = [
  'auth/bad-bearer-token',
  'auth/bad-x-api-key',
  'auth/bad-x-goog-api-key',
  'auth/billing-bad-bearer-token',
  'auth/billing-bad-x-api-key',
  'streams/bad-bearer-token',
  'streams/bad-api-key',
];

// The suite sends the first half of the valid key as the truncated key.
const isHalf = (sent: string, key: string): boolean => sent === key.slice(0, Math.ceil(key.length / 2));
const isLongPrefix = (sent: string, key: string): boolean => sent.length >= 16 && key.startsWith(sent);

/** Faults in which the gateway accepts a bad key. */
export const badKeyFaults: readonly Fault[] = [
  {
    id: 'bad-key/suffix-ignored',
    about: 'Accepts a valid key followed by a dash and any text.',
    violates: everyEndpoint,
    setup: withDecisions(compareKeys((sent, key) => sent.startsWith(`${key}-`))),
  },
  {
    id: 'bad-key/extension-ignored',
    about: 'Accepts a valid key followed by any text in `Authorization`.',
    violates: [
      'auth/bad-bearer-token',
      'auth/billing-bad-bearer-token',
      'streams/bad-bearer-token',
      'auth/key-with-text-after',
    ],
    setup: withDecisions(
      applyWhere(
        byHeader('bearer'),
        compareKeys((sent, key) => sent.startsWith(key)),
      ),
    ),
  },
  {
    id: 'bad-key/extension-ignored-in-x-api-key',
    about: 'Accepts a valid key followed by any text in `x-api-key`.',
    violates: [
      'auth/bad-x-api-key',
      'auth/billing-bad-x-api-key',
      'streams/bad-api-key',
      'auth/key-with-text-after',
    ],
    setup: withDecisions(
      applyWhere(
        byHeader('x-api-key'),
        compareKeys((sent, key) => sent.startsWith(key)),
      ),
    ),
  },
  {
    id: 'bad-key/extension-ignored-in-x-goog-api-key',
    about: 'Accepts a valid key followed by any text in `x-goog-api-key`.',
    violates: ['auth/bad-x-goog-api-key', 'streams/bad-api-key', 'auth/key-with-text-after'],
    setup: withDecisions(
      applyWhere(
        byHeader('x-goog-api-key'),
        compareKeys((sent, key) => sent.startsWith(key)),
      ),
    ),
  },
  {
    id: 'bad-key/beginning-is-enough',
    about: 'Accepts the first 16 or more characters of a valid key.',
    violates: everyEndpoint,
    setup: withDecisions(compareKeys(isLongPrefix)),
  },
  {
    id: 'bad-key/beginning-is-enough-for-the-model-list',
    about: 'Accepts the first half of a valid key on the model list.',
    violates: ['auth/bad-bearer-token', 'auth/bad-x-api-key'],
    setup: withDecisions(applyWhere(onOperation('models'), compareKeys(isHalf))),
  },
  {
    id: 'bad-key/middle-ignored',
    about: 'Compares only the length of a key, its first seven characters and its last four characters.',
    violates: everyEndpoint,
    setup: withDecisions(
      compareKeys(
        (sent, key) =>
          sent.length === key.length && sent.startsWith(key.slice(0, 7)) && sent.endsWith(key.slice(-4)),
      ),
    ),
  },
  {
    id: 'bad-key/case-ignored',
    about: 'Ignores the case of letters in keys.',
    violates: everyEndpoint,
    setup: withDecisions(compareKeys((sent, key) => sent.toLowerCase() === key.toLowerCase())),
  },
  {
    id: 'bad-key/case-ignored-on-responses',
    about: 'Ignores the case of letters in keys on `responses`.',
    violates: ['auth/bad-bearer-token', 'auth/bad-x-api-key'],
    setup: withDecisions(
      applyWhere(
        onOperation('responses'),
        compareKeys((sent, key) => sent.toLowerCase() === key.toLowerCase()),
      ),
    ),
  },
  {
    id: 'bad-key/prefix-optional',
    about: 'Accepts a valid key without its prefix `sk-`.',
    violates: everyEndpoint,
    setup: withDecisions(compareKeys((sent, key) => `sk-${sent}` === key)),
  },
  {
    id: 'bad-key/prefix-optional-for-records',
    about: 'Accepts a valid key without its prefix `sk-` on the record endpoint.',
    violates: ['auth/billing-bad-bearer-token', 'auth/billing-bad-x-api-key'],
    setup: withDecisions(
      applyWhere(
        onOperation('record'),
        compareKeys((sent, key) => `sk-${sent}` === key),
      ),
    ),
  },
  {
    id: 'bad-key/anything-taken-by-messages',
    about: 'Accepts any bearer token in family B.',
    violates: [
      'auth/bad-bearer-token',
      'auth/deleted-bearer-token',
      'auth/empty-bearer-token',
      'auth/other-scheme',
      'streams/bad-bearer-token',
      'streams/malformed-credential',
      'accept/bad-key',
      'auth/key-with-text-after',
      'lifecycle/deleted-key',
    ],
    setup: withDecisions(applyWhere(allOf(inFamily('B'), byHeader('bearer')), acceptAnyKey)),
  },
  {
    id: 'bad-key/anything-taken-when-streamed',
    about: 'Accepts any key on streamed calls.',
    violates: [
      'streams/bad-bearer-token',
      'streams/bad-api-key',
      'streams/malformed-credential',
      'streams/empty-api-key',
      'auth/key-with-text-after',
      'auth/scheme-in-api-key',
      'lifecycle/deleted-key',
    ],
    setup: withDecisions(combineOverrides(checkFirst('body'), applyWhere(isStreamed, acceptAnyKey))),
  },
  {
    id: 'bad-key/public-billing',
    about: 'Accepts any key on billing-type endpoints.',
    violates: [
      'auth/billing-bad-bearer-token',
      'auth/billing-bad-x-api-key',
      'auth/billing-malformed-credential',
      'auth/billing-empty-x-api-key',
      'accept/bad-key',
      'auth/key-with-text-after',
      'lifecycle/deleted-key',
    ],
    setup: withDecisions(applyWhere(onSurface('billing'), acceptAnyKey)),
  },
];
