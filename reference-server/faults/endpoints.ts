import type { Overrides } from '../decisions/index.ts';
import { deciding, onlyWhere, text, together } from './changes.ts';
import { all, on, refusedFor, type Where } from './conditions.ts';
import type { Fault } from './fault.ts';

const path =
  (form: RegExp): Where =>
  ({ request }) =>
    form.test(request.path);
const gone =
  (status: number): Overrides =>
  (base) => ({ finish: (answer, ctx) => ({ ...base.finish(answer, ctx), status }) });
const wrongMethod = refusedFor('wrong-method');

/** Endpoints that are absent, elsewhere, or where none should be. */
export const endpointFaults: readonly Fault[] = [
  {
    id: 'endpoint/chat-absent',
    about: 'Has no chat endpoint.',
    breaks: ['endpoints/chat'],
    setup: () => ({ extraOperations: { chat: null } }),
  },
  {
    id: 'endpoint/chat-without-version',
    about: 'Serves chat at `/chat/completions` instead of `/v1/chat/completions`.',
    breaks: ['endpoints/chat'],
    setup: () => ({ extraOperations: { chat: 'POST /chat/completions' } }),
  },
  {
    id: 'endpoint/responses-absent',
    about: 'Has no responses endpoint.',
    breaks: ['endpoints/responses'],
    setup: () => ({ extraOperations: { responses: null } }),
  },
  {
    id: 'endpoint/responses-by-put',
    about: 'Serves responses with PUT instead of POST.',
    breaks: ['endpoints/responses'],
    setup: () => ({ extraOperations: { responses: 'PUT /v1/responses' } }),
  },
  {
    id: 'endpoint/models-absent',
    about: 'Has no model list.',
    breaks: ['endpoints/models'],
    setup: () => ({ extraOperations: { models: null } }),
  },
  {
    id: 'endpoint/models-by-post',
    about: 'Serves the model list with POST instead of GET.',
    breaks: ['endpoints/models'],
    setup: () => ({ extraOperations: { models: 'POST /v1/models' } }),
  },
  {
    id: 'endpoint/messages-absent',
    about: 'Answers native messages calls of family B with 404.',
    breaks: ['endpoints/stated', 'model-error/other-statuses'],
    setup: deciding(onlyWhere(on('messages'), gone(404))),
  },
  {
    id: 'endpoint/generate-by-another-method',
    about: 'Answers generate calls of family C with 405.',
    breaks: ['endpoints/stated', 'model-error/other-statuses'],
    setup: deciding(onlyWhere(on('generate'), gone(405))),
  },
  {
    id: 'endpoint/usage-by-another-method',
    about: 'Answers the usage request with 405.',
    breaks: ['endpoints/stated-billing', 'billing-error/other-statuses'],
    setup: deciding(onlyWhere(on('usage'), gone(405))),
  },
  {
    id: 'endpoint/records-absent',
    about: 'Answers the request for a request record with 405.',
    breaks: ['endpoints/stated-billing', 'billing-error/other-statuses'],
    setup: deciding(onlyWhere(on('record'), gone(405))),
  },
  {
    id: 'endpoint/records-not-routed',
    about: 'Answers the request for a request record with 404 and plain text of the router.',
    breaks: ['endpoints/stated-billing', 'billing-error/json-object'],
    setup: deciding(onlyWhere(on('record'), together(text('text/plain', '404 page not found'), gone(404)))),
  },
  {
    id: 'endpoint/generate-under-v1',
    about: 'Serves generate calls of family C under `/v1/models`.',
    breaks: ['endpoints/family-c-prefix'],
    setup: () => ({ profile: { operations: { generate: 'POST /v1/models/{model}:generateContent' } } }),
  },
  {
    id: 'endpoint/stream-generate-under-a-name',
    about: 'Serves streaming calls of family C under `/gemini`.',
    breaks: ['endpoints/family-c-prefix'],
    setup: () => ({
      profile: {
        operations: { streamGenerate: 'POST /gemini/v1beta/models/{model}:streamGenerateContent?alt=sse' },
      },
    }),
  },
  {
    id: 'endpoint/usage-under-dashboard',
    about: 'Serves usage under `/dashboard`.',
    breaks: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { usage: 'GET /dashboard/usage?start_time={start}&end_time={end}' } },
    }),
  },
  {
    id: 'endpoint/record-under-v2',
    about: 'Serves request records under `/v2`.',
    breaks: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { record: 'GET /v2/billing/requests?request_id={request_id}' } },
    }),
  },
  {
    id: 'endpoint/balance-under-user',
    about: 'Serves the balance under `/user`.',
    breaks: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { balance: 'GET /user/balance' } },
      decisions: onlyWhere(path(/^\/user\//), () => ({ errorShape: () => 'billing' })),
    }),
  },
  {
    id: 'endpoint/internal-error-under-debug',
    about: 'Serves the billing-type request that answers 500 under `/debug`.',
    breaks: ['endpoints/billing-prefix'],
    setup: () => ({ profile: { operations: { internalError: 'GET /debug/internal-error' } } }),
  },
  {
    id: 'endpoint/any-method-on-chat',
    about: 'Answers every method with 200 on chat and responses.',
    breaks: ['endpoints/wrong-method'],
    setup: deciding(
      onlyWhere(all(wrongMethod, path(/^\/v1\/(chat|responses)/)), () => ({
        finish: (answer) => ({ ...answer, status: 200 }),
      })),
    ),
  },
  {
    id: 'endpoint/any-method-on-lists',
    about: 'Answers every method with 204 on the model list and billing-type endpoints.',
    breaks: ['endpoints/wrong-method'],
    setup: deciding(
      onlyWhere(all(wrongMethod, path(/^\/v1\/(models|billing)/)), () => ({
        finish: (answer) => ({ ...answer, status: 204, content: { kind: 'nothing' } }),
      })),
    ),
  },
  {
    id: 'endpoint/web-page-anywhere',
    about: 'Answers every unknown path with 200 and a web page.',
    breaks: ['endpoints/unknown-path'],
    setup: deciding(
      onlyWhere(refusedFor('unknown-path'), (base) => ({
        statusOf: () => 200,
        finish: text('text/html', '<!doctype html><div id="app"></div>')(base).finish ?? base.finish,
      })),
    ),
  },
  {
    id: 'endpoint/unknown-path-as-success',
    about: 'Answers every unknown path with 200 and an error body.',
    breaks: ['endpoints/unknown-path'],
    setup: deciding(onlyWhere(refusedFor('unknown-path'), () => ({ statusOf: () => 200 }))),
  },
];
