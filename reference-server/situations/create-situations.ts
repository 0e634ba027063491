import type { Setup } from '../combine-setups.ts';
import type { Decisions } from '../decisions/index.ts';
import { faults } from '../faults/index.ts';
import type { Context } from '../gateway/context.ts';
import { createErrorResponse } from '../gateway/error-response.ts';
import { AdminError } from '../gateway/keys.ts';
import { toMilliseconds } from '../gateway/seed.ts';
import { findContext } from '../script/create-script.ts';
import { scriptedFailure } from '../script/scripted-failure.ts';
import { variants } from '../variants/index.ts';
import type { WireResponse } from '../wire/response.ts';
import { cutAfter } from '../wire/wire-changes.ts';
import { readSituation, type Situation, type Situations } from './situation.ts';

type Active = { readonly id: number; readonly situation: Situation; used: number };

/** The situations of a gateway, and how they change it. */
export type SituationSwitches = {
  readonly situations: Situations;
  /** The errors, pauses and broken streams. */
  readonly setup: Setup;
  /** Takes the faults and variants of the next request; the key is the same for the same ones. */
  readonly takeSetups: (isUsed: boolean) => {
    readonly key: string;
    readonly setups: readonly (() => Setup)[];
  };
};

const nothing = { key: '', setups: [] } as const;

/** Creates a gateway's situations, none of which is switched on. */
export function createSituations(): SituationSwitches {
  let active: Active[] = [];
  let count = 0;

  const isUsable = ({ situation: { times = Number.POSITIVE_INFINITY }, used }: Active): boolean =>
    used < times;
  /** Uses the first situation of a kind for this request. */
  function take<Kind extends string>(
    kind: Kind,
    { operation, surface }: Context,
  ): Extract<Situation, { readonly [Name in Kind]: unknown }> | undefined {
    const found = active.find(({ situation, ...rest }) => {
      if (!(kind in situation) || !isUsable({ situation, ...rest })) return false;
      const own = 'operation' in situation ? situation.operation : undefined;
      if (own !== undefined && own !== operation?.id) return false;
      // The types of section 7.1 and the codes of section 7.2 belong to different endpoints.
      return !('error' in situation) || isBillingCode(situation.error) === (surface === 'billing');
    });
    if (!found) return undefined;
    found.used += 1;
    return found.situation as Extract<Situation, { readonly [Name in Kind]: unknown }>;
  }
  const add = (value: Situation): Active => {
    const made = { id: ++count, situation: readSituation(value), used: 0 };
    active.push(made);
    return made;
  };

  return {
    situations: {
      list: () => active.map((item) => ({ ...item })),
      add: (value) => ({ ...add(value) }),
      remove(id) {
        if (!active.some((item) => item.id === id))
          throw new AdminError('unknown', `No situation has the ID ${id}.`);
        active = active.filter((item) => item.id !== id);
      },
      set(situations) {
        const valid = situations.map(readSituation);
        active = [];
        for (const situation of valid) add(situation);
      },
    },
    takeSetups(isUsed) {
      if (active.length === 0) return nothing;
      const used = active.filter(
        (item) => ('fault' in item.situation || 'variant' in item.situation) && isUsable(item),
      );
      if (isUsed) for (const item of used) item.used += 1;
      return {
        key: used.map(({ id }) => id).join(' '),
        setups: used.map(({ situation }) => setupOf(situation)),
      };
    },
    setup: {
      decisions: (base) => ({
        shortCircuit(start) {
          const found = active.length === 0 ? undefined : take('error', start);
          if (!found) return base.shortCircuit(start);
          const { error, retryAfter } = found;
          return findContext(start, base).then((ctx) => ({
            result: { kind: 'refused', failure: scriptedFailure(error, ctx, retryAfter) },
            ctx,
          }));
        },
        transmit(wire, ctx) {
          const sent = base.transmit(wire, ctx);
          if (active.length === 0) return sent;
          const latency = take('latency', ctx)?.latency;
          const late =
            latency === undefined ? sent : { ...sent, after: sent.after + toMilliseconds(latency) };
          if (late.framing !== 'chunked') return late;
          const broken = take('breakStream', ctx);
          if (broken) return cutAfter(late, broken.breakStream);
          const failing = take('streamError', ctx);
          if (!failing) return late;
          return failInside(late, failing, ctx, base);
        },
      }),
    },
  };
}

/** A response whose stream ends with an error event after some chunks. */
function failInside(
  wire: WireResponse,
  { streamError, afterChunks = 1 }: Extract<Situation, { readonly streamError: unknown }>,
  ctx: Context,
  decide: Decisions,
): WireResponse {
  const { content } = createErrorResponse(scriptedFailure(streamError, ctx), ctx, decide);
  const value = content.kind === 'json' ? content.value : null;
  // Family B names its events.
  const event = { name: ctx.family === 'B' ? 'error' : undefined, data: value };
  const data = decide.frameEvent(event, decide.serialise(value, ctx), ctx);
  return { ...wire, chunks: [...wire.chunks.slice(0, afterChunks), { after: decide.pace(ctx), data }] };
}

const billingErrors: readonly string[] = [
  'invalid_request',
  'not_found',
  'rate_limit_exceeded',
  'internal_error',
];

function isBillingCode(error: string): boolean {
  return billingErrors.includes(error);
}

function setupOf(situation: Situation): () => Setup {
  const [known, id] =
    'fault' in situation ? [faults, situation.fault] : [variants, Reflect.get(situation, 'variant')];
  return known.find((item) => item.id === id)?.setup ?? (() => ({}));
}
