import { withDecisions } from '../combine-setups.ts';
import { allOf, byHeader, inFamily, onOperation } from './conditions.ts';
import type { Fault } from './fault.ts';
import { acceptAnyKey, applyWhere, compareKeys } from './overrides.ts';

// The suite sends the first half of the valid key as the truncated key.
const isHalf = (sent: string, key: string): boolean => sent === key.slice(0, Math.ceil(key.length / 2));

/** Faults in which the gateway accepts a bad key. */
export const badKeyFaults: readonly Fault[] = [
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
    id: 'bad-key/beginning-is-enough-for-the-model-list',
    about: 'Accepts the first half of a valid key on the model list.',
    violates: ['auth/bad-bearer-token', 'auth/bad-x-api-key'],
    setup: withDecisions(applyWhere(onOperation('models'), compareKeys(isHalf))),
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
];
