import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Decisions, Overrides } from '../gateway/decisions.ts';
import type { Variant } from './variant.ts';

const page = '<!doctype html><title>Error</title><p>The request was refused.';
const isBrowser = ({ request }: Context): boolean => /^text\/html/.test(request.headers.accept ?? '');

const changeResponse =
  (where: (ctx: Context) => boolean, change: (response: Response) => Response): Overrides =>
  (base) => ({
    finish: (response, ctx) => {
      const finished = base.finish(response, ctx);
      return where(ctx) ? change(finished) : finished;
    },
  });
type Response = ReturnType<Decisions['finish']>;

/**
 * Variants in which the gateway sends HTML pages to browsers, or checks the characters of keys: the specification
 * leaves these choices open.
 */
export const acceptHeaderVariants: readonly Variant[] = [
  {
    id: 'accept/error-pages-for-browsers',
    about: 'Sends errors to browsers as HTML pages without a trace ID.',
    warns: ['accept/error-body'],
    setup: withDecisions(
      changeResponse(
        (ctx) => isBrowser(ctx) && ctx.failure !== undefined,
        (response) => ({
          ...response,
          headers: response.headers.filter(([name]) => name !== 'x-trace-id'),
          content: { kind: 'text', mediaType: 'text/html', text: page },
        }),
      ),
    ),
  },
  {
    id: 'accept/pages-for-browsers',
    about: 'Sends the model list to browsers as an HTML page.',
    setup: withDecisions(
      changeResponse(
        (ctx) => isBrowser(ctx) && ctx.surface === 'list' && ctx.failure === undefined,
        (response) => ({ ...response, content: { kind: 'text', mediaType: 'text/html', text: page } }),
      ),
    ),
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
