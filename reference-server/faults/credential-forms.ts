import type { Overrides } from '../decisions/index.ts';
import type { Context, Credential } from '../gateway/context.ts';
import { answered, crashing, deciding, onlyWhere, together } from './changes.ts';
import { all, at, by, inFamily, on, refusedFor, type Where } from './conditions.ts';
import type { Fault } from './fault.ts';

// A credential is also seen where the contract has none.
const alsoSeeing =
  (find: (ctx: Context) => string | null | undefined): Overrides =>
  (base) => ({
    credentialOf: (accepted, ctx): Credential => {
      const value = find(ctx);
      return value ? { header: 'bearer', value } : base.credentialOf(accepted, ctx);
    },
  });
const inQuery = alsoSeeing(({ request }) => request.query.get('key'));
const asAccessToken = alsoSeeing(({ request }) => request.query.get('access_token'));
const inUnlistedHeader = alsoSeeing(({ request }) => request.headers['api-key']);
const bare = alsoSeeing(({ request }) => /^\S+$/.exec(request.headers.authorization ?? '')?.[0]);
const inBasic = (part: 'name' | 'password'): Overrides =>
  alsoSeeing(({ request }) => {
    const [, encoded] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    return encoded && Buffer.from(encoded, 'base64').toString().split(':')[part === 'name' ? 0 : 1];
  });
// As many letters as `Bearer ` has are skipped, whatever they are.
const behindSeven = alsoSeeing(({ request }) => /^.{6} (.*)/.exec(request.headers.authorization ?? '')?.[1]);

// What is behind the first space, whatever stands before it.
const anyScheme = alsoSeeing(({ request }) => request.headers.authorization?.split(' ')[1]);

const empty: Where = ({ credential }) => credential.header !== 'none' && credential.value === '';
const emptyHeader =
  (name: string): Where =>
  ({ request }) =>
    request.headers[name]?.replace(/^Bearer$/, '') === '';
const takingEmpty: Overrides = (base) => ({
  findKey: (credential, ctx) => base.findKey(credential, ctx) ?? ctx.state.keys[0],
});

/** A credential is read from where there is none, or read wrongly where it is malformed. */
export const credentialFormFaults: readonly Fault[] = [
  {
    id: 'credential-form/query-accepted',
    about: 'Accepts a key in the query parameter `key`.',
    breaks: ['auth/key-in-query', 'auth/billing-missing-credential', 'streams/missing-credential'],
    setup: deciding(inQuery),
  },
  {
    id: 'credential-form/access-token-in-query',
    about: 'Accepts a key in the query parameter `access_token`.',
    breaks: ['auth/key-in-query', 'auth/billing-missing-credential'],
    setup: deciding(asAccessToken),
  },
  {
    id: 'credential-form/basic-password',
    about: 'Accepts a key as the password of the Basic scheme.',
    breaks: ['auth/other-scheme', 'auth/billing-malformed-credential'],
    setup: deciding(inBasic('password')),
  },
  {
    id: 'credential-form/scheme-of-six-letters',
    about: 'Accepts any scheme of six letters in `Authorization`.',
    breaks: ['auth/other-scheme', 'auth/billing-malformed-credential'],
    setup: deciding(behindSeven),
  },
  {
    id: 'credential-form/query-accepted-in-family-c',
    about: 'Accepts a key in the query parameter `key` in family C.',
    breaks: ['auth/key-in-query', 'streams/missing-credential'],
    setup: deciding(onlyWhere(inFamily('C'), inQuery)),
  },
  {
    id: 'credential-form/query-accepted-by-the-model-list',
    about: 'Accepts a key in the query parameter `key` on the model list.',
    breaks: ['auth/key-in-query'],
    setup: deciding(onlyWhere(on('models'), inQuery)),
  },
  {
    id: 'credential-form/query-accepted-by-usage',
    about: 'Accepts a key in the query parameter `key` on the usage endpoint.',
    breaks: ['auth/billing-missing-credential'],
    setup: deciding(onlyWhere(on('usage'), inQuery)),
  },
  {
    id: 'credential-form/unlisted-header-accepted',
    about: 'Accepts a key in the header `api-key`.',
    breaks: ['auth/key-in-unlisted-header', 'auth/billing-missing-credential', 'streams/missing-credential'],
    setup: deciding(inUnlistedHeader),
  },
  {
    id: 'credential-form/unlisted-header-accepted-in-family-a',
    about: 'Accepts a key in the header `api-key` in family A.',
    breaks: ['auth/key-in-unlisted-header', 'streams/missing-credential'],
    setup: deciding(onlyWhere(inFamily('A'), inUnlistedHeader)),
  },
  {
    id: 'credential-form/bare-key-accepted',
    about: 'Accepts a key without a scheme in `Authorization`.',
    breaks: ['auth/key-without-scheme', 'auth/billing-malformed-credential', 'streams/malformed-credential'],
    setup: deciding(bare),
  },
  {
    id: 'credential-form/bare-key-accepted-by-the-model-list',
    about: 'Accepts a key without a scheme in `Authorization` on the model list.',
    breaks: ['auth/key-without-scheme'],
    setup: deciding(onlyWhere(on('models'), bare)),
  },
  {
    id: 'credential-form/bare-key-accepted-by-balance',
    about: 'Accepts a key without a scheme in `Authorization` on the balance endpoint.',
    breaks: ['auth/billing-malformed-credential'],
    setup: deciding(onlyWhere(on('balance'), bare)),
  },
  {
    id: 'credential-form/bare-key-called-an-api-key',
    about:
      'Answers a key without a scheme in `Authorization` with 403 and the type `invalid_api_key` on responses.',
    breaks: ['auth/key-without-scheme', 'streams/malformed-credential'],
    setup: deciding(
      onlyWhere(
        all(on('responses'), ({ request }) => /^(?!Bearer$)\S+$/.test(request.headers.authorization ?? '')),
        answered(403, 'invalid_api_key'),
      ),
    ),
  },
  {
    id: 'credential-form/basic-accepted',
    about: 'Accepts a key as the user name of the Basic scheme.',
    breaks: ['auth/other-scheme', 'auth/billing-malformed-credential', 'streams/malformed-credential'],
    setup: deciding(inBasic('name')),
  },
  {
    id: 'credential-form/basic-accepted-in-family-b',
    about: 'Accepts a key as the user name of the Basic scheme in family B.',
    breaks: ['auth/other-scheme', 'streams/malformed-credential'],
    setup: deciding(onlyWhere(inFamily('B'), inBasic('name'))),
  },
  {
    id: 'credential-form/basic-answered-400',
    about: 'Answers the Basic scheme with 400 on the model list.',
    breaks: ['auth/other-scheme'],
    setup: deciding(
      onlyWhere(
        all(on('models'), ({ request }) => /^Basic /.test(request.headers.authorization ?? '')),
        answered(400, 'invalid_request_error'),
      ),
    ),
  },
  {
    id: 'credential-form/basic-crashes-family-c',
    about: 'Answers the Basic scheme with 500 in family C.',
    breaks: ['auth/other-scheme', 'streams/malformed-credential'],
    setup: deciding(
      onlyWhere(
        all(inFamily('C'), ({ request }) => /^Basic /.test(request.headers.authorization ?? '')),
        crashing,
      ),
    ),
  },
  {
    id: 'credential-form/any-scheme-accepted',
    about: 'Accepts a key with any scheme in `Authorization`.',
    breaks: ['auth/other-scheme', 'auth/billing-malformed-credential', 'streams/malformed-credential'],
    setup: deciding(anyScheme),
  },
  {
    id: 'credential-form/any-scheme-accepted-by-the-model-list',
    about: 'Accepts a key with any scheme in `Authorization` on the model list.',
    breaks: ['auth/other-scheme'],
    setup: deciding(onlyWhere(on('models'), anyScheme)),
  },
  {
    id: 'credential-form/empty-bearer-is-anonymous',
    about: 'Treats an empty bearer token as the key of the first account.',
    breaks: ['auth/empty-bearer-token', 'auth/billing-malformed-credential', 'streams/malformed-credential'],
    setup: deciding(onlyWhere(all(by('bearer'), empty), takingEmpty)),
  },
  {
    id: 'credential-form/empty-bearer-answered-400',
    about: 'Answers an empty bearer token with 400 on the model list.',
    breaks: ['auth/empty-bearer-token'],
    setup: deciding(
      onlyWhere(
        all(on('models'), by('bearer'), empty, refusedFor('bad-key')),
        answered(400, 'invalid_request_error'),
      ),
    ),
  },
  {
    id: 'credential-form/empty-x-api-key-is-anonymous-on-chat',
    about: 'Treats an empty `x-api-key` as the key of the first account on chat.',
    breaks: ['auth/empty-x-api-key', 'streams/empty-api-key'],
    setup: deciding(onlyWhere(all(on('chat'), by('x-api-key'), empty), takingEmpty)),
  },
  {
    id: 'credential-form/empty-x-api-key-crashes',
    about: 'Answers an empty `x-api-key` with 500.',
    breaks: ['auth/empty-x-api-key', 'streams/empty-api-key', 'auth/billing-empty-x-api-key'],
    setup: deciding(onlyWhere(emptyHeader('x-api-key'), crashing)),
  },
  {
    id: 'credential-form/empty-x-api-key-called-a-token',
    about: 'Answers an empty `x-api-key` with the type `invalid_bearer_token` in family B.',
    breaks: ['auth/empty-x-api-key', 'streams/empty-api-key'],
    setup: deciding(
      onlyWhere(all(inFamily('B'), by('x-api-key'), empty, refusedFor('bad-key')), (base) => ({
        typeOf: (failure, ctx) => base.typeOf({ ...failure, ...{ header: 'bearer' } }, ctx),
      })),
    ),
  },
  {
    id: 'credential-form/empty-x-goog-api-key-is-anonymous',
    about: 'Treats an empty `x-goog-api-key` as the key of the first account.',
    breaks: ['auth/empty-x-goog-api-key', 'streams/empty-api-key'],
    setup: deciding(onlyWhere(all(by('x-goog-api-key'), empty), takingEmpty)),
  },
  {
    id: 'credential-form/empty-x-goog-api-key-forbidden',
    about: 'Answers an empty `x-goog-api-key` with 403.',
    breaks: ['auth/empty-x-goog-api-key', 'streams/empty-api-key'],
    setup: deciding(
      together(
        onlyWhere(
          all(by('x-goog-api-key'), empty, refusedFor('bad-key')),
          answered(403, 'permission_denied'),
        ),
      ),
    ),
  },
  {
    id: 'credential-form/empty-credential-on-billing-answered-400',
    about: 'Answers an empty credential with 400 on billing-type endpoints.',
    breaks: ['auth/billing-malformed-credential', 'auth/billing-empty-x-api-key'],
    setup: deciding(
      onlyWhere(all(at('billing'), empty, refusedFor('bad-key')), (base) => ({
        statusOf: () => 400,
        codeOf: () => 'invalid_request',
        messageOf: base.messageOf,
      })),
    ),
  },
];
