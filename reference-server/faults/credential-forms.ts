import { withDecisions } from '../combine-setups.ts';
import type { Context, PresentedCredential } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { allOf, inFamily, onOperation } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setStatusAndType } from './overrides.ts';

/** Uses the result of `find` as the key or, if `find` finds no key, reads the key from the accepted headers. */
export const alsoReadKey =
  (find: (ctx: Context) => string | null | undefined): Overrides =>
  (base) => ({
    credentialOf: (accepted, ctx): PresentedCredential => {
      const value = find(ctx);
      return value ? { header: 'bearer', value } : base.credentialOf(accepted, ctx);
    },
  });
const inQuery = alsoReadKey(({ request }) => request.query.get('key'));
const inUnlistedHeader = alsoReadKey(({ request }) => request.headers['api-key']);
const withoutScheme = alsoReadKey(({ request }) => /^\S+$/.exec(request.headers.authorization ?? '')?.[0]);
const inBasic = (part: 'name' | 'password'): Overrides =>
  alsoReadKey(({ request }) => {
    const [, encoded] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    return encoded && Buffer.from(encoded, 'base64').toString().split(':')[part === 'name' ? 0 : 1];
  });

const afterAnyScheme = alsoReadKey(({ request }) => request.headers.authorization?.split(' ')[1]);

/**
 * Faults in the response to a key in an unusual place or form, such as a query parameter, the Basic scheme or a
 * scheme in lower case.
 */
export const credentialFormFaults: readonly Fault[] = [
  {
    id: 'credential-form/query-accepted-in-family-c',
    about: 'Accepts a key in the query parameter `key` in family C.',
    violates: ['auth/key-in-query', 'streams/missing-credential'],
    setup: withDecisions(applyWhere(inFamily('C'), inQuery)),
  },
  {
    id: 'credential-form/query-accepted-by-the-model-list',
    about: 'Accepts a key in the query parameter `key` on the model list.',
    violates: ['auth/key-in-query'],
    setup: withDecisions(applyWhere(onOperation('models'), inQuery)),
  },
  {
    id: 'credential-form/query-accepted-by-usage',
    about: 'Accepts a key in the query parameter `key` on the usage endpoint.',
    violates: ['auth/billing-missing-credential'],
    setup: withDecisions(applyWhere(onOperation('usage'), inQuery)),
  },
  {
    id: 'credential-form/unlisted-header-accepted-in-family-a',
    about: 'Accepts a key in the header `api-key` in family A.',
    violates: ['auth/key-in-unlisted-header', 'streams/missing-credential'],
    setup: withDecisions(applyWhere(inFamily('A'), inUnlistedHeader)),
  },
  {
    id: 'credential-form/bare-key-accepted-by-the-model-list',
    about: 'Accepts a key without a scheme in `Authorization` on the model list.',
    violates: ['auth/key-without-scheme'],
    setup: withDecisions(applyWhere(onOperation('models'), withoutScheme)),
  },
  {
    id: 'credential-form/bare-key-accepted-by-balance',
    about: 'Accepts a key without a scheme in `Authorization` on the balance endpoint.',
    violates: ['auth/billing-malformed-credential'],
    setup: withDecisions(applyWhere(onOperation('balance'), withoutScheme)),
  },
  {
    id: 'credential-form/bare-key-called-an-api-key',
    about:
      'Responds with 403 and the type `invalid_api_key` to a key without a scheme in `Authorization` on `responses`.',
    violates: ['auth/key-without-scheme'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('responses'), ({ request }) =>
          /^(?!Bearer$)\S+$/.test(request.headers.authorization ?? ''),
        ),
        setStatusAndType(403, 'invalid_api_key'),
      ),
    ),
  },
  {
    id: 'credential-form/basic-accepted-in-family-b',
    about: 'Accepts a key as the user name of the Basic scheme in family B.',
    violates: ['auth/other-scheme', 'streams/malformed-credential'],
    setup: withDecisions(applyWhere(inFamily('B'), inBasic('name'))),
  },
  {
    id: 'credential-form/basic-answered-400',
    about: 'Responds to the Basic scheme with 400 on the model list.',
    violates: ['auth/other-scheme'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('models'), ({ request }) => /^Basic /.test(request.headers.authorization ?? '')),
        setStatusAndType(400, 'invalid_request_error'),
      ),
    ),
  },
  {
    id: 'credential-form/any-scheme-accepted-by-the-model-list',
    about: 'Accepts a key with any scheme in `Authorization` on the model list.',
    violates: ['auth/other-scheme'],
    setup: withDecisions(applyWhere(onOperation('models'), afterAnyScheme)),
  },
];
