import type { Setup } from '../combine-setups.ts';
import type { Decisions } from '../decisions/index.ts';
import { faults } from '../faults/index.ts';
import type { Context } from '../gateway/context.ts';
import { createErrorResponse } from '../gateway/error-response.ts';
import { AdminError } from '../gateway/keys.ts';
import { toMilliseconds } from '../gateway/seed.ts';
import { findContext } from '../script/create-script.ts';
import { createScriptedFailure } from '../script/scripted-failure.ts';
import { variants } from '../variants/index.ts';
import type { WireResponse } from '../wire/response.ts';
import { cutAfter } from '../wire/wire-changes.ts';
import { isBillingCode, readSituation, type Situation, type Situations } from './situation.ts';

type Active = { readonly id: number; readonly situation: Situation; used: number };

/** The situations of a gateway, and the setups that apply the situations. */
export type SituationSwitches = {
  readonly situations: Situations;
  /** The setup of a gateway that applies errors, pauses, broken streams and errors inside streams. */
  readonly setup: Setup;
  /**
   * Returns the setups of the active faults and variants. If `isUsed` is true, counts a request for each active fault
   * and variant. Calls with an equal `key` return the same setups. `key` is empty if no fault or variant is active.
   */
  readonly takeSetups: (isUsed: boolean) => {
    readonly key: string;
    readonly setups: readonly (() => Setup)[];
  };
};

const nothing = { key: '', setups: [] } as const;

/** Creates the situations of a gateway. Initially, no situation is switched on. */
export function createSituations(): SituationSwitches {
  let active: Active[] = [];
  let count = 0;

  const isUsable = ({ situation: { times = Number.POSITIVE_INFINITY }, used }: Active): boolean =>
    used < times;
  /**
   * Returns the first result of `select` for a situation that applies to the request and is not used up; undefined if
   * no situation has a result. Counts the request for the situation with the result.
   */
  function take<Found>(
    { operation, surface }: Context,
    select: (situation: Situation) => Found | undefined,
  ): Found | undefined {
    for (const item of active) {
      const { situation } = item;
      const own = 'operation' in situation ? situation.operation : undefined;
      // A type of section 7.1 applies to model endpoints, a code of section 7.2 to billing-type endpoints.
      const isElsewhere = 'error' in situation && isBillingCode(situation.error) !== (surface === 'billing');
      const found = select(situation);
      if (found === undefined || isElsewhere || !isUsable(item)) continue;
      if (own !== undefined && own !== operation?.id) continue;
      item.used += 1;
      return found;
    }
    return undefined;
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
          throw new AdminError(
            'unknown',
            `No situation has the ID "${id}". Use an ID from the list of situations.`,
          );
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
          const found =
            active.length === 0 ? undefined : take(start, (item) => ('error' in item ? item : undefined));
          if (!found) return base.shortCircuit(start);
          const { error, retryAfter } = found;
          return findContext(start, base).then((ctx) => ({
            result: { kind: 'refused', failure: createScriptedFailure(error, ctx, retryAfter) },
            ctx,
          }));
        },
        transmit(wire, ctx) {
          const sent = base.transmit(wire, ctx);
          if (active.length === 0) return sent;
          const latency = take(ctx, (item) => ('latency' in item ? item.latency : undefined));
          const late =
            latency === undefined
              ? sent
              : { ...sent, after: sent.after + toMilliseconds(latency, 'latency') };
          if (late.framing !== 'chunked') return late;
          const broken = take(ctx, (item) => ('breakStream' in item ? item.breakStream : undefined));
          if (broken !== undefined) return cutAfter(late, broken);
          const failing = take(ctx, (item) => ('streamError' in item ? item : undefined));
          if (!failing) return late;
          return failInside(late, failing, ctx, base);
        },
      }),
    },
  };
}

/** Replaces the part of a stream after `afterChunks` chunks (default: 1) with an error event. */
function failInside(
  wire: WireResponse,
  { streamError, afterChunks = 1 }: Extract<Situation, { readonly streamError: unknown }>,
  ctx: Context,
  decide: Decisions,
): WireResponse {
  const { content } = createErrorResponse(createScriptedFailure(streamError, ctx), ctx, decide);
  const value = content.kind === 'json' ? content.value : null;
  // In family B, an error event has a name.
  const event = { name: ctx.family === 'B' ? 'error' : undefined, data: value };
  const data = decide.frameEvent(event, decide.serializeJson(value, ctx), ctx);
  return {
    ...wire,
    chunks: [...wire.chunks.slice(0, afterChunks), { after: decide.choosePause(ctx), data }],
  };
}

function setupOf(situation: Situation): () => Setup {
  const [known, id] =
    'fault' in situation ? [faults, situation.fault] : [variants, Reflect.get(situation, 'variant')];
  return known.find((item) => item.id === id)?.setup ?? (() => ({}));
}
