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
    about: 'Every family answers a depleted account 402.',
    breaks: ['balance/family-a', 'streams/balance-family-a', 'model-error/type-fits-status-family-a'],
    setup: deciding(onlyWhere(depleted, status(402))),
  },
  {
    id: 'balance/one-status-for-all-400',
    about: 'Every family answers a depleted account 400.',
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
    about: 'Responses answers a depleted account 402.',
    breaks: ['balance/family-a', 'streams/balance-family-a', 'model-error/type-fits-status-family-a'],
    setup: deciding(onlyWhere(all(on('responses'), depleted), status(402))),
  },
  {
    id: 'balance/400-in-family-c',
    about: 'Family C answers a depleted account 400.',
    breaks: ['balance/family-c', 'streams/balance-families-b-c', 'model-error/type-fits-status-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('C'), depleted), status(400))),
  },
  {
    id: 'balance/400-in-family-b-with-x-api-key',
    about: 'Family B answers a depleted account 400 where its key came in x-api-key.',
    breaks: ['balance/family-b', 'streams/balance-families-b-c', 'model-error/type-fits-status-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('B'), by('x-api-key'), depleted), status(400))),
  },
  {
    id: 'balance/403',
    about: 'Chat answers a depleted account 403.',
    breaks: ['balance/family-a', 'streams/balance-family-a'],
    setup: deciding(onlyWhere(all(on('chat'), depleted), status(403))),
  },
  {
    id: 'balance/429',
    about: 'Family B answers a depleted account 429.',
    breaks: ['balance/family-b', 'streams/balance-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('B'), depleted), status(429))),
  },
  {
    id: 'balance/429-as-quota-in-family-c',
    about: 'Family C answers a depleted account 429 with a type of its own.',
    breaks: ['balance/family-c', 'streams/balance-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('C'), depleted), answered(429, 'RESOURCE_EXHAUSTED'))),
  },
  {
    id: 'balance/401',
    about: 'Responses answers a depleted account 401, as if its key were bad.',
    breaks: ['balance/family-a', 'streams/balance-family-a'],
    setup: deciding(onlyWhere(all(on('responses'), depleted), answered(401, 'invalid_api_key'))),
  },
  {
    id: 'balance/another-type',
    about: 'Family B calls a depleted account insufficient_quota.',
    breaks: ['balance/family-b', 'streams/balance-families-b-c', 'model-error/type-fits-status-families-b-c'],
    setup: deciding(onlyWhere(all(inFamily('B'), depleted), () => ({ typeOf: () => 'insufficient_quota' }))),
  },
  {
    id: 'balance/never-checked',
    about: 'A depleted account is served.',
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
    about: 'A depleted account is served in family C.',
    breaks: ['balance/family-c', 'streams/balance-families-b-c', 'streams/error-before-start'],
    setup: deciding(onlyWhere(inFamily('C'), paying)),
  },
  {
    id: 'balance/not-checked-for-x-goog-api-key',
    about: 'A depleted account is served where its key comes in x-goog-api-key.',
    breaks: ['balance/family-c', 'streams/balance-families-b-c', 'streams/error-before-start'],
    setup: deciding(onlyWhere(by('x-goog-api-key'), paying)),
  },
  {
    id: 'balance/not-checked-for-bearer-on-chat',
    about: 'A depleted account is served where chat gets its key in Authorization.',
    breaks: ['balance/family-a', 'streams/balance-family-a', 'streams/error-before-start'],
    setup: deciding(onlyWhere(all(on('chat'), by('bearer')), paying)),
  },
  {
    id: 'balance/not-checked-when-streamed',
    about: 'A depleted account may stream.',
    breaks: ['streams/balance-family-a', 'streams/balance-families-b-c', 'streams/error-before-start'],
    setup: deciding(onlyWhere(streamed, paying)),
  },
  {
    id: 'balance/told-in-the-stream',
    about: 'Chat tells a depleted account of its balance in the text of a stream.',
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
    about: 'The address for a recharge stands in the message only.',
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
    about: 'Family B gives a depleted account empty details.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: shown(on('messages'), {}),
  },
  {
    id: 'balance/link-under-another-name',
    about: 'Chat calls the address for a recharge rechargeUrl.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: shown(on('chat'), { rechargeUrl: 'https://gateway.example/recharge' }),
  },
  {
    id: 'balance/link-empty',
    about: 'Family C has an empty address for a recharge.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed', 'balance/recharge-url-absolute'],
    setup: shown(inFamily('C'), { recharge_url: '' }),
  },
  {
    id: 'balance/link-missing-when-streamed',
    about: 'A streamed chat of a depleted account has empty details.',
    breaks: ['balance/recharge-url-streamed'],
    setup: shown(all(on('chat'), streamed), {}),
  },
  {
    id: 'balance/link-null',
    about: 'Responses has null for the address for a recharge.',
    breaks: ['balance/recharge-url', 'balance/recharge-url-streamed'],
    setup: shown(on('responses'), { recharge_url: null }),
  },
  {
    id: 'balance/link-relative',
    about: 'The address for a recharge is a path.',
    breaks: ['balance/recharge-url-absolute'],
    setup: shown(not(streamed), { recharge_url: '/console/recharge' }),
  },
  {
    id: 'balance/link-without-scheme',
    about: 'Family B has an address for a recharge without its scheme.',
    breaks: ['balance/recharge-url-absolute'],
    setup: shown(inFamily('B'), { recharge_url: 'gateway.example/console/recharge' }),
  },
  {
    id: 'balance/details-as-text',
    about: 'Family B gives the details of a depleted account as text.',
    breaks: ['balance/recharge-url', 'model-error/details-object-or-null'],
    setup: deciding(
      onlyWhere(
        all(on('messages'), not(streamed), depleted),
        modelBody((error, trace) => ({ error: { ...error, details: 'recharge_url' }, ...trace })),
      ),
    ),
  },
];
