import { deciding, modelBody, onlyWhere, text } from './changes.ts';
import { all, at, by, on, refusedFor, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** Errors of the model list, of streamed requests and of other statuses, whose form should be that of section 2.2. */
export const otherErrorBodyFaults: readonly Fault[] = [
  {
    id: 'error-body/list-html',
    about: 'Answers a bad key with an HTML page on the model list.',
    breaks: [
      'auth/empty-bearer-token',
      'auth/empty-x-api-key',
      'auth/bad-bearer-token',
      'auth/deleted-bearer-token',
      'auth/bad-x-api-key',
      'auth/deleted-x-api-key',
      'model-error/model-list',
    ],
    setup: deciding(onlyWhere(all(at('list'), refusedFor('bad-key')), text('text/html', html))),
  },
  {
    id: 'error-body/list-without-details',
    about: 'Omits `details` in errors of the model list.',
    breaks: ['model-error/model-list'],
    setup: deciding(
      onlyWhere(
        at('list'),
        modelBody(({ details: _, ...error }, trace) => ({ error, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/list-without-trace',
    about: 'Omits the trace ID in errors of the model list if the request has no key.',
    breaks: ['model-error/model-list'],
    setup: deciding(
      onlyWhere(
        all(at('list'), by('none')),
        modelBody((error) => ({ error })),
      ),
    ),
  },
  {
    id: 'error-body/streamed-refusals-bare',
    about: 'Sends only the type as `error` if it refuses the body of a streaming call.',
    breaks: ['model-error/streamed'],
    setup: deciding(
      onlyWhere(
        all(streamed, refusedFor('invalid-body')),
        modelBody((error, trace) => ({ error: { type: error.type }, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/streamed-refusals-without-code',
    about: 'Omits the code in errors of streaming calls in family C.',
    breaks: ['model-error/streamed'],
    setup: deciding(
      onlyWhere(
        on('streamGenerate'),
        modelBody(({ code: _, ...error }, trace) => ({ error, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/wrong-method-html',
    about: 'Answers a wrong method with an HTML page.',
    breaks: ['model-error/other-statuses', 'billing-error/other-statuses'],
    setup: deciding(onlyWhere(refusedFor('wrong-method'), text('text/html', html))),
  },
  {
    id: 'error-body/wrong-method-code-400',
    about: 'Answers a wrong method with 405 and the code 400.',
    breaks: ['model-error/other-statuses'],
    setup: deciding(
      onlyWhere(
        refusedFor('wrong-method'),
        modelBody((error, trace) => ({ error: { ...error, code: 400 }, ...trace })),
      ),
    ),
  },
  {
    id: 'error-body/wrong-method-without-trace-header',
    about: 'Answers a wrong method without the header `x-trace-id`.',
    breaks: ['model-error/other-statuses'],
    setup: deciding(onlyWhere(refusedFor('wrong-method'), () => ({ errorHeaders: () => [] }))),
  },
];
