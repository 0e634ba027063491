import type { Context } from '../../../reference-server/gateway/context.ts';
import type { Decisions, Overrides } from '../../../reference-server/gateway/decisions.ts';
import { isObject, objectsIn } from '../../../reference-server/json.ts';
import { refuseRequest } from '../../../reference-server/variants/responses.ts';
import type { ExchangeReport } from '../../../runner/report/report.ts';

/** A defect that no request of the suites triggers, so that only generated requests can find the defect. */
export interface PlantedDefect {
  readonly about: string;
  readonly decisions: Overrides;
  /** The requirement that the defect violates. */
  readonly violates: string;
  /** Returns the part of the smallest failing request that shrinking must minimize. */
  readonly extract: (request: ExchangeReport['request'], exchange: ExchangeReport) => string;
  /** The expected result of `extract`, or a pattern for the result. */
  readonly smallest: string | RegExp;
}

const bodyOf = ({ body }: ExchangeReport['request']): string => body?.text ?? '';
const keyOf = ({ headers }: ExchangeReport['request']): string =>
  (headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'] ?? '').replace('Bearer ', '');
const queryOf = ({ url }: ExchangeReport['request']): string => new URL(url).search;

const carriesKey = ({ request: { headers } }: Context): boolean =>
  ['authorization', 'x-api-key', 'x-goog-api-key'].some((name) => headers[name] !== undefined);

/** Responds with an internal error to requests that satisfy the condition. */
export const failIf =
  (breaks: (ctx: Context) => boolean): Overrides =>
  (base) => ({
    finish: (answer, ctx) => (breaks(ctx) ? refuseRequest({ kind: 'internal' }, ctx, base) : answer),
  });

/** Accepts a wrong key if `alike` returns true for the wrong key and a key that is not deleted. */
const acceptKeysLike =
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

export const plantedDefects: Readonly<Record<string, PlantedDefect>> = {
  'fifth message not validated': {
    about: 'In a chat body, the fifth to the tenth message are not validated.',
    decisions: (base) => ({
      findBodyProblem: (body, ctx) => {
        const problem = base.findBodyProblem(body, ctx);
        return problem && /^messages\[[4-9]\]/.test(problem.place) ? undefined : problem;
      },
    }),
    violates: 'chat/content-string',
    extract: (request) => {
      const sent: { messages: unknown[] } = JSON.parse(bodyOf(request));
      return JSON.stringify(sent.messages);
    },
    smallest:
      /^\[({"role":"(system|user|assistant)","content":"[^"]+"},){4}{"role":"[a-z]+","content":(0|false|{})}(,{"role":"user","content":"[^"]+"})?\]$/,
  },
  'member name outside ASCII': {
    about: 'A member name with a character outside ASCII crashes the parser.',
    decisions: failIf(({ body }) =>
      [...objectsIn(body)].some((object) => Object.keys(object).some((name) => /[^\x20-\x7e]/.test(name))),
    ),
    violates: 'chat/content-string',
    extract: (request) => {
      const sent: { messages: { content: unknown }[] } = JSON.parse(bodyOf(request));
      return JSON.stringify(sent.messages.find(({ content }) => isObject(content))?.content);
    },
    smallest: /^\{"[^\x20-\x7e]+":(null|""|0|false|\[\]|\{\})\}$/,
  },
  'body cut off early': {
    about: 'A body that is cut off within its first thirty characters crashes the parser.',
    decisions: parse((text) =>
      /^\{[^}]{0,28}$/su.test(text) ? { failure: { kind: 'internal' } } : undefined,
    ),
    violates: 'requests/body-json',
    extract: bodyOf,
    smallest: '{',
  },
  'additional closing bracket': {
    about: 'A body with one closing bracket too many is repaired, unless the bracket is at the end.',
    decisions: parse((text) => {
      for (const { index } of text.matchAll(/[}\]](?=[{["])/g)) {
        const value = jsonOf(text.slice(0, index) + text.slice(index + 1));
        if (isObject(value)) return { value };
      }
      return undefined;
    }),
    violates: 'requests/body-json',
    extract: bodyOf,
    smallest: /^[\]}]\{"/,
  },
  'body parsed before the key is checked': {
    about:
      'If a request has no credential header, a body with an escaped character crashes the parser before the key is checked.',
    decisions: (base) => ({
      listChecks: (ctx) => {
        const made = base.listChecks(ctx);
        return made.includes('body') ? ['body', ...made.filter((check) => check !== 'body')] : made;
      },
      parseBody: (bytes, ctx) =>
        /\\u[0-9a-f]{4}/.test(Buffer.from(bytes).toString()) && !carriesKey(ctx)
          ? { failure: { kind: 'internal' } }
          : base.parseBody(bytes, ctx),
    }),
    violates: 'streams/missing-credential',
    extract: (request) => JSON.stringify(bodyOf(request).match(/(\\u[0-9a-f]{4})+/)?.[0]),
    smallest: /^"(\\\\u[0-9a-f]{4}){1,2}"$/,
  },
  'escaped slash in a model': {
    about: 'A model ID with an escaped slash causes an internal error.',
    decisions: failIf(({ modelId, model }) => !model && modelId?.includes('%2F') === true),
    violates: 'models/unlisted',
    extract: (request) => String(JSON.parse(bodyOf(request)).model),
    smallest: /^conformance-%2F[0-9a-f]{16}$/,
  },
  'colon in a model': {
    about: 'In family A, a generated model ID with a colon is served by an existing model.',
    decisions: (base) => ({
      findModel: (id, ctx) =>
        base.findModel(ctx.family === 'A' && /^conformance-.*:/.test(id) ? 'gpt-reference' : id, ctx),
    }),
    violates: 'models/unlisted',
    extract: (request) => String(JSON.parse(bodyOf(request)).model),
    smallest: /^conformance-:[0-9a-f]{16}$/,
  },
  'additional letter in a key': {
    about: 'A key with one additional letter in its middle is accepted.',
    decisions: acceptKeysLike((sent, own) =>
      [...sent].some((_, at) => at > 2 && at < own.length && sent.slice(0, at) + sent.slice(at + 1) === own),
    ),
    violates: 'auth/bad-bearer-token',
    extract: keyOf,
    smallest: '{{keys.valid:insert-a-3}}',
  },
  'one letter of a key in the other case': {
    about: 'A key in which one letter has the other case is accepted.',
    decisions: acceptKeysLike(
      (sent, own) => differences(sent, own) === 1 && sent.toLowerCase() === own.toLowerCase(),
    ),
    violates: 'auth/bad-bearer-token',
    extract: keyOf,
    smallest: '{{keys.valid:flip-3}}',
  },
  'letters near the end of a key not compared': {
    about: 'The length of a key is compared, and all of its letters except five near the end.',
    decisions: acceptKeysLike(
      (sent, own) =>
        sent.length === own.length && sent.slice(0, 36) + sent.slice(41) === own.slice(0, 36) + own.slice(41),
    ),
    violates: 'auth/bad-bearer-token',
    extract: keyOf,
    smallest: /^\{\{keys\.valid:(replace-a|flip|swap)-(3[5-9]|40)\}\}$/,
  },
  'letters after f in a UUID': {
    about: 'In a UUID, letters after `f` are accepted, except as the first character and in the last group.',
    decisions: () => ({
      isRequestId: (text) => /^[0-9a-f][0-9a-z]{7}(-[0-9a-z]{4}){3}-[0-9a-f]{12}$/i.test(text),
    }),
    violates: 'billing/request-id-uuid',
    extract: queryOf,
    smallest: /^\?request_id=[0-9a-f][0-9a-f]*g[0-9a-f]*-/,
  },
  'reversed range of more than 60 days': {
    about: 'A reversed time range is accepted if the range is longer than 60 days, but shorter than a year.',
    decisions: (base) => ({
      isRange: (start, end, ctx) =>
        (start - end > 60 * 86_400_000 && start - end < 365 * 86_400_000) || base.isRange(start, end, ctx),
    }),
    violates: 'billing/range-reversed',
    extract: (request) => {
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
