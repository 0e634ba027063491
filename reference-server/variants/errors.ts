import { withDecisions } from '../combine-setups.ts';
import type { Decisions, Overrides } from '../gateway/decisions.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Variant } from './variant.ts';

const changeErrorBody =
  (change: (body: JsonObject, error: JsonObject) => Json): Overrides =>
  (base) => ({
    createModelErrorBody: (refusal, ctx) => {
      const error: JsonObject = {
        message: refusal.message,
        type: refusal.type,
        code: refusal.status,
        details: refusal.details,
      };
      return change({ error, trace_id: ctx.traceId }, error);
    },
    finish: base.finish,
  });

const setContentType =
  (json: string): Overrides =>
  (base) => ({ contentTypeOf: (kind, ctx) => (kind === 'json' ? json : base.contentTypeOf(kind, ctx)) });

const setSerialiser =
  (serializeJson: Decisions['serializeJson']): Overrides =>
  () => ({ serializeJson });

function reverseMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (!isObject(value)) return value;
  const entries: [string, Json][] = Object.entries(value);
  return Object.fromEntries(entries.reverse().map(([name, member]) => [name, reverseMembers(member)]));
}

const escapeText = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Variants of error bodies and their format: sections 2.2 and 7 leave these choices open. */
export const errorVariants: readonly Variant[] = [
  {
    id: 'errors/more-in-error',
    about: 'Adds members to `error`: a parameter, a link and a list of problems.',
    setup: withDecisions(
      changeErrorBody((body, error) => ({
        ...body,
        error: {
          ...error,
          param: null,
          doc_url: 'https://gateway.example/docs',
          errors: [{ at: 'somewhere' }],
        },
      })),
    ),
  },
  {
    id: 'errors/more-beside-error',
    about: 'Adds members at the top level, including a type, a code and a message.',
    setup: withDecisions(
      changeErrorBody((body) => ({
        type: 'error',
        code: 'E_REQUEST',
        message: 'See error.',
        success: false,
        data: null,
        ...body,
      })),
    ),
  },
  {
    id: 'errors/details-always-an-object',
    about: 'Sends an empty object as `details` instead of null.',
    setup: withDecisions((base) => ({
      errorDetailsOf: (failure, ctx) => base.errorDetailsOf(failure, ctx) ?? {},
    })),
  },
  {
    id: 'errors/details-tell-more',
    about: 'Adds the path of the request and hints to the `details` of errors.',
    setup: withDecisions((base) => ({
      errorDetailsOf: (failure, ctx) => ({
        ...base.errorDetailsOf(failure, ctx),
        path: ctx.request.path,
        hints: ['Read the documentation.'],
        recharge_url_hint: null,
      }),
    })),
  },
  {
    id: 'errors/other-types-elsewhere',
    about: 'Sends types that section 7.1 does not list in errors with statuses other than 400, 401 and 402.',
    setup: withDecisions((base) => ({
      errorTypeOf: (failure, ctx) =>
        [400, 401, 402].includes(base.errorStatusOf(failure, ctx))
          ? base.errorTypeOf(failure, ctx)
          : `${failure.kind}_error`,
    })),
  },
  {
    id: 'errors/code-with-a-fraction',
    about: 'Writes `error.code` with a fraction, such as `400.0`, which is an integer in JSON Schema.',
    setup: withDecisions(
      setSerialiser((value) => JSON.stringify(value).replace(/"code":(\d{3})([,}])/g, '"code":$1.0$2')),
    ),
  },
  {
    id: 'errors/code-with-an-exponent',
    about: 'Writes `error.code` with an exponent, such as `4.00E+2`.',
    setup: withDecisions(
      setSerialiser((value) =>
        JSON.stringify(value).replace(/"code":(\d)(\d\d)([,}])/g, '"code":$1.$2E+2$3'),
      ),
    ),
  },
  {
    id: 'errors/pretty-printed',
    about: 'Indents JSON and adds a line break at the end.',
    setup: withDecisions(setSerialiser((value) => `${JSON.stringify(value, null, '\t')}\r\n`)),
  },
  {
    id: 'errors/reordered',
    about: 'Writes the members of every object in reverse order.',
    setup: withDecisions(setSerialiser((value) => JSON.stringify(reverseMembers(value)))),
  },
  {
    id: 'errors/escaped',
    about: 'Writes names and strings with escapes that JSON allows.',
    setup: withDecisions((base) => ({
      errorMessageOf: (failure, ctx) => `‘${base.errorMessageOf(failure, ctx)}’ — 错误 🙅`,
      serializeJson: (value) =>
        escapeText(JSON.stringify(value)).replaceAll('"error":', '"\\u0065rror":').replaceAll('/', '\\/'),
    })),
  },
  {
    id: 'errors/unescaped',
    about: 'Writes characters of many scripts without escapes.',
    setup: withDecisions((base) => ({
      errorMessageOf: (failure, ctx) => `‘${base.errorMessageOf(failure, ctx)}’ — 错误 🙅 \u2028 \ufeff`,
      createReplyText: () => 'Grüße, 你好, 👋🏽.',
    })),
  },
  {
    id: 'errors/problem-json',
    about: 'Sends JSON with the content type `application/problem+json`.',
    setup: withDecisions(setContentType('application/problem+json')),
  },
  {
    id: 'errors/odd-charset',
    about: 'Writes the content type in mixed case, with quotes, spaces and parameters.',
    setup: withDecisions(setContentType('Application/JSON ;  Charset="UTF-8"; profile=gateway')),
  },
  {
    id: 'errors/plain-content-type',
    about: 'Sends the content type `application/json` without a charset.',
    setup: withDecisions(setContentType('application/json')),
  },
  {
    id: 'errors/text-content-type',
    about: 'Sends JSON with the content type `text/plain`.',
    warns: ['model-error/content-type'],
    setup: withDecisions(setContentType('text/plain; charset=utf-8')),
  },
  {
    id: 'errors/no-content-type',
    about: 'Sends responses without a content type.',
    warns: ['model-error/content-type'],
    setup: withDecisions(() => ({
      transmit: (wire) => ({
        ...wire,
        headers: wire.headers.filter(([name]) => name.toLowerCase() !== 'content-type'),
      }),
    })),
  },
];
