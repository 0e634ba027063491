import type { Setup } from '../combine-setups.ts';
import type { Decisions } from '../decisions/index.ts';
import type { Instead } from '../decisions/short-circuit.ts';
import type { Context, GatewayRequest } from '../gateway/context.ts';
import { milliseconds } from '../gateway/seed.ts';
import { cutAfter, withHeaders } from '../wire/wire-changes.ts';
import { matches } from './matches.ts';
import type { ScriptAnswer, ScriptRule } from './rule.ts';
import { scriptedResponse } from './scripted-response.ts';

/** Rules that answer requests in place of the gateway, and can be exchanged while it runs. */
export type Script = {
  readonly setup: Setup;
  /** Puts these rules in the place of those before; none of them is used up yet. */
  readonly replace: (rules: readonly ScriptRule[]) => void;
};

/** A script of these rules. */
export function createScript(rules: readonly ScriptRule[]): Script {
  let live = rules.map(open);
  return {
    replace: (others) => {
      live = others.map(open);
    },
    setup: {
      decisions: (base) => {
        const given = new WeakMap<GatewayRequest, ScriptAnswer>();
        const byRule = async (start: Context): Promise<Instead | undefined> => {
          const ctx = await look(start, base);
          const answer = live.find((rule) => rule.isOpen() && matches(rule.match, ctx))?.next();
          if (answer === undefined) return base.instead(start);
          given.set(ctx.request, answer);
          const response = scriptedResponse(answer, ctx, base);
          return response && { response, ctx };
        };
        return {
          instead: (start) => (live.length === 0 ? base.instead(start) : byRule(start)),
          replyText: (model, ctx) => {
            const answer = given.get(ctx.request);
            return answer && 'text' in answer ? answer.text : base.replyText(model, ctx);
          },
          transmit: (wire, ctx) => {
            const answer = given.get(ctx.request);
            const sent = base.transmit(wire, ctx);
            if (answer === undefined) return sent;
            const { headers, retryAfter, after, cut } = answer;
            const headed = withHeaders(sent, {
              ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
              ...headers,
            });
            const late = after === undefined ? headed : { ...headed, after: milliseconds(after) };
            return cut === undefined ? late : cutAfter(late, cut);
          },
        };
      },
    },
  };
}

function open({ match = {}, answer, times }: ScriptRule) {
  const isList = Array.isArray(answer);
  const answers: readonly ScriptAnswer[] = [answer].flat();
  const most = answers.length * (times ?? (isList ? 1 : Number.POSITIVE_INFINITY));
  let used = 0;
  return {
    match,
    isOpen: () => used < most,
    next: () => {
      used += 1;
      return answers[(used - 1) % answers.length];
    },
  };
}

/** All that a rule may ask about a request, found out as the gateway itself would, and judged by nothing. */
async function look(start: Context, decide: Decisions): Promise<Context> {
  // Where nothing is, any header may carry a key.
  const accepted = start.operation
    ? decide.acceptedHeaders(start)
    : (['bearer', 'x-api-key', 'x-goog-api-key'] as const);
  const credential = decide.credentialOf(accepted, start);
  const presented = { ...start, credential };
  const key = credential.header === 'none' ? undefined : decide.findKey(credential, presented);
  const read = await start.request.readBody(decide.bodyLimit(presented));
  const parsed = read.kind === 'read' ? decide.parseBody(read.bytes, presented) : undefined;
  const body = parsed && 'value' in parsed ? parsed.value : undefined;
  const asked = { ...presented, key, body };
  const modelId = decide.modelIdOf(asked);
  const model = modelId === undefined ? undefined : decide.findModel(modelId, asked);
  return { ...asked, modelId, model, streamed: decide.wantsStream({ ...asked, modelId, model }) };
}
