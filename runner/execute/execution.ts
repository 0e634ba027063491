import type { PlannedCase } from '../plan/plan.ts';
import type { Stop, StopSwitch } from '../transport/deadline.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Controls } from './controls.ts';

/** Everything that was sent for the cases of a plan. */
export interface Execution {
  /** The exchanges of each case, in the order of the cases and of their steps. */
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  /** Retries and controls that belong to no case. */
  readonly others: readonly Exchange[];
  readonly controls: Controls;
  /** Cases of which not every step was sent, and why. */
  readonly incomplete: ReadonlyMap<string, string>;
  /** Why nothing more was sent, if the run was cut short. */
  readonly stopped: Stop | undefined;
}

/** Collects the exchanges of a round. */
export interface ExecutionRecord {
  readonly ofCase: (item: PlannedCase, exchanges: readonly Exchange[]) => void;
  /** A retry or a control that belongs to no case. */
  readonly ofNone: (exchange: Exchange) => void;
  /** Not every step of the case was sent. */
  readonly incomplete: (item: PlannedCase, reason: string) => void;
  /** Everything that was sent so far; it also shows what is sent later. */
  readonly soFar: () => Execution;
}

/** A record without any exchange. */
export function openRecord(controls: Controls, stop: StopSwitch): ExecutionRecord {
  const exchanges = new Map<string, readonly Exchange[]>();
  const others: Exchange[] = [];
  const incomplete = new Map<string, string>();
  return {
    ofCase: (item, own) => void exchanges.set(item.id, own),
    ofNone: (exchange) => void others.push(exchange),
    incomplete: (item, reason) => void incomplete.set(item.id, reason),
    soFar: () => ({ exchanges, others, controls, incomplete, stopped: stop.stopped() }),
  };
}
