import { protocolVersion } from '../../common/specification.ts';
import { withDecisions } from '../combine-setups.ts';
import type { Context, PresentedCredential } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { refuseParameter } from './responses.ts';
import type { Variant } from './variant.ts';

const none: PresentedCredential = { header: 'none', value: '' };

const carriesTwo = ({ request: { headers } }: Context): boolean =>
  headers.authorization !== undefined && headers['x-api-key'] !== undefined;

const replaceCredential =
  (read: (found: PresentedCredential, ctx: Context) => PresentedCredential): Overrides =>
  (base) => ({ credentialOf: (accepted, ctx) => read(base.credentialOf(accepted, ctx), ctx) });

const refuseTwoHeaders =
  (status: number, type: string): Overrides =>
  (base) => ({
    credentialOf: (accepted, ctx) =>
      carriesTwo(ctx) ? { header: 'bearer', value: '' } : base.credentialOf(accepted, ctx),
    errorStatusOf: (failure, ctx) => (carriesTwo(ctx) ? status : base.errorStatusOf(failure, ctx)),
    errorTypeOf: (failure, ctx) => (carriesTwo(ctx) ? type : base.errorTypeOf(failure, ctx)),
  });

const needsVersion = ({ family, request: { headers } }: Context): boolean =>
  family === 'B' || headers['x-api-key'] !== undefined;

const refuseVersions =
  (isRefused: (version: string | undefined) => boolean): Overrides =>
  (base) => ({
    finish: (response, ctx) =>
      ctx.failure === undefined && needsVersion(ctx) && isRefused(ctx.request.headers['anthropic-version'])
        ? refuseParameter('anthropic-version', `the header ${protocolVersion}`, ctx, base)
        : response,
  });

/** Variants of the handling of credentials: section 5 leaves these choices open. */
export const credentialVariants: readonly Variant[] = [
  {
    id: 'credentials/empty-bearer-is-missing',
    about: 'Treats an empty bearer token as a missing credential.',
    setup: withDecisions(
      replaceCredential((found) => (found.header === 'bearer' && found.value === '' ? none : found)),
    ),
  },
  {
    id: 'credentials/empty-keys-are-missing',
    about: 'Treats an empty credential header as a missing credential.',
    setup: withDecisions(replaceCredential((found) => (found.value === '' ? none : found))),
  },
  {
    id: 'credentials/other-schemes-are-bad-tokens',
    about: 'Treats any value of `Authorization` without the scheme `Bearer` as a wrong bearer token.',
    setup: withDecisions(
      replaceCredential((found, ctx) =>
        ctx.request.headers.authorization !== undefined && found.header !== 'bearer'
          ? { header: 'bearer', value: '' }
          : found,
      ),
    ),
  },
  {
    id: 'credentials/lower-case-scheme-is-missing',
    about: 'Treats a key after `Bearer` in another letter case, such as `bearer`, as a missing credential.',
    setup: withDecisions(
      replaceCredential((found, { request: { headers } }) =>
        found.header === 'bearer' && !headers.authorization?.startsWith('Bearer') ? none : found,
      ),
    ),
  },
  {
    id: 'credentials/lower-case-scheme-is-a-bad-token',
    about: 'Treats a key after `Bearer` in another letter case, such as `bearer`, as a wrong bearer token.',
    setup: withDecisions(
      replaceCredential((found, { request: { headers } }) =>
        found.header === 'bearer' && !headers.authorization?.startsWith('Bearer')
          ? { header: 'bearer', value: '' }
          : found,
      ),
    ),
  },
  {
    id: 'credentials/two-headers-are-400',
    about:
      'Responds with 400 to a request with both `Authorization` and `x-api-key`, even if both keys are valid.',
    setup: withDecisions(refuseTwoHeaders(400, 'invalid_request_error')),
  },
  {
    id: 'credentials/two-headers-are-401',
    about:
      'Responds with 401 to a request with both `Authorization` and `x-api-key`, even if both keys are valid.',
    setup: withDecisions(refuseTwoHeaders(401, 'invalid_bearer_token')),
  },
  {
    id: 'credentials/x-api-key-goes-first',
    about: 'Reads `x-goog-api-key` first, then `x-api-key`, then `Authorization`.',
    setup: withDecisions((base) => ({
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
    about: 'Requires the version header, with any value, in family B and for keys in `x-api-key`.',
    setup: withDecisions(refuseVersions((version) => version === undefined)),
  },
  {
    id: 'credentials/one-version-only',
    about: 'Requires the version header with the value 2023-06-01 in family B and for keys in `x-api-key`.',
    setup: withDecisions(refuseVersions((version) => version !== protocolVersion)),
  },
  {
    id: 'credentials/other-versions-refused',
    about:
      'Rejects a version header with a value other than 2023-06-01 in family B and for keys in `x-api-key`, but accepts requests without the header.',
    setup: withDecisions(refuseVersions((version) => version !== undefined && version !== protocolVersion)),
  },
  {
    id: 'credentials/no-challenge',
    about: 'Sends errors without `www-authenticate`, and with a `retry-after` of one hour.',
    setup: withDecisions((base) => ({
      listErrorHeaders: (refusal, ctx) => [
        ...base.listErrorHeaders(refusal, ctx).filter(([name]) => name !== 'www-authenticate'),
        ['retry-after', '3600'],
      ],
    })),
  },
  {
    id: 'credentials/bad-keys-answered-late',
    about: 'Delays the response to a wrong key by 60 ms, to prevent guessing.',
    setup: withDecisions(() => ({
      transmit: (wire, { failure }) => (failure?.kind === 'bad-key' ? { ...wire, after: 60 } : wire),
    })),
  },
  {
    id: 'credentials/key-trimmed',
    about: 'Trims whitespace around a key before looking up the key.',
    setup: withDecisions(replaceCredential((found) => ({ ...found, value: found.value.trim() }))),
  },
  {
    id: 'credentials/keys-masked-in-messages',
    about: 'Shows the first three and the last two characters of the key in the message about a bad key.',
    setup: withDecisions((base) => ({
      errorMessageOf: (failure, ctx) =>
        failure.kind === 'bad-key'
          ? `Incorrect API key provided: ${ctx.credential.value.slice(0, 3)}*****${ctx.credential.value.slice(-2)}.`
          : base.errorMessageOf(failure, ctx),
    })),
  },
];
