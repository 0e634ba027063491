import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { isObject } from '../json.ts';
import type { RequestCondition } from './conditions.ts';

/** Matches requests that are refused because their body is malformed but not empty. */
export const isMalformed: RequestCondition = ({ failure }) =>
  failure?.kind === 'unparseable-body' && !failure.reason.includes('empty');

/** Accepts malformed or empty bodies for which `what` returns true. The gateway then handles a valid body instead. */
export const acceptUnparseable =
  (what: (text: string, ctx: Context) => boolean): Overrides =>
  (base) => ({
    parseBody: (bytes, ctx) => {
      const parsed = base.parseBody(bytes, ctx);
      const text = Buffer.from(bytes).toString();
      if (!('failure' in parsed) || !what(text, ctx)) return parsed;
      return { value: validBody };
    },
  });

// A body that is valid in every protocol.
const validBody = {
  model: 'gpt-reference',
  input: 'hello',
  max_tokens: 1,
  messages: [{ role: 'user', content: 'hello' }],
  contents: [{ parts: [{ text: 'hello' }] }],
};

/** Replaces the model of the valid body with a model of family B for operations of that family. */
export const callClaudeModel: Overrides = (base) => ({
  modelIdOf: (ctx) =>
    ctx.body === validBody && ctx.family === 'B' ? 'claude-reference' : base.modelIdOf(ctx),
});

/** Accepts JSON that is not an object. The gateway then handles a valid body instead. */
export const acceptNonObject: Overrides = (base) => ({
  parseBody: (bytes, ctx) => {
    const parsed = base.parseBody(bytes, ctx);
    return 'failure' in parsed || isObject(parsed.value) ? parsed : { value: validBody };
  },
});
