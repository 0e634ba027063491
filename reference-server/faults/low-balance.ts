import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { allOf, byHeader, isStreamed, onOperation } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere } from './overrides.ts';

const skipBalanceCheck: Overrides = () => ({ canPay: () => true });

/** Faults in which some calls are served from an account without a balance. */
export const lowBalanceFaults: readonly Fault[] = [
  {
    id: 'balance/not-checked-for-x-goog-api-key',
    about: 'Serves an account without a balance if its key is in `x-goog-api-key`.',
    violates: [
      'balance/family-c',
      'streams/balance-families-b-c',
      'lifecycle/drained-account',
      'streams/error-before-start',
    ],
    setup: withDecisions(applyWhere(byHeader('x-goog-api-key'), skipBalanceCheck)),
  },
  {
    id: 'balance/not-checked-for-bearer-on-chat',
    about: 'Serves an account without a balance on `chat` if its key is in `Authorization`.',
    violates: [
      'balance/family-a',
      'streams/balance-family-a',
      'lifecycle/drained-account',
      'streams/error-before-start',
    ],
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), byHeader('bearer')), skipBalanceCheck)),
  },
  {
    id: 'balance/not-checked-when-streamed',
    about: 'Serves streamed calls from an account without a balance.',
    violates: [
      'streams/balance-family-a',
      'streams/balance-families-b-c',
      'lifecycle/drained-account',
      'streams/error-before-start',
    ],
    setup: withDecisions(applyWhere(isStreamed, skipBalanceCheck)),
  },
];
