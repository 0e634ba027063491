import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import {
  accepts,
  allOf,
  isBrowser,
  isRefused,
  isStreamed,
  not,
  onOperation,
  onSurface,
  type RequestCondition,
  refusedFor,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, crash, replaceTraceHeader, sendText, setStatus } from './overrides.ts';

const acceptsAnything = accepts(/^\*\/\*$/);
const hasNoAccept: RequestCondition = ({ request }) => request.headers.accept === undefined;

const page = sendText('text/html', '<html><body><h1>Sign in</h1></body></html>');
const setFinalStatus =
  (status: number): Overrides =>
  (base) => ({ finish: (response, ctx) => ({ ...base.finish(response, ctx), status }) });
const signIn = combineOverrides(page, setFinalStatus(200));

/**
 * Faults in which the header `accept` wrongly changes the response. A browser is a client whose `accept` begins with
 * `text/html`.
 */
export const acceptHeaderFaults: readonly Fault[] = [
  {
    id: 'accept/sign-in-page',
    about: 'Responds with 200 and an HTML page to a browser without a valid key.',
    violates: ['accept/missing-credential', 'accept/bad-key'],
    setup: withDecisions(applyWhere(allOf(isBrowser, refusedFor('missing-credential', 'bad-key')), signIn)),
  },
  {
    id: 'accept/sign-in-redirect',
    about: 'Responds with 302 to a browser without a key on billing-type endpoints and the model list.',
    violates: ['accept/missing-credential'],
    setup: withDecisions(
      applyWhere(
        allOf(isBrowser, onSurface('billing', 'list'), refusedFor('missing-credential')),
        setFinalStatus(302),
      ),
    ),
  },
  {
    id: 'accept/bad-key-forbidden',
    about: 'Responds with 403 to a wrong or deleted key from a browser.',
    violates: ['accept/bad-key'],
    setup: withDecisions(applyWhere(allOf(isBrowser, refusedFor('bad-key')), setStatus(403))),
  },
  {
    id: 'accept/invalid-request-page',
    about:
      'Responds with 200 and an HTML page to a browser if a member of the body is invalid or the model is not listed.',
    violates: ['accept/invalid-request'],
    setup: withDecisions(applyWhere(allOf(isBrowser, refusedFor('invalid-body', 'unknown-model')), signIn)),
  },
  {
    id: 'accept/unknown-model-404',
    about: 'Responds with 404 to a browser that requests an unlisted model.',
    violates: ['accept/invalid-request'],
    setup: withDecisions(applyWhere(allOf(isBrowser, refusedFor('unknown-model')), setStatus(404))),
  },
  {
    id: 'accept/error-page',
    about: 'Sends errors to browsers as HTML pages.',
    violates: ['accept/error-body'],
    setup: withDecisions(applyWhere(allOf(isBrowser, isRefused), page)),
  },
  {
    id: 'accept/error-without-trace',
    about: 'Omits `x-trace-id` in errors to browsers.',
    violates: ['accept/error-body'],
    setup: withDecisions(
      applyWhere(
        isBrowser,
        replaceTraceHeader(() => undefined),
      ),
    ),
  },
  {
    id: 'accept/browser-redirected',
    about: 'Responds with 302 to valid requests from browsers.',
    violates: ['accept/valid-call'],
    setup: withDecisions(applyWhere(allOf(isBrowser, not(isRefused)), setFinalStatus(302))),
  },
  {
    id: 'accept/any-not-acceptable',
    about: 'Responds with 406 to a valid request with the header `accept: */*`.',
    violates: [
      'accept/valid-call',
      'models/list-succeeds',
      'streams/succeeds',
      'model-error/other-statuses',
      'billing-error/other-statuses',
    ],
    setup: withDecisions(applyWhere(allOf(acceptsAnything, not(isRefused)), setFinalStatus(406))),
  },
  {
    id: 'accept/stream-not-acceptable',
    about:
      'Responds to a valid streamed call with 406 if its header `accept` does not contain `event-stream`.',
    violates: ['accept/valid-call', 'streams/succeeds'],
    setup: withDecisions(
      applyWhere(allOf(isStreamed, not(accepts(/event-stream/)), not(isRefused)), setFinalStatus(406)),
    ),
  },
  {
    id: 'accept/absent-crash',
    about: 'Crashes and responds with 500 if a request has no header `accept`.',
    violates: [
      'accept/valid-call',
      'auth/missing-credential',
      'auth/bad-bearer-token',
      'auth/billing-missing-credential',
      'chat/messages-missing',
      'models/unlisted',
      'models/list-succeeds',
      'streams/succeeds',
      'auth/bad-x-api-key',
      'auth/bad-x-goog-api-key',
      'auth/billing-bad-x-api-key',
    ],
    setup: withDecisions(applyWhere(hasNoAccept, crash)),
  },
  {
    id: 'accept/errors-as-text',
    about: 'Sends chat errors as plain text if the request has the header `accept: */*`.',
    violates: [
      'auth/missing-credential',
      'auth/bad-bearer-token',
      'chat/messages-missing',
      'models/unlisted',
      'model-error/json-object',
      'model-error/content-type',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('chat'), acceptsAnything, isRefused),
        sendText('text/plain', 'Bad request.'),
      ),
    ),
  },
];
