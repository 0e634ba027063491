import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../decisions/index.ts';
import type { Json } from '../json.ts';
import {
  allOf,
  byHeader,
  inFamily,
  isStreamed,
  not,
  onOperation,
  type RequestCondition,
  refusedFor,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import {
  applyWhere,
  combineOverrides,
  replaceModelBody,
  setMessage,
  setStatus,
  setStatusAndType,
} from './overrides.ts';

const isDepleted = refusedFor('low-balance');
const skipBalanceCheck: Overrides = () => ({ canPay: () => true });
const setDetails =
  (value: { readonly [member: string]: Json } | null): Overrides =>
  () => ({
    errorDetailsOf: () => value,
  });
const withDetails = (where: RequestCondition, value: { readonly [member: string]: Json } | null) =>
  withDecisions(applyWhere(allOf(where, isDepleted), setDetails(value)));

/**
 * Faults in which the gateway serves an account without a balance, or refuses such an account with the wrong status,
 * type or details.
 */
export const lowBalanceFaults: readonly Fault[] = [
  {
    id: 'balance/one-status-for-all-402',
    about: 'Responds with 402 in every family, including family A, if the account has no balance.',
    violates: ['balance/family-a', 'streams/balance-family-a', 'model-error/type-fits-status-family-a'],
    setup: withDecisions(applyWhere(isDepleted, setStatus(402))),
  },
  {
    id: 'balance/one-status-for-all-400',
    about: 'Responds with 400 in every family, including families B and C, if the account has no balance.',
    violates: [
      'balance/family-b',
      'balance/family-c',
      'streams/balance-families-b-c',
      'model-error/type-fits-status-families-b-c',
    ],
    setup: withDecisions(applyWhere(isDepleted, setStatus(400))),
  },
  {
    id: 'balance/402-on-responses',
    about: 'Responds with 402 instead of 400 on `responses` if the account has no balance.',
    violates: ['balance/family-a', 'streams/balance-family-a', 'model-error/type-fits-status-family-a'],
    setup: withDecisions(applyWhere(allOf(onOperation('responses'), isDepleted), setStatus(402))),
  },
  {
    id: 'balance/400-in-family-c',
    about: 'Responds with 400 instead of 402 in family C if the account has no balance.',
    violates: [
      'balance/family-c',
      'streams/balance-families-b-c',
      'model-error/type-fits-status-families-b-c',
    ],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), isDepleted), setStatus(400))),
  },
  {
    id: 'balance/400-in-family-b-with-x-api-key',
    about:
      'Responds with 400 instead of 402 in family B if the account has no balance and the key is in `x-api-key`.',
    violates: [
      'balance/family-b',
      'streams/balance-families-b-c',
      'model-error/type-fits-status-families-b-c',
    ],
    setup: withDecisions(applyWhere(allOf(inFamily('B'), byHeader('x-api-key'), isDepleted), setStatus(400))),
  },
  {
    id: 'balance/403',
    about: 'Responds with 403 instead of 400 on `chat` if the account has no balance.',
    violates: ['balance/family-a', 'streams/balance-family-a', 'model-error/status-fits-type'],
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isDepleted), setStatus(403))),
  },
  {
    id: 'balance/429',
    about: 'Responds with 429 instead of 402 in family B if the account has no balance.',
    violates: ['balance/family-b', 'streams/balance-families-b-c', 'model-error/status-fits-type'],
    setup: withDecisions(applyWhere(allOf(inFamily('B'), isDepleted), setStatus(429))),
  },
  {
    id: 'balance/429-with-pause',
    about:
      'Responds with 429, the type `insufficient_balance` and a `Retry-After` of one hour in family C if the account has no balance.',
    violates: ['balance/family-c', 'streams/balance-families-b-c', 'model-error/status-fits-type'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('C'), isDepleted), (base) => ({
        errorStatusOf: () => 429,
        listErrorHeaders: (refusal, ctx) => [...base.listErrorHeaders(refusal, ctx), ['retry-after', '3600']],
      })),
    ),
  },
  {
    id: 'balance/429-as-quota',
    about: 'Responds with 429 and the type `RESOURCE_EXHAUSTED` if the account has no balance.',
    violates: [
      'balance/family-a',
      'balance/family-b',
      'balance/family-c',
      'streams/balance-family-a',
      'streams/balance-families-b-c',
    ],
    setup: withDecisions(applyWhere(isDepleted, setStatusAndType(429, 'RESOURCE_EXHAUSTED'))),
  },
  {
    id: 'balance/401',
    about: 'Responds with 401 and the type `invalid_api_key` on `responses` if the account has no balance.',
    violates: ['balance/family-a', 'streams/balance-family-a'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('responses'), isDepleted), setStatusAndType(401, 'invalid_api_key')),
    ),
  },
  {
    id: 'balance/another-type',
    about: 'Responds with the type `insufficient_quota` in family B if the account has no balance.',
    violates: ['balance/family-b', 'model-error/streamed-type', 'model-error/type-fits-status-families-b-c'],
    setup: withDecisions(
      applyWhere(allOf(inFamily('B'), isDepleted), () => ({ errorTypeOf: () => 'insufficient_quota' })),
    ),
  },
  {
    id: 'balance/never-checked',
    about: 'Serves model calls from an account without a balance.',
    violates: [
      'balance/family-a',
      'balance/family-b',
      'balance/family-c',
      'streams/balance-family-a',
      'streams/balance-families-b-c',
      'lifecycle/drained-account',
      'streams/error-before-start',
    ],
    setup: withDecisions(skipBalanceCheck),
  },
  {
    id: 'balance/not-checked-in-family-c',
    about: 'Serves an account without a balance in family C.',
    violates: [
      'balance/family-c',
      'streams/balance-families-b-c',
      'lifecycle/drained-account',
      'streams/error-before-start',
    ],
    setup: withDecisions(applyWhere(inFamily('C'), skipBalanceCheck)),
  },
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
  {
    id: 'balance/told-in-the-stream',
    about: 'Reports a balance that is too low as the text of a successful chat stream.',
    violates: ['streams/balance-family-a', 'lifecycle/drained-account', 'streams/error-before-start'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isStreamed, isDepleted), () => ({
        finish: (response) => ({
          ...response,
          status: 200,
          content: {
            kind: 'events',
            events: [
              { name: undefined, data: { choices: [{ delta: { content: 'Your balance is too low.' } }] } },
              { name: undefined, data: '[DONE]' },
            ],
          },
        }),
      })),
    ),
  },
  {
    id: 'balance/link-in-the-message-only',
    about: 'Sends the top-up address in the message, and null as `details`.',
    violates: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: withDecisions(
      applyWhere(
        isDepleted,
        combineOverrides(
          setDetails(null),
          setMessage((_, ctx) => `The balance is too low; recharge at ${ctx.state.rechargeUrl}.`),
        ),
      ),
    ),
  },
  {
    id: 'balance/link-missing-in-family-b',
    about: 'Sends an empty object as `details` of `insufficient_balance` errors in family B.',
    violates: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: withDetails(onOperation('messages'), {}),
  },
  {
    id: 'balance/link-under-another-name',
    about: 'Calls the top-up address `rechargeUrl` instead of `recharge_url` on `chat`.',
    violates: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: withDetails(onOperation('chat'), { rechargeUrl: 'https://gateway.example/recharge' }),
  },
  {
    id: 'balance/link-empty',
    about: 'Sends an empty top-up address in family C.',
    violates: ['balance/recharge-url', 'balance/recharge-url-streamed', 'balance/recharge-url-absolute'],
    setup: withDetails(inFamily('C'), { recharge_url: '' }),
  },
  {
    id: 'balance/link-missing-when-streamed',
    about: 'Sends an empty object as `details` of `insufficient_balance` errors on streamed chat calls.',
    violates: ['balance/recharge-url-streamed'],
    setup: withDetails(allOf(onOperation('chat'), isStreamed), {}),
  },
  {
    id: 'balance/link-null',
    about: 'Sends null as the top-up address on `responses`.',
    violates: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: withDetails(onOperation('responses'), { recharge_url: null }),
  },
  {
    id: 'balance/link-relative',
    about: 'Sends a path as the top-up address on calls that are not streamed.',
    violates: ['balance/recharge-url-absolute'],
    setup: withDetails(not(isStreamed), { recharge_url: '/console/recharge' }),
  },
  {
    id: 'balance/link-without-scheme',
    about: 'Sends a top-up address without its scheme in family B.',
    violates: ['balance/recharge-url-absolute'],
    setup: withDetails(inFamily('B'), { recharge_url: 'gateway.example/console/recharge' }),
  },
  {
    id: 'balance/details-as-text',
    about: 'Sends a string as `details` of `insufficient_balance` errors in non-streamed calls of family B.',
    violates: ['balance/recharge-url', 'model-error/details-object-or-null'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('messages'), not(isStreamed), isDepleted),
        replaceModelBody((error, trace) => ({ error: { ...error, details: 'recharge_url' }, ...trace })),
      ),
    ),
  },
];
