import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { isObject } from '../json.ts';
import type { ServerRequest } from '../wire/request.ts';
import { onOperation, type RequestCondition } from './conditions.ts';
import { alsoReadKey } from './credential-forms.ts';
import type { Fault } from './fault.ts';
import { applyWhere, checkFirst, combineOverrides } from './overrides.ts';

const inStreams = 'streams/missing-credential';
// The suite sends keys in rare places only in requests without a stream.
const inRareHeader = ['auth/key-in-unlisted-header', 'auth/billing-missing-credential'];
const inRareQuery = ['auth/key-in-query', 'auth/billing-missing-credential'];
const inHeader = [...inRareHeader, inStreams];
const inQuery = [...inRareQuery, inStreams];

const cookie = ({ headers }: ServerRequest, name: string): string | undefined =>
  new RegExp(`(?:^|; *)${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1];

type Place = readonly [
  name: string,
  about: string,
  read: (request: ServerRequest) => string | null | undefined,
  violates: readonly string[],
];

const places: readonly Place[] = [
  ['apikey', 'the header `apikey`', ({ headers }) => headers.apikey, inHeader],
  [
    'proxy-authorization',
    'the header `Proxy-Authorization`',
    ({ headers }) => headers['proxy-authorization']?.replace('Bearer ', ''),
    inHeader,
  ],
  [
    'x-litellm-api-key',
    'the header `x-litellm-api-key`',
    ({ headers }) => headers['x-litellm-api-key'],
    inHeader,
  ],
  [
    'x-portkey-api-key',
    'the header `x-portkey-api-key`',
    ({ headers }) => headers['x-portkey-api-key'],
    inHeader,
  ],
  ['x-bf-vk', 'the header `x-bf-vk`', ({ headers }) => headers['x-bf-vk'], inHeader],
  ['mj-api-secret', 'the header `mj-api-secret`', ({ headers }) => headers['mj-api-secret'], inHeader],
  [
    'subscription-key',
    'the header `ocp-apim-subscription-key`',
    ({ headers }) => headers['ocp-apim-subscription-key'],
    inHeader,
  ],
  [
    'cf-aig-authorization',
    'the header `cf-aig-authorization`',
    ({ headers }) => headers['cf-aig-authorization']?.replace('Bearer ', ''),
    inHeader,
  ],
  [
    'websocket-protocol',
    'the header `sec-websocket-protocol`',
    ({ headers }) => headers['sec-websocket-protocol']?.split('openai-insecure-api-key.')[1],
    inHeader,
  ],
  ['cookie', 'the cookie `api_key`', (request) => cookie(request, 'api_key'), inHeader],
  ['cookie-token', 'the cookie `token`', (request) => cookie(request, 'token'), inHeader],
  ['cookie-session', 'the cookie `session`', (request) => cookie(request, 'session'), inHeader],
  ['query-apikey', 'the query parameter `apikey`', ({ query }) => query.get('apikey'), inQuery],
  ['query-hyphenated', 'the query parameter `api-key`', ({ query }) => query.get('api-key'), inQuery],
  ['query-token', 'the query parameter `token`', ({ query }) => query.get('token'), inQuery],
  ['query-camel-case', 'the query parameter `apiKey`', ({ query }) => query.get('apiKey'), inRareQuery],
  [
    'query-subscription-key',
    'the query parameter `subscription-key`',
    ({ query }) => query.get('subscription-key'),
    inRareQuery,
  ],
  [
    'query-named-like-the-header',
    'the query parameter `x-api-key`',
    ({ query }) => query.get('x-api-key'),
    inRareQuery,
  ],
  [
    'x-gravitee-api-key',
    'the header `X-Gravitee-Api-Key`',
    ({ headers }) => headers['x-gravitee-api-key'],
    inRareHeader,
  ],
  ['x-auth-token', 'the header `X-Auth-Token`', ({ headers }) => headers['x-auth-token'], inRareHeader],
  [
    'helicone-auth',
    'the header `Helicone-Auth`',
    ({ headers }) => headers['helicone-auth']?.replace('Bearer ', ''),
    inRareHeader,
  ],
  [
    'aws-signature',
    'the credential of an AWS signature',
    ({ headers }) => /^AWS4-HMAC-SHA256 Credential=([^/\s,]+)/.exec(headers.authorization ?? '')?.[1],
    ['auth/other-scheme', 'auth/billing-malformed-credential', 'streams/malformed-credential'],
  ],
];

const bodyMember = ({ body }: Context): unknown =>
  isObject(body) ? (body.api_key ?? body.apikey) : undefined;

/** For requests that satisfy `where`, parses the body before the other checks, and accepts a key in the body. */
const readBodyFirst = (where: RequestCondition): Overrides =>
  combineOverrides(
    applyWhere(where, checkFirst('body')),
    applyWhere(where, (base) => ({
      credentialOf: (accepted, ctx) => {
        const value = bodyMember(ctx);
        return typeof value === 'string' ? { header: 'bearer', value } : base.credentialOf(accepted, ctx);
      },
    })),
  );

const hasHeader =
  (name: string, value: RegExp): RequestCondition =>
  ({ request }) =>
    value.test(request.headers[name] ?? '');

const trust: Overrides = () => ({
  credentialOf: (_, ctx) => ({ header: 'bearer', value: ctx.profile.keys.valid }),
});

const trustedHeaders: readonly (readonly [name: string, about: string, where: RequestCondition])[] = [
  ['origin', 'a request whose `Origin` begins with `http`', hasHeader('origin', /^http/)],
  [
    'referer',
    'a request with the header `Sec-Fetch-Site: same-origin`',
    hasHeader('sec-fetch-site', /^same-origin$/),
  ],
  [
    'forwarded-for',
    'a request whose `X-Forwarded-For` begins with a loopback address',
    hasHeader('x-forwarded-for', /^127\./),
  ],
  [
    'forwarded',
    'a request whose `Forwarded` contains a loopback address',
    hasHeader('forwarded', /for=127\./),
  ],
  [
    'method-override',
    'a request that overrides its method with OPTIONS',
    hasHeader('x-http-method-override', /^OPTIONS$/),
  ],
  [
    'original-url',
    'a request whose `X-Original-URL` is `/health`',
    hasHeader('x-original-url', /^\/health$/),
  ],
  [
    'forwarded-uri',
    'a request whose `X-Forwarded-Uri` is `/health`',
    hasHeader('x-forwarded-uri', /^\/health$/),
  ],
  [
    'auth-request-user',
    'a request with a user name in `X-Auth-Request-User`',
    hasHeader('x-auth-request-user', /./),
  ],
  ['remote-user', 'a request with a user name in `Remote-User`', hasHeader('remote-user', /./)],
  [
    'access-email',
    'a request with an email address in `Cf-Access-Authenticated-User-Email`',
    hasHeader('cf-access-authenticated-user-email', /@/),
  ],
  ['identity', 'a request with a user name in `X-Forwarded-User`', hasHeader('x-forwarded-user', /./)],
  ['consumer', 'a request with a consumer name in `X-Mse-Consumer`', hasHeader('x-mse-consumer', /./)],
];

/**
 * Faults in the response to a key in a place that the specification does not list, and faults in which the gateway
 * accepts another header instead of a key.
 */
export const credentialPlaceFaults: readonly Fault[] = [
  ...places.map(
    ([name, about, read, violates]): Fault => ({
      id: `credential-place/${name}`,
      about: `Accepts a key in ${about}.`,
      violates,
      setup: withDecisions(alsoReadKey(({ request }) => read(request))),
    }),
  ),
  {
    id: 'credential-place/body-member',
    about: 'Accepts a key in the member `api_key` or `apikey` of a chat body.',
    violates: ['auth/key-in-body', 'streams/key-in-body'],
    setup: withDecisions(readBodyFirst(onOperation('chat'))),
  },
  {
    id: 'credential-place/body-member-outside-chat',
    about:
      'Accepts a key in the member `api_key` or `apikey` of a body on `responses`, `messages` and `generate`.',
    violates: ['auth/key-in-body', 'streams/key-in-body'],
    setup: withDecisions(readBodyFirst(onOperation('responses', 'messages', 'generate'))),
  },
  {
    id: 'credential-place/body-member-forbidden',
    about:
      'Parses a chat body before checking the key, and responds with 403 instead of any other error status if a body has the member `api_key` or `apikey`.',
    violates: ['auth/key-in-body', 'streams/key-in-body'],
    setup: withDecisions(
      combineOverrides(applyWhere(onOperation('chat'), checkFirst('body')), (base) => ({
        errorStatusOf: (failure, ctx) =>
          bodyMember(ctx) === undefined ? base.errorStatusOf(failure, ctx) : 403,
      })),
    ),
  },
  ...trustedHeaders.map(
    ([name, about, where]): Fault => ({
      id: `trusted-header/${name}`,
      about: `Requires no key for ${about}.`,
      violates: ['auth/missing-credential', 'auth/billing-missing-credential'],
      setup: withDecisions(applyWhere(where, trust)),
    }),
  ),
];
