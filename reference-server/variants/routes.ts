import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { Reply } from '../wire/response.ts';
import { createTextContent, refuseRequest, withContent, withStatus } from './responses.ts';
import type { Variant } from './variant.ts';

const hasNoRoute = ({ match }: Context): boolean =>
  match.kind === 'unknown-path' || match.kind === 'wrong-method';

const setStatuses =
  (unknownPath: number, wrongMethod: number): Overrides =>
  (base) => ({
    errorStatusOf: (failure, ctx) => {
      if (failure.kind === 'unknown-path') return unknownPath;
      return failure.kind === 'wrong-method' ? wrongMethod : base.errorStatusOf(failure, ctx);
    },
  });

const changeMethod =
  (name: string, change: (response: Reply) => Reply): Overrides =>
  () => ({ finish: (response, { request }) => (request.method === name ? change(response) : response) });

const sendNothing =
  (status: number) =>
  (response: Reply): Reply =>
    withStatus(withContent(response, { kind: 'nothing' }), status);

const respondWithPage =
  (status: number | undefined): Overrides =>
  () => ({
    finish: (response, ctx) =>
      hasNoRoute(ctx)
        ? withStatus(
            withContent(response, createTextContent('text/html', '<!doctype html><title>Gateway</title>')),
            status ?? response.status,
          )
        : response,
  });

const withoutNative = {
  nativeModels: null,
  nativeModel: null,
  countContentTokens: null,
  countMessageTokens: null,
};

/** Variants of the responses to paths and methods that section 4 does not list. */
export const routeVariants: readonly Variant[] = [
  {
    id: 'routes/unknown-is-400',
    about: 'Responds to unknown paths and wrong methods with 400.',
    setup: withDecisions(setStatuses(400, 400)),
  },
  {
    id: 'routes/unknown-is-404',
    about: 'Responds to unknown paths and wrong methods with 404.',
    setup: withDecisions(setStatuses(404, 404)),
  },
  {
    id: 'routes/unknown-is-405',
    about: 'Responds to unknown paths and wrong methods with 405.',
    setup: withDecisions(setStatuses(405, 405)),
  },
  {
    id: 'routes/unknown-is-501',
    about: 'Responds to unknown paths with 410, and to wrong methods with 501.',
    setup: withDecisions(setStatuses(410, 501)),
  },
  {
    id: 'routes/unknown-asks-for-a-key',
    about:
      'Responds to unknown paths and wrong methods with 401 if the key is missing or unknown, and otherwise with 403.',
    setup: withDecisions((base) => ({
      finish: (response, ctx) => {
        if (!hasNoRoute(ctx)) return response;
        const credential = base.credentialOf(['bearer', 'x-api-key', 'x-goog-api-key'], ctx);
        if (base.findKey(credential, ctx))
          return refuseRequest({ kind: 'unknown-path' }, ctx, base, { errorStatusOf: () => 403 });
        return refuseRequest({ kind: 'missing-credential' }, ctx, base);
      },
    })),
  },
  {
    id: 'routes/unknown-is-a-page',
    about:
      'Responds to unknown paths and wrong methods with an HTML page of a server in front of the gateway.',
    warns: ['model-error/other-statuses', 'billing-error/other-statuses'],
    setup: withDecisions(respondWithPage(undefined)),
  },
  {
    id: 'routes/unknown-is-a-404-page',
    about:
      'Responds to unknown paths and wrong methods with 404 and an HTML page of a server in front of the gateway.',
    warns: ['model-error/other-statuses'],
    setup: withDecisions(respondWithPage(404)),
  },
  {
    id: 'routes/console-everywhere',
    about:
      'Responds to unknown paths and wrong methods with 200 and a web page, and offers no model calls of families B and C.',
    warns: ['endpoints/wrong-method'],
    setup: () => ({
      decisions: respondWithPage(200),
      extraOperations: withoutNative,
      profile: {
        operations: { messages: undefined, generate: undefined, streamGenerate: undefined },
        models: { chat: { good: 'gpt-reference' }, responses: { good: 'gpt-reference' } },
      },
    }),
  },
  {
    id: 'routes/everything-echoed',
    about:
      'Responds to unknown paths with 200 and plain text, and offers no model calls of families B and C.',
    setup: () => ({
      decisions: () => ({
        finish: (response, ctx) =>
          ctx.match.kind === 'unknown-path'
            ? withStatus(withContent(response, createTextContent('text/plain', 'ok\n')), 200)
            : response,
      }),
      extraOperations: withoutNative,
      profile: { operations: { messages: undefined, generate: undefined, streamGenerate: undefined } },
    }),
  },
  {
    id: 'routes/everything-is-json',
    about: 'Responds to unknown paths with 200 and JSON, and offers no model calls of families B and C.',
    setup: () => ({
      decisions: () => ({
        finish: (response, ctx) =>
          ctx.match.kind === 'unknown-path'
            ? withStatus(withContent(response, { kind: 'json', value: { ok: true } }), 200)
            : response,
      }),
      extraOperations: withoutNative,
      profile: { operations: { messages: undefined, generate: undefined, streamGenerate: undefined } },
    }),
  },
  {
    id: 'routes/head-refused',
    about: 'Responds to HEAD with 405.',
    setup: withDecisions(changeMethod('HEAD', sendNothing(405))),
  },
  {
    id: 'routes/head-succeeds',
    about: 'Responds to HEAD with 200 on every path, even without a key.',
    setup: withDecisions(changeMethod('HEAD', sendNothing(200))),
  },
  {
    id: 'routes/options-for-browsers',
    about: 'Responds to OPTIONS with 204 and CORS headers, even without a key.',
    setup: withDecisions(
      changeMethod('OPTIONS', (response) => ({
        ...sendNothing(204)(response),
        headers: [
          ['access-control-allow-origin', '*'],
          ['access-control-allow-headers', '*'],
        ],
      })),
    ),
  },
  {
    id: 'routes/options-fails',
    about: 'Responds to OPTIONS with 500 and no body.',
    setup: withDecisions(changeMethod('OPTIONS', sendNothing(500))),
  },
  {
    id: 'routes/no-native-list',
    about: 'Offers no model list under the prefix of family C.',
    setup: () => ({ extraOperations: { nativeModels: null } }),
  },
  {
    id: 'routes/native-list-like-the-list',
    about: 'Ignores `x-goog-api-key` on the model list under the prefix of family C.',
    setup: withDecisions((base) => ({
      listAcceptedHeaders: (ctx) =>
        ctx.operation?.id === 'nativeModels' ? ['bearer', 'x-api-key'] : base.listAcceptedHeaders(ctx),
    })),
  },
];
