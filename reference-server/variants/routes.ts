import type { Overrides } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Answer } from '../wire/answer.ts';
import { refusal, textContent, withContent, withStatus } from './answers.ts';
import { deciding, type Variant } from './variant.ts';

const nowhere = ({ match }: Context): boolean =>
  match.kind === 'unknown-path' || match.kind === 'wrong-method';

/** A gateway that answers what it has no route for with other statuses. */
const statuses =
  (unknownPath: number, wrongMethod: number): Overrides =>
  (base) => ({
    statusOf: (failure, ctx) => {
      if (failure.kind === 'unknown-path') return unknownPath;
      return failure.kind === 'wrong-method' ? wrongMethod : base.statusOf(failure, ctx);
    },
  });

/** A gateway that answers a method everywhere in its own way. */
const method =
  (name: string, answerWith: (answer: Answer) => Answer): Overrides =>
  () => ({ finish: (answer, { request }) => (request.method === name ? answerWith(answer) : answer) });

const nothing =
  (status: number) =>
  (answer: Answer): Answer =>
    withStatus(withContent(answer, { kind: 'nothing' }), status);

/** A gateway that answers what it has no route for with a page. */
const pages =
  (status: number | undefined): Overrides =>
  () => ({
    finish: (answer, ctx) =>
      nowhere(ctx)
        ? withStatus(
            withContent(answer, textContent('text/html', '<!doctype html><title>Gateway</title>')),
            status ?? answer.status,
          )
        : answer,
  });

const withoutNative = {
  nativeModels: null,
  nativeModel: null,
  countContentTokens: null,
  countMessageTokens: null,
};

/** What section 4 leaves open about paths and methods that it does not show. */
export const routeVariants: readonly Variant[] = [
  {
    id: 'routes/unknown-is-400',
    about: 'Answers unknown paths and wrong methods with 400.',
    setup: deciding(statuses(400, 400)),
  },
  {
    id: 'routes/unknown-is-404',
    about: 'Answers unknown paths and wrong methods with 404.',
    setup: deciding(statuses(404, 404)),
  },
  {
    id: 'routes/unknown-is-405',
    about: 'Answers unknown paths and wrong methods with 405.',
    setup: deciding(statuses(405, 405)),
  },
  {
    id: 'routes/unknown-is-501',
    about: 'Answers unknown paths with 410 and wrong methods with 501.',
    setup: deciding(statuses(410, 501)),
  },
  {
    id: 'routes/unknown-asks-for-a-key',
    about: 'Answers unknown paths and wrong methods with 401 without a good key and with 403 otherwise.',
    setup: deciding((base) => ({
      finish: (answer, ctx) => {
        if (!nowhere(ctx)) return answer;
        const credential = base.credentialOf(['bearer', 'x-api-key', 'x-goog-api-key'], ctx);
        if (base.findKey(credential, ctx))
          return refusal({ kind: 'unknown-path' }, ctx, base, { statusOf: () => 403 });
        return refusal({ kind: 'missing-credential' }, ctx, base);
      },
    })),
  },
  {
    id: 'routes/unknown-is-a-page',
    about: 'Answers unknown paths and wrong methods with an HTML page of a server in front of the gateway.',
    warns: ['model-error/other-statuses', 'billing-error/other-statuses'],
    setup: deciding(pages(undefined)),
  },
  {
    id: 'routes/unknown-is-a-404-page',
    about:
      'Answers unknown paths and wrong methods with 404 and an HTML page of a server in front of the gateway.',
    warns: ['model-error/other-statuses'],
    setup: deciding(pages(404)),
  },
  {
    id: 'routes/console-everywhere',
    about: 'Answers unknown paths and wrong methods with 200 and a web page, and offers only family A.',
    warns: ['endpoints/unknown-path', 'endpoints/wrong-method'],
    setup: () => ({
      decisions: pages(200),
      extraOperations: withoutNative,
      profile: {
        operations: { messages: undefined, generate: undefined, streamGenerate: undefined },
        models: { chat: { good: 'gpt-reference' }, responses: { good: 'gpt-reference' } },
      },
    }),
  },
  {
    id: 'routes/everything-echoed',
    about: 'Answers unknown paths with 200 and plain text, and offers only family A.',
    warns: ['endpoints/unknown-path'],
    setup: () => ({
      decisions: () => ({
        finish: (answer, ctx) =>
          ctx.match.kind === 'unknown-path'
            ? withStatus(withContent(answer, textContent('text/plain', 'ok\n')), 200)
            : answer,
      }),
      extraOperations: withoutNative,
      profile: { operations: { messages: undefined, generate: undefined, streamGenerate: undefined } },
    }),
  },
  {
    id: 'routes/everything-is-json',
    about: 'Answers unknown paths with 200 and JSON, and offers only family A.',
    warns: ['endpoints/unknown-path'],
    setup: () => ({
      decisions: () => ({
        finish: (answer, ctx) =>
          ctx.match.kind === 'unknown-path'
            ? withStatus(withContent(answer, { kind: 'json', value: { ok: true } }), 200)
            : answer,
      }),
      extraOperations: withoutNative,
      profile: { operations: { messages: undefined, generate: undefined, streamGenerate: undefined } },
    }),
  },
  {
    id: 'routes/head-refused',
    about: 'Answers HEAD with 405.',
    setup: deciding(method('HEAD', nothing(405))),
  },
  {
    id: 'routes/head-succeeds',
    about: 'Answers HEAD with 200 on every path, without a key.',
    setup: deciding(method('HEAD', nothing(200))),
  },
  {
    id: 'routes/options-for-browsers',
    about: 'Answers OPTIONS with 204 and CORS headers, without a key.',
    setup: deciding(
      method('OPTIONS', (answer) => ({
        ...nothing(204)(answer),
        headers: [
          ['access-control-allow-origin', '*'],
          ['access-control-allow-headers', '*'],
        ],
      })),
    ),
  },
  {
    id: 'routes/options-fails',
    about: 'Answers OPTIONS with 500 and no body.',
    setup: deciding(method('OPTIONS', nothing(500))),
  },
  {
    id: 'routes/no-native-list',
    about: 'Offers no model list under the prefix of family C.',
    setup: () => ({ extraOperations: { nativeModels: null } }),
  },
  {
    id: 'routes/native-list-like-the-list',
    about: 'Ignores `x-goog-api-key` on the model list under the prefix of family C.',
    setup: deciding((base) => ({
      acceptedHeaders: (ctx) =>
        ctx.operation?.id === 'nativeModels' ? ['bearer', 'x-api-key'] : base.acceptedHeaders(ctx),
    })),
  },
];
