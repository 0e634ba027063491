import type { Controls } from './controls.ts';
import type { Exchange } from './exchange.ts';
import type { Execution } from './execute.ts';
import type { CaseRecord } from './send-case.ts';
import type { StopSwitch } from './stop.ts';

/** What is sent for cases, while it is being sent. */
export interface OpenExecution {
  readonly record: CaseRecord;
  /** All of it until now; what comes later is in it too. */
  readonly soFar: () => Execution;
}

/** An execution of which nothing is sent. */
export function openExecution(controls: Controls, stop: StopSwitch): OpenExecution {
  const exchanges = new Map<string, readonly Exchange[]>();
  const others: Exchange[] = [];
  const incomplete = new Map<string, string>();
  return {
    record: {
      ofCase: (item, own) => void exchanges.set(item.id, own),
      ofNone: (exchange) => void others.push(exchange),
      incomplete: (item, reason) => void incomplete.set(item.id, reason),
    },
    soFar: () => ({ exchanges, others, controls, incomplete, stopped: stop.stopped() }),
  };
}
