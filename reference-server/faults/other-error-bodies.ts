import { deciding, modelBody, onlyWhere, text } from './changes.ts';
import { all, at, by, on, refusedFor, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** Errors of the model list, of streamed requests and of other statuses, whose form should be that of section 2.2. */
export const otherErrorBodyFaults: readonly Fault[] = [
  {
    id: 'error-body/list-html',
    about: 'The model list refuses bad keys with an HTML page.',
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
    about: 'Errors of the model list lack `details`.',
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
    about: 'Errors of the model list have no trace id when no key was sent.',
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
    about: 'Calls that are refused before their stream starts get a bare message.',
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
    about: 'Family C refuses to stream without a code.',
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
    about: 'A wrong method is answered with an HTML page.',
    breaks: ['model-error/other-statuses', 'billing-error/other-statuses'],
    setup: deciding(onlyWhere(refusedFor('wrong-method'), text('text/html', html))),
  },
  {
    id: 'error-body/wrong-method-code-400',
    about: 'A wrong method is answered 405 with the code 400.',
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
    about: 'A wrong method is answered without the header x-trace-id.',
    breaks: ['model-error/other-statuses'],
    setup: deciding(onlyWhere(refusedFor('wrong-method'), () => ({ errorHeaders: () => [] }))),
  },
];
