import type { Shard } from '../../plan/select.ts';
import type { ReachFlags } from '../flags/connection-flags.ts';
import type { BaselineFlags } from '../io/baseline-file.ts';
import type { ConcludeFlags } from '../io/conclude.ts';
import type { TargetFlags } from '../io/target.ts';

/** The flags of `run`; times in milliseconds. */
export interface RunFlags extends TargetFlags, ReachFlags, ConcludeFlags, BaselineFlags {
  readonly target: readonly string[];
  readonly suite: readonly string[];
  readonly only: readonly string[];
  readonly models?: string;
  readonly shard?: Shard;
  readonly repeat: number;
  readonly fuzz?: number;
  readonly seed?: number;
  readonly safe: boolean;
  readonly dryRun: boolean;
  readonly maxBillable?: number;
  readonly reporter: readonly string[];
  readonly bail: boolean;
  readonly maxTime?: number;
  readonly wait: number;
  /** The paths to watch, or that it watches none. */
  readonly watch?: true | readonly string[];
  readonly rate?: number;
  readonly concurrency?: number;
  readonly connectTimeout: number;
  readonly firstByteTimeout: number;
  readonly successTimeout: number;
  readonly idleTimeout: number;
  readonly totalTimeout: number;
  readonly maxBody: number;
}
