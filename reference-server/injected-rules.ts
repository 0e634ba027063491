import { operations } from './gateway/operations.ts';
import type { Rule } from './rules/rule.ts';

/** Options for slow, broken and throttled responses, each short for a rule that comes after all others. */
export type InjectionOptions = {
  /** The pause before the first byte of a response, in milliseconds. Default: 0. */
  readonly latencyMs?: number;
  /**
   * The number of chunks after which the connection of every streamed response breaks. Default: streams do not break.
   */
  readonly breakStream?: number;
  /**
   * The number of requests of each operation that get 429 and `Retry-After: 1` after the start, and again after each
   * call of `rules()` and `reset()`. Default: 0.
   */
  readonly throttle?: number;
};

export function createInjectedRules({ latencyMs, breakStream, throttle }: InjectionOptions): readonly Rule[] {
  const rules: Rule[] = [];
  if (throttle !== undefined && throttle > 0)
    rules.push({
      match: { operation: Object.keys(operations), times: throttle, by: ['operation'] },
      change: { refuse: 'too-frequent' },
    });
  if (latencyMs !== undefined) rules.push({ change: { after: `${latencyMs}ms` } });
  if (breakStream !== undefined)
    rules.push({ match: { streamed: true, refused: false }, change: { cut: breakStream } });
  return rules;
}
