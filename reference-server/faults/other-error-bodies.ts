import { withDecisions } from '../combine-setups.ts';
import { allOf, byHeader, isStreamed, onOperation, onSurface, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, replaceModelBody, sendText } from './overrides.ts';

const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/**
 * Faults in which errors of the model list, of streamed calls, or about a wrong method do not have the form of
 * section 2.2, or lack headers.
 */
export const otherErrorBodyFaults: readonly Fault[] = [
  {
    id: 'error-body/list-html',
    about: 'Responds to a bad key with an HTML page on the model list.',
    violates: [
      'auth/empty-bearer-token',
      'auth/empty-x-api-key',
      'auth/bad-bearer-token',
      'auth/other-scheme',
      'auth/deleted-bearer-token',
      'auth/bad-x-api-key',
      'auth/deleted-x-api-key',
      'model-error/model-list',
    ],
    setup: withDecisions(
      applyWhere(allOf(onSurface('list'), refusedFor('bad-key')), sendText('text/html', html)),
    ),
  },
  {
    id: 'error-body/list-without-details',
    about: 'Omits `details` in errors of the model list.',
    violates: ['model-error/model-list'],
    setup: withDecisions(
      applyWhere(
        onSurface('list'),
        replaceModelBody(({ details: _, ...error }, trace) => ({ error, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/list-without-trace',
    about: 'Omits `trace_id` in the error bodies of the model list if the request has no key.',
    violates: ['model-error/model-list'],
    setup: withDecisions(
      applyWhere(
        allOf(onSurface('list'), byHeader('none')),
        replaceModelBody((error) => ({ error })),
      ),
    ),
  },
  {
    id: 'error-body/streamed-refusals-bare',
    about: 'Sends `error` with only its type if the body of a streamed call is invalid.',
    violates: ['model-error/streamed'],
    setup: withDecisions(
      applyWhere(
        allOf(isStreamed, refusedFor('invalid-body')),
        replaceModelBody((error, trace) => ({ error: { type: error.type }, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/streamed-refusals-without-code',
    about: 'Omits the code in errors of streamed calls in family C.',
    violates: ['model-error/streamed'],
    setup: withDecisions(
      applyWhere(
        onOperation('streamGenerate'),
        replaceModelBody(({ code: _, ...error }, trace) => ({ error, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/wrong-method-html',
    about: 'Responds to a wrong method with an HTML page.',
    violates: ['model-error/other-statuses', 'billing-error/other-statuses'],
    setup: withDecisions(applyWhere(refusedFor('wrong-method'), sendText('text/html', html))),
  },
  {
    id: 'error-body/wrong-method-code-400',
    about: 'Responds to a wrong method with 405 and the code 400 on model endpoints and the model list.',
    violates: ['model-error/other-statuses'],
    setup: withDecisions(
      applyWhere(
        refusedFor('wrong-method'),
        replaceModelBody((error, trace) => ({ error: { ...error, code: 400 }, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/wrong-method-without-trace-header',
    about: 'Responds to a wrong method without the headers `x-trace-id` and `allow`.',
    violates: ['model-error/other-statuses'],
    setup: withDecisions(applyWhere(refusedFor('wrong-method'), () => ({ listErrorHeaders: () => [] }))),
  },
];
