import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { allOf, onOperation, type RequestCondition, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, sendText } from './overrides.ts';

const onPath =
  (form: RegExp): RequestCondition =>
  ({ request }) =>
    form.test(request.path);
const setFinalStatus =
  (status: number): Overrides =>
  (base) => ({ finish: (response, ctx) => ({ ...base.finish(response, ctx), status }) });
const isWrongMethod = refusedFor('wrong-method');

/** Faults in which an endpoint is missing or has the wrong path or method, or a wrong method or path succeeds. */
export const endpointFaults: readonly Fault[] = [
  {
    id: 'endpoint/chat-absent',
    about: 'Does not offer the operation `chat`.',
    violates: ['endpoints/chat'],
    setup: () => ({ extraOperations: { chat: null } }),
  },
  {
    id: 'endpoint/chat-without-version',
    about: 'Serves `chat` at `/chat/completions` instead of `/v1/chat/completions`.',
    violates: ['endpoints/chat'],
    setup: () => ({ extraOperations: { chat: 'POST /chat/completions' } }),
  },
  {
    id: 'endpoint/responses-absent',
    about: 'Does not offer the operation `responses`.',
    violates: ['endpoints/responses'],
    setup: () => ({ extraOperations: { responses: null } }),
  },
  {
    id: 'endpoint/responses-by-put',
    about: 'Serves `responses` with PUT instead of POST.',
    violates: ['endpoints/responses'],
    setup: () => ({ extraOperations: { responses: 'PUT /v1/responses' } }),
  },
  {
    id: 'endpoint/models-absent',
    about: 'Offers no model list.',
    violates: ['endpoints/models'],
    setup: () => ({ extraOperations: { models: null } }),
  },
  {
    id: 'endpoint/models-by-post',
    about: 'Serves the model list with POST instead of GET.',
    violates: ['endpoints/models'],
    setup: () => ({ extraOperations: { models: 'POST /v1/models' } }),
  },
  {
    id: 'endpoint/messages-absent',
    about: 'Responds to calls of family B with 404.',
    violates: ['endpoints/stated', 'model-error/other-statuses'],
    setup: withDecisions(applyWhere(onOperation('messages'), setFinalStatus(404))),
  },
  {
    id: 'endpoint/generate-by-another-method',
    about: 'Responds to `generate` calls with 405.',
    violates: ['endpoints/stated', 'model-error/other-statuses'],
    setup: withDecisions(applyWhere(onOperation('generate'), setFinalStatus(405))),
  },
  {
    id: 'endpoint/usage-by-another-method',
    about: 'Responds to usage requests with 405.',
    violates: ['endpoints/stated-billing', 'billing-error/other-statuses'],
    setup: withDecisions(applyWhere(onOperation('usage'), setFinalStatus(405))),
  },
  {
    id: 'endpoint/records-absent',
    about: 'Responds to requests for a request record with 405.',
    violates: ['endpoints/stated-billing', 'billing-error/other-statuses'],
    setup: withDecisions(applyWhere(onOperation('record'), setFinalStatus(405))),
  },
  {
    id: 'endpoint/records-not-routed',
    about:
      'Responds to requests for a request record with 404 in plain text, as a router does for unknown paths.',
    violates: ['endpoints/stated-billing', 'billing-error/json-object'],
    setup: withDecisions(
      applyWhere(
        onOperation('record'),
        combineOverrides(sendText('text/plain', '404 page not found'), setFinalStatus(404)),
      ),
    ),
  },
  {
    id: 'endpoint/generate-under-v1',
    about: 'Serves `generate` under `/v1/models`.',
    violates: ['endpoints/family-c-prefix'],
    setup: () => ({ profile: { operations: { generate: 'POST /v1/models/{model}:generateContent' } } }),
  },
  {
    id: 'endpoint/stream-generate-under-a-name',
    about: 'Serves `streamGenerate` under `/gemini`.',
    violates: ['endpoints/family-c-prefix'],
    setup: () => ({
      profile: {
        operations: { streamGenerate: 'POST /gemini/v1beta/models/{model}:streamGenerateContent?alt=sse' },
      },
    }),
  },
  {
    id: 'endpoint/usage-under-dashboard',
    about: 'Serves the usage endpoint under `/dashboard`.',
    violates: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { usage: 'GET /dashboard/usage?start_time={start}&end_time={end}' } },
    }),
  },
  {
    id: 'endpoint/record-under-v2',
    about: 'Serves the record endpoint under `/v2`.',
    violates: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { record: 'GET /v2/billing/requests?request_id={request_id}' } },
    }),
  },
  {
    id: 'endpoint/balance-under-user',
    about: 'Serves the balance endpoint under `/user`.',
    violates: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { balance: 'GET /user/balance' } },
      decisions: applyWhere(onPath(/^\/user\//), () => ({ chooseErrorShape: () => 'billing' })),
    }),
  },
  {
    id: 'endpoint/internal-error-under-debug',
    about: 'Serves the operation `internalError` under `/debug`.',
    violates: ['endpoints/billing-prefix'],
    setup: () => ({ profile: { operations: { internalError: 'GET /debug/internal-error' } } }),
  },
  {
    id: 'endpoint/any-method-on-chat',
    about: 'Responds to wrong methods with 200 and an error body on `chat` and `responses`.',
    violates: ['endpoints/wrong-method'],
    setup: withDecisions(
      applyWhere(allOf(isWrongMethod, onPath(/^\/v1\/(chat|responses)/)), () => ({
        finish: (response) => ({ ...response, status: 200 }),
      })),
    ),
  },
  {
    id: 'endpoint/any-method-on-lists',
    about: 'Responds to wrong methods with 204 on the model list and billing-type endpoints.',
    violates: ['endpoints/wrong-method'],
    setup: withDecisions(
      applyWhere(allOf(isWrongMethod, onPath(/^\/v1\/(models|billing)/)), () => ({
        finish: (response) => ({ ...response, status: 204, content: { kind: 'nothing' } }),
      })),
    ),
  },
];
