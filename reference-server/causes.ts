import { type Setup, withDecisions } from './combine-setups.ts';
import type { Origin } from './origin.ts';
import type { ServerRequest } from './wire/request.ts';

/** Why a response is not, or not only, what the specification determines. */
export type Cause = {
  readonly origin: Origin;
  /** The words of `change` that took effect; empty if no rule makes the difference, but other models or code. */
  readonly words: readonly string[];
};

// A request carries no place for this, since the gateway knows nothing of rules.
const causes = new WeakMap<ServerRequest, Cause[]>();

export function noteCause(request: ServerRequest, cause: Cause): void {
  const known = causes.get(request);
  if (known) known.push(cause);
  else causes.set(request, [cause]);
}

/** Returns what was noted for a request, without repetitions. */
export function causesOf(request: ServerRequest): readonly Cause[] {
  const noted = causes.get(request) ?? [];
  return noted.filter(({ origin }, index) => noted.findIndex((one) => one.origin === origin) === index);
}

/** Returns a setup that notes this origin for each request. */
export const noteForAll = (origin: Origin): Setup => ({
  origins: [origin],
  ...withDecisions((base) => ({
    transmit(wire, ctx) {
      noteCause(ctx.request, { origin, words: [] });
      return base.transmit(wire, ctx);
    },
  }))(),
});

/** The words of `change` that leave what the response says, so that a clause determines it as before. */
const harmless: ReadonlySet<string> = new Set([
  'hold',
  'note',
  'forget',
  'first',
  'completion',
  'headers',
  'error',
  'after',
  'untilReleased',
  'cut',
  'close',
  'encode',
  'split',
]);

/** Whether the response says something else than it would say without this cause. */
export const changesResponse = ({ words }: Cause): boolean => words.some((word) => !harmless.has(word));
