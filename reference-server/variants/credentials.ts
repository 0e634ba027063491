import { withDecisions } from '../combine-setups.ts';
import type { Context, PresentedCredential } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { Variant } from './variant.ts';

const none: PresentedCredential = { header: 'none', value: '' };

const replaceCredential =
  (read: (found: PresentedCredential, ctx: Context) => PresentedCredential): Overrides =>
  (base) => ({ credentialOf: (accepted, ctx) => read(base.credentialOf(accepted, ctx), ctx) });

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
  {
    id: 'credentials/keys-trimmed-to-visible-ascii',
    about:
      'Treats a key with characters other than visible ASCII as a wrong key, and does not look up the key.',
    setup: withDecisions((base) => ({
      findKey: (credential, ctx) =>
        /^[!-~]*$/.test(credential.value) ? base.findKey(credential, ctx) : undefined,
    })),
  },
];
