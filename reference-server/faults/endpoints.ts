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
    about: 'There is no chat endpoint.',
    breaks: ['endpoints/chat'],
    setup: () => ({ extraOperations: { chat: null } }),
  },
  {
    id: 'endpoint/chat-without-version',
    about: 'Chat stands at /chat/completions.',
    breaks: ['endpoints/chat'],
    setup: () => ({ extraOperations: { chat: 'POST /chat/completions' } }),
  },
  {
    id: 'endpoint/responses-absent',
    about: 'There is no responses endpoint.',
    breaks: ['endpoints/responses'],
    setup: () => ({ extraOperations: { responses: null } }),
  },
  {
    id: 'endpoint/responses-by-put',
    about: 'Responses takes PUT only.',
    breaks: ['endpoints/responses'],
    setup: () => ({ extraOperations: { responses: 'PUT /v1/responses' } }),
  },
  {
    id: 'endpoint/models-absent',
    about: 'There is no model list.',
    breaks: ['endpoints/models'],
    setup: () => ({ extraOperations: { models: null } }),
  },
  {
    id: 'endpoint/models-by-post',
    about: 'The model list takes POST only.',
    breaks: ['endpoints/models'],
    setup: () => ({ extraOperations: { models: 'POST /v1/models' } }),
  },
  {
    id: 'endpoint/messages-absent',
    about: 'There is nothing where the native messages of family B should be.',
    breaks: ['endpoints/stated', 'model-error/other-statuses'],
    setup: deciding(onlyWhere(on('messages'), gone(404))),
  },
  {
    id: 'endpoint/generate-by-another-method',
    about: 'Family C takes another method only.',
    breaks: ['endpoints/stated', 'model-error/other-statuses'],
    setup: deciding(onlyWhere(on('generate'), gone(405))),
  },
  {
    id: 'endpoint/usage-by-another-method',
    about: 'Usage takes another method only.',
    breaks: ['endpoints/stated-billing', 'billing-error/other-statuses'],
    setup: deciding(onlyWhere(on('usage'), gone(405))),
  },
  {
    id: 'endpoint/records-absent',
    about: 'There is nothing where request records should be.',
    breaks: ['endpoints/stated-billing', 'billing-error/other-statuses'],
    setup: deciding(onlyWhere(on('record'), gone(405))),
  },
  {
    id: 'endpoint/records-not-routed',
    about: 'The router knows no request records, and answers with a page of its own.',
    breaks: ['endpoints/stated-billing', 'billing-error/json-object'],
    setup: deciding(onlyWhere(on('record'), together(text('text/plain', '404 page not found'), gone(404)))),
  },
  {
    id: 'endpoint/generate-under-v1',
    about: 'Family C stands under /v1/models.',
    breaks: ['endpoints/family-c-prefix'],
    setup: () => ({ profile: { operations: { generate: 'POST /v1/models/{model}:generateContent' } } }),
  },
  {
    id: 'endpoint/stream-generate-under-a-name',
    about: 'The streaming operation of family C stands under a name of its own.',
    breaks: ['endpoints/family-c-prefix'],
    setup: () => ({
      profile: {
        operations: { streamGenerate: 'POST /gemini/v1beta/models/{model}:streamGenerateContent?alt=sse' },
      },
    }),
  },
  {
    id: 'endpoint/usage-under-dashboard',
    about: 'The usage endpoint stands under /dashboard.',
    breaks: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { usage: 'GET /dashboard/usage?start_time={start}&end_time={end}' } },
    }),
  },
  {
    id: 'endpoint/record-under-v2',
    about: 'Request records stand under /v2.',
    breaks: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { record: 'GET /v2/billing/requests?request_id={request_id}' } },
    }),
  },
  {
    id: 'endpoint/balance-under-user',
    about: 'The balance endpoint stands under /user.',
    breaks: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { balance: 'GET /user/balance' } },
      decisions: onlyWhere(path(/^\/user\//), () => ({ errorShape: () => 'billing' })),
    }),
  },
  {
    id: 'endpoint/internal-error-under-debug',
    about: 'The billing-type request that answers 500 stands under /debug.',
    breaks: ['endpoints/billing-prefix'],
    setup: () => ({ profile: { operations: { internalError: 'GET /debug/internal-error' } } }),
  },
  {
    id: 'endpoint/any-method-on-chat',
    about: 'Chat answers every method with success.',
    breaks: ['endpoints/wrong-method'],
    setup: deciding(
      onlyWhere(all(wrongMethod, path(/^\/v1\/(chat|responses)/)), () => ({
        finish: (answer) => ({ ...answer, status: 200 }),
      })),
    ),
  },
  {
    id: 'endpoint/any-method-on-lists',
    about: 'The model list and the balance endpoint answer every method with nothing.',
    breaks: ['endpoints/wrong-method'],
    setup: deciding(
      onlyWhere(all(wrongMethod, path(/^\/v1\/(models|billing)/)), () => ({
        finish: (answer) => ({ ...answer, status: 204, content: { kind: 'nothing' } }),
      })),
    ),
  },
  {
    id: 'endpoint/web-page-anywhere',
    about: 'Every unknown path leads to the web page of the console.',
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
    about: 'Every unknown path is answered 200 with an error in the body.',
    breaks: ['endpoints/unknown-path'],
    setup: deciding(onlyWhere(refusedFor('unknown-path'), () => ({ statusOf: () => 200 }))),
  },
];
