import {
  allOf,
  byHeader,
  hasCredentialHeader,
  inFamily,
  not,
  type RequestCondition,
  refusedFor,
  withKey,
} from '../../../reference-server/conditions.ts';
import { applyWhere, checkFirst, combineOverrides } from '../../../reference-server/overrides.ts';
import { failIf, type PlantedDefect } from './planted-defects.ts';

const sends =
  (...names: readonly string[]): RequestCondition =>
  ({ request: { headers } }) =>
    names.some((name) => headers[name] !== undefined);

/**
 * Matches requests of family A with the depleted key in `x-api-key`. In requests with a refused model, the suites send
 * this key only in other headers.
 */
const isDepletedApiKey = allOf(inFamily('A'), byHeader('x-api-key'), withKey('depleted'));
const isModelRefused = refusedFor('unknown-model', 'unsupported-model', 'mismatched-model');
const hasOtherKey = allOf(not(hasCredentialHeader), sends('api-key', 'apikey', 'x-bf-vk', 'cookie'));

const combinedOf: PlantedDefect['extract'] = (_, { generatedRequest }) =>
  Object.entries(generatedRequest?.combined ?? {})
    .map((entry) => entry.join('='))
    .sort()
    .join(' ');

/**
 * Defects in combinations of attributes that no request of the suites has. Only generated requests find these
 * defects.
 */
export const plantedCombinations: Readonly<Record<string, PlantedDefect>> = {
  'wrong key from the own host': {
    about: 'A wrong key is accepted if the request has the header `x-forwarded-for`.',
    decisions: (base) => ({
      findKey: (credential, ctx) =>
        base.findKey(credential, ctx) ??
        (sends('x-forwarded-for')(ctx) ? ctx.state.keys.find(({ role }) => role === 'valid') : undefined),
    }),
    violates: 'accept/bad-key',
    extract: combinedOf,
    smallest: /^added=forwarded header=[a-z-]+ key=[a-z-]+$/,
  },
  'depleted account in x-api-key with a refused model': {
    about:
      'In family A, a request with the key of a depleted account in `x-api-key` and a refused model causes an internal error.',
    decisions: failIf(allOf(isDepletedApiKey, isModelRefused)),
    violates: 'requests/several-faults',
    extract: combinedOf,
    smallest: /^header=x-api-key key=depleted model=(unlisted|unsupported|mismatched)$/,
  },
  'refused model without accept': {
    about: 'Without `accept`, a call of a model that cannot be called causes an internal error.',
    decisions: failIf(allOf(not(sends('accept')), refusedFor('unsupported-model', 'mismatched-model'))),
    violates: 'models/mismatched',
    extract: combinedOf,
    smallest: 'accept=absent model=mismatched',
  },
  'balance by accept': {
    about: 'The balance is checked only if `accept` contains `json`, `html` or `event`.',
    decisions: (base) => ({
      canPay: (account, ctx) =>
        base.canPay(account, ctx) || !/json|html|event/.test(ctx.request.headers.accept ?? ''),
    }),
    violates: 'streams/balance-families-b-c',
    extract: combinedOf,
    smallest: /^accept=(any|absent) key=depleted$/,
  },
  'invalid body with a key in another place': {
    about:
      'With a key in a cookie or in another header, the body is checked first, and an invalid body causes an internal error.',
    decisions: combineOverrides(
      applyWhere(hasOtherKey, checkFirst('body', 'form')),
      failIf(allOf(hasOtherKey, refusedFor('unparseable-body', 'invalid-body'))),
    ),
    violates: 'requests/several-faults',
    extract: combinedOf,
    smallest: /^(body=[a-z-]+ )?fault=[a-z-]+ (given=[a-z-]+ )?header=[a-z-]+( member=.*)?$/,
  },
};
