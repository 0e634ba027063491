import type { Decisions, Overrides } from '../../../reference-server/decisions/index.ts';
import type { Context } from '../../../reference-server/gateway/context.ts';
import { isObject, objectsIn } from '../../../reference-server/json.ts';
import { refuseRequest } from '../../../reference-server/variants/responses.ts';
import type { ExchangeReport } from '../../../runner/report/report.ts';

/** A gateway with a defect that no request of the suites meets. */
export interface Planted {
  readonly about: string;
  readonly decisions: Overrides;
  /** The requirement that is broken. */
  readonly breaks: string;
  /** What of the smallest request is looked at. */
  readonly look: (request: ExchangeReport['request']) => string;
  /** What that is, or how it looks. */
  readonly smallest: string | RegExp;
}

const bodyOf = ({ body }: ExchangeReport['request']): string => body?.text ?? '';
const keyOf = ({ headers }: ExchangeReport['request']): string =>
  (headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'] ?? '').replace('Bearer ', '');
const queryOf = ({ url }: ExchangeReport['request']): string => new URL(url).search;

const carriesKey = ({ request: { headers } }: Context): boolean =>
  ['authorization', 'x-api-key', 'x-goog-api-key'].some((name) => headers[name] !== undefined);

const crashIf =
  (breaks: (ctx: Context) => boolean): Overrides =>
  (base) => ({
    finish: (answer, ctx) => (breaks(ctx) ? refuseRequest({ kind: 'internal' }, ctx, base) : answer),
  });

/** Keys are also found by what `alike` makes of them. */
const keysBy =
  (alike: (sent: string, own: string) => boolean): Overrides =>
  (base) => ({
    findKey: (credential, ctx) =>
      base.findKey(credential, ctx) ??
      ctx.state.keys.find(({ value, deleted }) => !deleted && alike(credential.value, value)),
  });

const parse =
  (
    change: (text: string, base: Decisions, ctx: Context) => ReturnType<Decisions['parseBody']> | undefined,
  ): Overrides =>
  (base) => ({
    parseBody: (bytes, ctx) => change(Buffer.from(bytes).toString(), base, ctx) ?? base.parseBody(bytes, ctx),
  });

const differences = (a: string, b: string): number =>
  a.length === b.length ? [...a].filter((letter, index) => letter !== b[index]).length : -1;

export const planted: Readonly<Record<string, Planted>> = {
  'fifth item unchecked': {
    about: 'Of a chat body, the messages from the fifth on are not checked.',
    decisions: (base) => ({
      findBodyProblem: (body, ctx) => {
        const fault = base.findBodyProblem(body, ctx);
        return fault && /^messages\[([4-9]|\d\d)/.test(fault.place) ? undefined : fault;
      },
    }),
    breaks: 'chat/content-string',
    look: (request) => {
      const sent: { messages: unknown[] } = JSON.parse(bodyOf(request));
      return JSON.stringify(sent.messages);
    },
    smallest:
      /^\[({"role":"(system|user|assistant)","content":"[^"]+"},){4}{"role":"[a-z]+","content":(0|false|{})}\]$/,
  },
  'member names beyond ASCII': {
    about: 'A member name with a letter beyond ASCII breaks the parser.',
    decisions: crashIf(({ body }) =>
      [...objectsIn(body)].some((object) => Object.keys(object).some((name) => /[^\x20-\x7e]/.test(name))),
    ),
    breaks: 'chat/content-string',
    look: (request) => {
      const sent: { messages: { content: unknown }[] } = JSON.parse(bodyOf(request));
      return JSON.stringify(sent.messages.find(({ content }) => isObject(content))?.content);
    },
    smallest: /^\{"[^\x20-\x7e]+":(null|""|0|false|\[\]|\{\})\}$/,
  },
  'a short piece': {
    about: 'A body that ends within its first thirty letters breaks the parser.',
    decisions: parse((text) =>
      /^\{[^}]{0,28}$/su.test(text) ? { failure: { kind: 'internal' } } : undefined,
    ),
    breaks: 'requests/body-json',
    look: bodyOf,
    smallest: '{',
  },
  'a bracket too many': {
    about: 'A body with a closing bracket too many is mended, but not at its end.',
    decisions: parse((text) => {
      for (const { index } of text.matchAll(/[}\]](?=[{["])/g)) {
        const value = jsonOf(text.slice(0, index) + text.slice(index + 1));
        if (isObject(value)) return { value };
      }
      return undefined;
    }),
    breaks: 'requests/body-json',
    look: bodyOf,
    smallest: /^[\]}]\{"/,
  },
  'escapes before the key': {
    about: 'A body with an escaped letter breaks the parser before anybody asks for the key.',
    decisions: (base) => ({
      checks: (ctx) => {
        const made = base.checks(ctx);
        return made.includes('body') ? ['body', ...made.filter((check) => check !== 'body')] : made;
      },
      parseBody: (bytes, ctx) =>
        /\\u[0-9a-f]{4}/.test(Buffer.from(bytes).toString()) && !carriesKey(ctx)
          ? { failure: { kind: 'internal' } }
          : base.parseBody(bytes, ctx),
    }),
    breaks: 'streams/missing-credential',
    look: (request) => JSON.stringify(bodyOf(request).match(/(\\u[0-9a-f]{4})+/)?.[0]),
    smallest: /^"(\\\\u[0-9a-f]{4}){1,2}"$/,
  },
  'escaped slash in a model': {
    about: 'A model ID with an escaped slash ends in an internal error.',
    decisions: crashIf(({ modelId, model }) => !model && modelId?.includes('%2F') === true),
    breaks: 'models/unlisted',
    look: (request) => String(JSON.parse(bodyOf(request)).model),
    smallest: /^conformance-%2F[0-9a-f]{16}$/,
  },
  'colon in a model': {
    about: 'What a model ID of chat has behind a colon makes it a variant of any model.',
    decisions: (base) => ({
      findModel: (id, ctx) =>
        base.findModel(ctx.family === 'A' && id.includes(':') ? 'gpt-reference' : id, ctx),
    }),
    breaks: 'models/unlisted',
    look: (request) => String(JSON.parse(bodyOf(request)).model),
    smallest: /^conformance-:[0-9a-f]{16}$/,
  },
  'a letter more in a key': {
    about: 'A key with one letter too many in its middle is taken.',
    decisions: keysBy((sent, own) =>
      [...sent].some((_, at) => at > 2 && at < own.length && sent.slice(0, at) + sent.slice(at + 1) === own),
    ),
    breaks: 'auth/bad-bearer-token',
    look: keyOf,
    smallest: '{{keys.valid:insert-a-3}}',
  },
  'one letter of a key in the other case': {
    about: 'Of a key, one letter may be written in the other case.',
    decisions: keysBy(
      (sent, own) => differences(sent, own) === 1 && sent.toLowerCase() === own.toLowerCase(),
    ),
    breaks: 'auth/bad-bearer-token',
    look: keyOf,
    smallest: '{{keys.valid:flip-3}}',
  },
  'the end of a key, but its last letter': {
    about: 'Of a key, all but some letters shortly before its end, and the length, are compared.',
    decisions: keysBy(
      (sent, own) =>
        sent.length === own.length && sent.slice(0, 36) + sent.slice(41) === own.slice(0, 36) + own.slice(41),
    ),
    breaks: 'auth/bad-bearer-token',
    look: keyOf,
    smallest: /^\{\{keys\.valid:(replace-a|flip|swap)-(3[5-9]|40)\}\}$/,
  },
  'letters past f near the beginning': {
    about: 'Of a UUID, only the first letter and the last group are looked at.',
    decisions: () => ({
      isRequestId: (text) => /^[0-9a-f][0-9a-z]{7}(-[0-9a-z]{4}){3}-[0-9a-f]{12}$/i.test(text),
    }),
    breaks: 'billing/request-id-uuid',
    look: queryOf,
    smallest: /^\?request_id=[0-9a-f][0-9a-f]*g[0-9a-f]*-/,
  },
  'long ranges': {
    about: 'A range of more than two months is taken whichever way it goes.',
    decisions: (base) => ({
      isRange: (start, end, ctx) => start - end > 60 * 86_400_000 || base.isRange(start, end, ctx),
    }),
    breaks: 'billing/range-reversed',
    look: (request) => {
      const query = new URL(request.url).searchParams;
      return String((Number(query.get('start_time')) - Number(query.get('end_time'))) / 86_400);
    },
    smallest: '61',
  },
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
