import { withDecisions } from '../combine-setups.ts';
import { allOf, byHeader, onSurface, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, compareKeys, crash, setStatus } from './overrides.ts';

const everyKey = [
  'auth/bad-bearer-token',
  'auth/bad-x-api-key',
  'auth/bad-x-goog-api-key',
  'auth/billing-bad-bearer-token',
  'auth/billing-bad-x-api-key',
];
const everyKeyAndStream = [...everyKey, 'streams/bad-bearer-token', 'streams/bad-api-key'];

const removeScheme = compareKeys((sent, key) => sent.replaceAll('Bearer ', '') === key);
const compareFirstWord = compareKeys((sent, key) => sent.split(' ')[0] === key);
const compareAsciiOnly = compareKeys((sent, key) => sent.replace(/[\u0080-\uffff]/g, '') === key);

const isBeyondAscii: RequestCondition = ({ request: { headers } }) =>
  [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']].some((value) =>
    /[\u0080-\uffff]/.test(value ?? ''),
  );
const isLong: RequestCondition = ({ request: { headers } }) =>
  [headers.authorization?.replace('Bearer ', ''), headers['x-api-key']].some((key = '') => key.length > 191);
const isTwoWords: RequestCondition = ({ credential: { value } }) => /^sk-\S+ \S/.test(value);
const isScheme: RequestCondition = ({ credential: { value } }) => value.startsWith('Bearer ');

/**
 * Faults in the response to texts that clients send as a key by mistake, such as `undefined`, a key of another
 * service, or a valid key with additional text.
 */
export const keyMistakeFaults: readonly Fault[] = [
  {
    id: 'key-mistake/undefined',
    about: 'Accepts the key `undefined`.',
    violates: [...everyKey.slice(0, 4), 'streams/bad-bearer-token'],
    setup: withDecisions(compareKeys((sent) => sent === 'undefined')),
  },
  {
    id: 'key-mistake/null',
    about: 'Accepts the key `null`.',
    violates: [
      'auth/bad-bearer-token',
      'auth/bad-x-api-key',
      'auth/billing-bad-x-api-key',
      'streams/bad-api-key',
    ],
    setup: withDecisions(compareKeys((sent) => sent === 'null')),
  },
  {
    id: 'key-mistake/none-word',
    about: 'Accepts the key `None`.',
    violates: [...everyKey.slice(0, 4), 'streams/bad-bearer-token'],
    setup: withDecisions(compareKeys((sent) => sent === 'None')),
  },
  {
    id: 'key-mistake/quoted',
    about: 'Ignores quotation marks around a key.',
    violates: [...everyKey.slice(0, 4), 'streams/bad-bearer-token'],
    setup: withDecisions(compareKeys((sent, key) => sent.replace(/^"(.*)"$/, '$1') === key)),
  },
  {
    id: 'key-mistake/text-after-a-comma',
    about: 'Ignores a comma in a key and the rest of the key.',
    violates: ['auth/key-with-text-after'],
    setup: withDecisions(compareKeys((sent, key) => sent.split(',')[0] === key)),
  },
  {
    id: 'key-mistake/prefix-only',
    about: 'Accepts the prefix `sk-` alone as a key.',
    violates: [...everyKey.slice(0, 4), 'streams/bad-api-key'],
    setup: withDecisions(compareKeys((sent) => sent === 'sk-')),
  },
  {
    id: 'key-mistake/unsigned-token',
    about: 'Accepts every JSON Web Token as a key, without a check of its signature.',
    violates: everyKey.slice(0, 2),
    setup: withDecisions(compareKeys((sent) => /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(sent))),
  },
  {
    id: 'key-mistake/key-of-another-vendor',
    about: 'Accepts every key that begins with `sk-ant-`.',
    violates: everyKey.slice(0, 2),
    setup: withDecisions(compareKeys((sent) => sent.startsWith('sk-ant-'))),
  },
  {
    id: 'key-mistake/long-key-crash',
    about: 'Responds with 500 to a key of more than 191 characters in `Authorization` or `x-api-key`.',
    violates: everyKey.slice(0, 2),
    setup: withDecisions(applyWhere(isLong, crash)),
  },
  {
    id: 'key-mistake/letters-beyond-ascii-ignored',
    about: 'Ignores letters beyond ASCII in a key.',
    violates: everyKeyAndStream,
    setup: withDecisions(compareAsciiOnly),
  },
  {
    id: 'key-mistake/letters-beyond-ascii-crash',
    about: 'Responds with 500 to a key with a letter beyond ASCII.',
    violates: everyKeyAndStream,
    setup: withDecisions(applyWhere(isBeyondAscii, crash)),
  },
  {
    id: 'key-mistake/scheme-twice',
    about: 'Removes every `Bearer` from a bearer token.',
    violates: ['auth/bad-bearer-token', 'auth/billing-bad-bearer-token', 'streams/bad-bearer-token'],
    setup: withDecisions(applyWhere(byHeader('bearer'), removeScheme)),
  },
  {
    id: 'key-mistake/scheme-in-x-api-key',
    about: 'Removes `Bearer` from a key in `x-api-key`.',
    violates: ['auth/scheme-in-api-key'],
    setup: withDecisions(applyWhere(byHeader('x-api-key'), removeScheme)),
  },
  {
    id: 'key-mistake/scheme-in-x-goog-api-key',
    about: 'Responds with 403 to `Bearer` before a key in `x-goog-api-key`.',
    violates: ['auth/scheme-in-api-key'],
    setup: withDecisions(applyWhere(allOf(byHeader('x-goog-api-key'), isScheme), setStatus(403))),
  },
  {
    id: 'key-mistake/text-after',
    about: 'Ignores the text after the first space in a key.',
    violates: ['auth/key-with-text-after'],
    setup: withDecisions(compareFirstWord),
  },
  {
    id: 'key-mistake/text-after-refused-on-billing',
    about: 'Responds with 403 on billing-type endpoints to a key that is followed by text.',
    violates: ['auth/key-with-text-after'],
    setup: withDecisions(applyWhere(allOf(onSurface('billing'), isTwoWords), setStatus(403))),
  },
];
