import { protocolVersion } from '../../contract/specification.ts';
import type { Overrides } from '../decisions/index.ts';
import type { Context, Credential } from '../gateway/context.ts';
import { badRequest } from './answers.ts';
import { deciding, type Variant } from './variant.ts';

const none: Credential = { header: 'none', value: '' };

const carriesTwo = ({ request: { headers } }: Context): boolean =>
  headers.authorization !== undefined && headers['x-api-key'] !== undefined;

/** A gateway to which a credential counts as another one, or as none. */
const reading =
  (read: (found: Credential, ctx: Context) => Credential): Overrides =>
  (base) => ({ credentialOf: (accepted, ctx) => read(base.credentialOf(accepted, ctx), ctx) });

const twoHeadersAre =
  (status: number, type: string): Overrides =>
  (base) => ({
    credentialOf: (accepted, ctx) =>
      carriesTwo(ctx) ? { header: 'bearer', value: '' } : base.credentialOf(accepted, ctx),
    statusOf: (failure, ctx) => (carriesTwo(ctx) ? status : base.statusOf(failure, ctx)),
    typeOf: (failure, ctx) => (carriesTwo(ctx) ? type : base.typeOf(failure, ctx)),
  });

const wantsVersion = ({ family, request: { headers } }: Context): boolean =>
  family === 'B' || headers['x-api-key'] !== undefined;

const refusingVersions =
  (isRefused: (version: string | undefined) => boolean): Overrides =>
  (base) => ({
    finish: (answer, ctx) =>
      ctx.failure === undefined && wantsVersion(ctx) && isRefused(ctx.request.headers['anthropic-version'])
        ? badRequest('anthropic-version', `the header ${protocolVersion}`, ctx, base)
        : answer,
  });

/** What section 5 leaves open about credentials. */
export const credentialVariants: readonly Variant[] = [
  {
    id: 'credentials/empty-bearer-is-missing',
    about: 'A bearer header without a token counts as no credential.',
    setup: deciding(reading((found) => (found.header === 'bearer' && found.value === '' ? none : found))),
  },
  {
    id: 'credentials/empty-keys-are-missing',
    about: 'An accepted header with nothing in it counts as not sent.',
    setup: deciding(reading((found) => (found.value === '' ? none : found))),
  },
  {
    id: 'credentials/other-schemes-are-bad-tokens',
    about: 'Whatever stands in `Authorization` counts as a bearer token, and a wrong one without the scheme.',
    setup: deciding(
      reading((found, ctx) =>
        ctx.request.headers.authorization !== undefined && found.header !== 'bearer'
          ? { header: 'bearer', value: '' }
          : found,
      ),
    ),
  },
  {
    id: 'credentials/lower-case-scheme-is-missing',
    about: 'The scheme must be written `Bearer`; any other writing counts as no credential.',
    setup: deciding(
      reading((found, { request: { headers } }) =>
        found.header === 'bearer' && !headers.authorization?.startsWith('Bearer') ? none : found,
      ),
    ),
  },
  {
    id: 'credentials/lower-case-scheme-is-a-bad-token',
    about: 'The scheme must be written `Bearer`; behind any other the token is wrong.',
    setup: deciding(
      reading((found, { request: { headers } }) =>
        found.header === 'bearer' && !headers.authorization?.startsWith('Bearer')
          ? { header: 'bearer', value: '' }
          : found,
      ),
    ),
  },
  {
    id: 'credentials/two-headers-are-400',
    about: 'Two credentials at once are an invalid request, even if both are good.',
    setup: deciding(twoHeadersAre(400, 'invalid_request_error')),
  },
  {
    id: 'credentials/two-headers-are-401',
    about: 'Two credentials at once are a bad credential, even if both are good.',
    setup: deciding(twoHeadersAre(401, 'invalid_bearer_token')),
  },
  {
    id: 'credentials/x-api-key-goes-first',
    about: 'Of two credentials the one in `x-api-key` is read, and `x-goog-api-key` before both.',
    setup: deciding((base) => ({
      credentialOf: (accepted, ctx) => {
        const { headers } = ctx.request;
        for (const header of ['x-goog-api-key', 'x-api-key'] as const) {
          const value = headers[header];
          if (value !== undefined && accepted.includes(header)) return { header, value };
        }
        return base.credentialOf(accepted, ctx);
      },
    })),
  },
  {
    id: 'credentials/version-header-required',
    about: 'Family B, and every request with `x-api-key`, must carry the version header, with any value.',
    setup: deciding(refusingVersions((version) => version === undefined)),
  },
  {
    id: 'credentials/one-version-only',
    about: `The version header must be there and say ${protocolVersion}.`,
    setup: deciding(refusingVersions((version) => version !== protocolVersion)),
  },
  {
    id: 'credentials/other-versions-refused',
    about: 'The version header may be left out, but must not name another version.',
    setup: deciding(refusingVersions((version) => version !== undefined && version !== protocolVersion)),
  },
  {
    id: 'credentials/no-challenge',
    about: 'A 401 comes without `www-authenticate`, and says how much time a client should take.',
    setup: deciding((base) => ({
      errorHeaders: (refusal, ctx) => [
        ...base.errorHeaders(refusal, ctx).filter(([name]) => name !== 'www-authenticate'),
        ['retry-after', '3600'],
      ],
    })),
  },
  {
    id: 'credentials/bad-keys-answered-late',
    about: 'A wrong key is answered only after a pause, against guessing.',
    setup: deciding(() => ({
      transmit: (wire, { failure }) => (failure?.kind === 'bad-key' ? { ...wire, after: 60 } : wire),
    })),
  },
  {
    id: 'credentials/key-trimmed',
    about: 'Blanks around a key are cut off before it is looked up.',
    setup: deciding(reading((found) => ({ ...found, value: found.value.trim() }))),
  },
  {
    id: 'credentials/keys-masked-in-messages',
    about: 'The message of a 401 shows the first and last characters of the key that was sent.',
    setup: deciding((base) => ({
      messageOf: (failure, ctx) =>
        failure.kind === 'bad-key'
          ? `Incorrect API key provided: ${ctx.credential.value.slice(0, 3)}*****${ctx.credential.value.slice(-2)}.`
          : base.messageOf(failure, ctx),
    })),
  },
];
