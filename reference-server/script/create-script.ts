import type { Setup } from '../combine-setups.ts';
import type { Decisions } from '../decisions/index.ts';
import type { ShortCircuit } from '../decisions/short-circuit.ts';
import type { Context, GatewayRequest } from '../gateway/context.ts';
import { toMilliseconds } from '../gateway/seed.ts';
import { cutAfter, withHeaders } from '../wire/wire-changes.ts';
import { matchesRule } from './match-rule.ts';
import type { ScriptAnswer, ScriptRule } from './rule.ts';
import { createScriptedResponse } from './scripted-response.ts';

/** Rules that answer requests instead of the gateway. */
export type Script = {
  /** The setup of a gateway that applies the rules. */
  readonly setup: Setup;
  /** Returns the rules in order, each with the number of requests that the rule has answered. */
  readonly rules: () => readonly { readonly rule: ScriptRule; readonly used: number }[];
  /** Replaces all rules. The use counts of the new rules start at zero. */
  readonly replace: (rules: readonly ScriptRule[]) => void;
};

/** Creates a script with these rules. The first rule that matches a request and is not used up answers the request. */
export function createScript(rules: readonly ScriptRule[]): Script {
  let currentRules = rules.map(trackUses);
  return {
    rules: () => currentRules.map(({ rule, uses }) => ({ rule, used: uses() })),
    replace: (others) => {
      currentRules = others.map(trackUses);
    },
    setup: {
      decisions: (base) => {
        const scriptedAnswers = new WeakMap<GatewayRequest, ScriptAnswer>();
        const byRule = async (start: Context): Promise<ShortCircuit | undefined> => {
          const ctx = await findContext(start, base);
          const answer = currentRules.find((rule) => rule.isUsable() && matchesRule(rule.match, ctx))?.next();
          if (answer === undefined) return base.shortCircuit(start);
          scriptedAnswers.set(ctx.request, answer);
          const result = createScriptedResponse(answer, ctx, base);
          return result && { result, ctx };
        };
        return {
          shortCircuit: (start) => (currentRules.length === 0 ? base.shortCircuit(start) : byRule(start)),
          createReplyText: (model, ctx) => {
            const answer = scriptedAnswers.get(ctx.request);
            return answer && 'text' in answer ? answer.text : base.createReplyText(model, ctx);
          },
          transmit: (wire, ctx) => {
            const answer = scriptedAnswers.get(ctx.request);
            const sent = base.transmit(wire, ctx);
            if (answer === undefined) return sent;
            const { headers, retryAfter, after, cut } = answer;
            const headed = withHeaders(sent, {
              ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
              ...headers,
            });
            const late = after === undefined ? headed : { ...headed, after: toMilliseconds(after, 'after') };
            return cut === undefined ? late : cutAfter(late, cut);
          },
        };
      },
    },
  };
}

function trackUses(rule: ScriptRule) {
  const { match = {}, answer, times } = rule;
  const isList = Array.isArray(answer);
  const answers: readonly ScriptAnswer[] = [answer].flat();
  const most = answers.length * (times ?? (isList ? 1 : Number.POSITIVE_INFINITY));
  let used = 0;
  return {
    rule,
    match,
    uses: () => used,
    isUsable: () => used < most,
    next: () => {
      used += 1;
      return answers[(used - 1) % answers.length];
    },
  };
}

/**
 * Returns the context of a request with the properties that conditions of rules need: credential, key, body, model
 * and `streamed`. The decisions of the gateway read these properties, but an invalid property does not cause an error
 * response. Rejects if the client closes the connection before the body is complete.
 */
export async function findContext(start: Context, decide: Decisions): Promise<Context> {
  // On an unknown path, the key can be in any of the three headers.
  const accepted = start.operation
    ? decide.listAcceptedHeaders(start)
    : (['bearer', 'x-api-key', 'x-goog-api-key'] as const);
  const credential = decide.credentialOf(accepted, start);
  const presented = { ...start, credential };
  const key = credential.header === 'none' ? undefined : decide.findKey(credential, presented);
  const read = await start.request.readBody(decide.bodyLimit(presented));
  const parsed = read.kind === 'read' ? decide.parseBody(read.bytes, presented) : undefined;
  const body = parsed && 'value' in parsed ? parsed.value : undefined;
  const known = { ...presented, key, body };
  const modelId = decide.modelIdOf(known);
  const model = modelId === undefined ? undefined : decide.findModel(modelId, known);
  return { ...known, modelId, model, streamed: decide.isStreamRequested({ ...known, modelId, model }) };
}
