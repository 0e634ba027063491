import { combineSetups, type Setup } from './combine-setups.ts';
import { operations } from './gateway/operations.ts';
import type { ScriptRule } from './script/rule.ts';
import { cutAfter } from './wire/wire-changes.ts';

/** Options for slow, broken and throttled responses. */
export type FaultInjectionOptions = {
  /**
   * The pause before the first byte of a response, in milliseconds. The property `after` of a script rule replaces
   * this pause. Default: 0.
   */
  readonly latencyMs?: number;
  /**
   * The number of chunks after which the connection of every streamed response breaks. Default: streams do not break.
   */
  readonly breakStream?: number;
  /**
   * The number of requests of each operation that get 429 and `Retry-After: 1` after the start, and again after each
   * call of `script()` and `reset()`. Default: 0.
   */
  readonly throttle?: number;
};

/** Creates the setup of a gateway with late responses, broken streams, or both, as the options state. */
export function createFaultInjection({ latencyMs, breakStream }: FaultInjectionOptions): Setup {
  const late: Setup = {
    decisions: (base) => ({
      transmit: (wire, ctx) => {
        const sent = base.transmit(wire, ctx);
        return { ...sent, after: sent.after + (latencyMs ?? 0) };
      },
    }),
  };
  const broken: Setup = {
    decisions: (base) => ({
      transmit: (wire, ctx) => {
        const sent = base.transmit(wire, ctx);
        return sent.framing === 'chunked' ? cutAfter(sent, breakStream ?? 0) : sent;
      },
    }),
  };
  return combineSetups([
    ...(latencyMs === undefined ? [] : [late]),
    ...(breakStream === undefined ? [] : [broken]),
  ]);
}

/** Creates the script rules that answer the first requests of each operation with 429. */
export function createThrottleRules({ throttle }: FaultInjectionOptions): readonly ScriptRule[] {
  if (throttle === undefined || throttle === 0) return [];
  return Object.values(operations).map(({ id }) => ({
    match: { operation: id },
    answer: { error: 'rate_limit_exceeded' },
    times: throttle,
  }));
}
