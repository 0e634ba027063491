import { withDecisions } from '../combine-setups.ts';
import { allOf, byHeader, onSurface, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setStatus } from './overrides.ts';

const isTwoWords: RequestCondition = ({ credential: { value } }) => /^sk-\S+ \S/.test(value);
const isScheme: RequestCondition = ({ credential: { value } }) => value.startsWith('Bearer ');

/**
 * Faults in the response to texts that clients send as a key by mistake, such as `undefined`, a key of another
 * service, or a valid key with additional text.
 */
export const keyMistakeFaults: readonly Fault[] = [
  {
    id: 'key-mistake/scheme-in-x-goog-api-key',
    about: 'Responds with 403 to `Bearer` before a key in `x-goog-api-key`.',
    violates: ['auth/scheme-in-api-key'],
    setup: withDecisions(applyWhere(allOf(byHeader('x-goog-api-key'), isScheme), setStatus(403))),
  },
  {
    id: 'key-mistake/text-after-refused-on-billing',
    about: 'Responds with 403 on billing-type endpoints to a key that is followed by text.',
    violates: ['auth/key-with-text-after'],
    setup: withDecisions(applyWhere(allOf(onSurface('billing'), isTwoWords), setStatus(403))),
  },
];
