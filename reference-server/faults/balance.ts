import type { Overrides } from '../decisions/index.ts';
import type { Json } from '../json.ts';
import { answered, deciding, message, modelBody, onlyWhere, status, together } from './changes.ts';
import { all, by, inFamily, not, on, refusedFor, streamed, type Where } from './conditions.ts';
import type { Fault } from './fault.ts';

const depleted = refusedFor('low-balance');
const paying: Overrides = () => ({ canPay: () => true });
const details =
  (value: { readonly [member: string]: Json } | null): Overrides =>
  () => ({
    detailsOf: () => value,
  });
const shown = (where: Where, value: { readonly [member: string]: Json } | null) =>
  deciding(onlyWhere(all(where, depleted), details(value)));

/** A depleted account is served, or refused in another way than its family asks. */
export const balanceFaults: readonly Fault[] = [
  {
    id: 'balance/one-status-for-all-402',
    about: 'Answers an account without balance with 402 in every family, also in family A.',
    breaks: ['balance/family-a', 'streams/balance-family-a', 'model-error/type-fits-status-family-a'],
    setup: deciding(onlyWhere(depleted, status(402))),
  },
  {
    id: 'balance/one-status-for-all-400',
    about: 'Answers an account without balance with 400 in every family, also in families B and C.',
    breaks: [
      'balance/family-b',
      'balance/family-c',
      'streams/balance-families-b-c',
      'model-error/type-fits-status-families-b-c',
    ],
    setup: deciding(onlyWhere(depleted, status(400))),
  },
  {
    id: 'balance/402-on-responses',
    about: 'Answers an account without balance with 402 instead of 400 on responses.',
    breaks: ['balance/family-a', 'streams/balance-family-a', 'model-error/type-fits-status-family-a'],
    setup: deciding(onlyWhere(all(on('responses'), depleted), status(402))),
  },
  {
    id: 'balance/400-in-family-c',
    about: 'Answers an account without balance with 400 instead of 402 in family C.',
    breaks: ['balance/family-c', 'streams/balance-families-b-c', 'model-error/type-fits-status-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('C'), depleted), status(400))),
  },
  {
    id: 'balance/400-in-family-b-with-x-api-key',
    about:
      'Answers an account without balance with 400 instead of 402 in family B if the key is in `x-api-key`.',
    breaks: ['balance/family-b', 'streams/balance-families-b-c', 'model-error/type-fits-status-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('B'), by('x-api-key'), depleted), status(400))),
  },
  {
    id: 'balance/403',
    about: 'Answers an account without balance with 403 instead of 400 on chat.',
    breaks: ['balance/family-a', 'streams/balance-family-a'],
    setup: deciding(onlyWhere(all(on('chat'), depleted), status(403))),
  },
  {
    id: 'balance/429',
    about: 'Answers an account without balance with 429 instead of 402 in family B.',
    breaks: ['balance/family-b', 'streams/balance-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('B'), depleted), status(429))),
  },
  {
    id: 'balance/429-as-quota-in-family-c',
    about: 'Answers an account without balance with 429 and the type `RESOURCE_EXHAUSTED` in family C.',
    breaks: ['balance/family-c', 'streams/balance-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('C'), depleted), answered(429, 'RESOURCE_EXHAUSTED'))),
  },
  {
    id: 'balance/401',
    about: 'Answers an account without balance with 401 and the type `invalid_api_key` on responses.',
    breaks: ['balance/family-a', 'streams/balance-family-a'],
    setup: deciding(onlyWhere(all(on('responses'), depleted), answered(401, 'invalid_api_key'))),
  },
  {
    id: 'balance/another-type',
    about: 'Answers an account without balance with the type `insufficient_quota` in family B.',
    breaks: ['balance/family-b', 'streams/balance-families-b-c', 'model-error/type-fits-status-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('B'), depleted), () => ({ typeOf: () => 'insufficient_quota' }))),
  },
  {
    id: 'balance/never-checked',
    about: 'Serves an account without balance.',
    breaks: [
      'balance/family-a',
      'balance/family-b',
      'balance/family-c',
      'streams/balance-family-a',
      'streams/balance-families-b-c',
      'streams/error-before-start',
    ],
    setup: deciding(paying),
  },
  {
    id: 'balance/not-checked-in-family-c',
    about: 'Serves an account without balance in family C.',
    breaks: ['balance/family-c', 'streams/balance-families-b-c', 'streams/error-before-start'],
    setup: deciding(onlyWhere(inFamily('C'), paying)),
  },
  {
    id: 'balance/not-checked-for-x-goog-api-key',
    about: 'Serves an account without balance if its key is in `x-goog-api-key`.',
    breaks: ['balance/family-c', 'streams/balance-families-b-c', 'streams/error-before-start'],
    setup: deciding(onlyWhere(by('x-goog-api-key'), paying)),
  },
  {
    id: 'balance/not-checked-for-bearer-on-chat',
    about: 'Serves an account without balance on chat if its key is in `Authorization`.',
    breaks: ['balance/family-a', 'streams/balance-family-a', 'streams/error-before-start'],
    setup: deciding(onlyWhere(all(on('chat'), by('bearer')), paying)),
  },
  {
    id: 'balance/not-checked-when-streamed',
    about: 'Serves streaming calls of an account without balance.',
    breaks: ['streams/balance-family-a', 'streams/balance-families-b-c', 'streams/error-before-start'],
    setup: deciding(onlyWhere(streamed, paying)),
  },
  {
    id: 'balance/told-in-the-stream',
    about: 'Reports a balance that is too low as the text of a successful chat stream.',
    breaks: ['streams/balance-family-a', 'streams/error-before-start'],
    setup: deciding(
      onlyWhere(all(on('chat'), streamed, depleted), () => ({
        finish: (answer) => ({
          ...answer,
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
    about: 'Writes the top-up address into the message instead of `details`.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: deciding(
      onlyWhere(
        depleted,
        together(
          details(null),
          message((_, ctx) => `The balance is too low; recharge at ${ctx.state.rechargeUrl}.`),
        ),
      ),
    ),
  },
  {
    id: 'balance/link-missing-in-family-b',
    about: 'Sends empty `details` for an account without balance in family B.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: shown(on('messages'), {}),
  },
  {
    id: 'balance/link-under-another-name',
    about: 'Calls the top-up address `rechargeUrl` instead of `recharge_url` on chat.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: shown(on('chat'), { rechargeUrl: 'https://gateway.example/recharge' }),
  },
  {
    id: 'balance/link-empty',
    about: 'Sends an empty top-up address in family C.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed', 'balance/recharge-url-absolute'],
    setup: shown(inFamily('C'), { recharge_url: '' }),
  },
  {
    id: 'balance/link-missing-when-streamed',
    about: 'Sends empty `details` for an account without balance on streaming chat calls.',
    breaks: ['balance/recharge-url-streamed'],
    setup: shown(all(on('chat'), streamed), {}),
  },
  {
    id: 'balance/link-null',
    about: 'Sends null as the top-up address on responses.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: shown(on('responses'), { recharge_url: null }),
  },
  {
    id: 'balance/link-relative',
    about: 'Sends a path as the top-up address.',
    breaks: ['balance/recharge-url-absolute'],
    setup: shown(not(streamed), { recharge_url: '/console/recharge' }),
  },
  {
    id: 'balance/link-without-scheme',
    about: 'Sends a top-up address without its scheme in family B.',
    breaks: ['balance/recharge-url-absolute'],
    setup: shown(inFamily('B'), { recharge_url: 'gateway.example/console/recharge' }),
  },
  {
    id: 'balance/details-as-text',
    about: 'Sends `details` as a string for an account without balance in family B.',
    breaks: ['balance/recharge-url', 'model-error/details-object-or-null'],
    setup: deciding(
      onlyWhere(
        all(on('messages'), not(streamed), depleted),
        modelBody((error, trace) => ({ error: { ...error, details: 'recharge_url' }, ...trace })),
      ),
    ),
  },
];
