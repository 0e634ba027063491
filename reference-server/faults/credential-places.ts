import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { isObject } from '../json.ts';
import { onOperation } from './conditions.ts';
import type { Fault } from './fault.ts';
import { alsoReadKey, applyWhere, checkFirst, combineOverrides } from './overrides.ts';

const inBody: Overrides = alsoReadKey(({ body }) => {
  const value = isObject(body) ? (body.api_key ?? body.apikey) : undefined;
  return typeof value === 'string' ? value : undefined;
});

/** Faults in which the gateway accepts a key in a place that the specification does not list. */
export const credentialPlaceFaults: readonly Fault[] = [
  {
    id: 'credential-place/body-member-outside-chat',
    about:
      'Accepts a key in the member `api_key` or `apikey` of a body on `responses`, `messages` and `generate`.',
    violates: ['auth/key-in-body', 'streams/key-in-body'],
    setup: withDecisions(
      applyWhere(
        onOperation('responses', 'messages', 'generate'),
        combineOverrides(checkFirst('body'), inBody),
      ),
    ),
  },
];
