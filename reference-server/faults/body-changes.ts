import type { Overrides } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import { isObject } from '../json.ts';
import type { Where } from './conditions.ts';

/** Refusals of a body that is not empty and no JSON. */
export const malformed: Where = ({ failure }) =>
  failure?.kind === 'unparseable-body' && !failure.reason.includes('empty');

/** What cannot be parsed is taken for a body that can be answered. */
export const replacing =
  (what: (text: string, ctx: Context) => boolean): Overrides =>
  (base) => ({
    parseBody: (bytes, ctx) => {
      const parsed = base.parseBody(bytes, ctx);
      const text = Buffer.from(bytes).toString();
      if (!('failure' in parsed) || !what(text, ctx)) return parsed;
      return { value: validBody };
    },
  });

// Valid in every protocol.
const validBody = {
  model: 'gpt-reference',
  input: 'hello',
  max_tokens: 1,
  messages: [{ role: 'user', content: 'hello' }],
  contents: [{ parts: [{ text: 'hello' }] }],
};

/** Where such a body stands in for another, family B calls a model of its own. */
export const claude: Overrides = (base) => ({
  modelIdOf: (ctx) =>
    ctx.body === validBody && ctx.family === 'B' ? 'claude-reference' : base.modelIdOf(ctx),
});

/** JSON that is no object is taken for a body that can be answered. */
export const noObjectTaken: Overrides = (base) => ({
  parseBody: (bytes, ctx) => {
    const parsed = base.parseBody(bytes, ctx);
    return 'failure' in parsed || isObject(parsed.value) ? parsed : { value: validBody };
  },
});
