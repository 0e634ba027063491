import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { browserCode } from '../../../browser-code.js';
import { packageRoot } from '../../../common/package-root.ts';
import type { Fault } from '../../../reference-server/faults/index.ts';
import type { Variant } from '../../../reference-server/variants/index.ts';
import { createFullPlan } from '../../support/full-plan.ts';
import type { GatewayResult } from '../../support/gateways/judge-gateway.ts';
import { gateways } from './gateways.ts';
import type { CellGroup } from './matrix.ts';
import type { Task, TaskResult } from './worker.ts';

/** A gateway with a fault or with cells of the matrix, or a variant, with the result of the suite for this gateway. */
export type ProofEntry<Gateway> = { readonly gateway: Gateway; readonly judgement: GatewayResult };

/** The results of the suite for the tested gateways. */
export type Proof = {
  /** The faults that have a mechanism of their own. */
  readonly faults: readonly ProofEntry<Fault>[];
  /** The gateways with cells of the matrix. */
  readonly cells: readonly ProofEntry<CellGroup>[];
  readonly variants: readonly ProofEntry<Variant>[];
  /** The IDs of the checked requirements, in the order of the ledger. */
  readonly requirements: readonly string[];
  /** The cases that must find a fault. */
  readonly cases: readonly string[];
};

/** If faults are tested with all cases, every 32nd is also tested with the baseline of its first run. */
const withBaselineEvery = 32;

// Each thread runs several tasks: while some tasks wait for a pause or a connection, others compute.
const tasksPerThread = 6;

/**
 * Tests every gateway whose ID matches `only`, on all cores, but at most four. Without `only`, the cells of the matrix
 * are tested in groups, and otherwise one by one. Variants are tested with all cases. Faults are tested with all cases
 * if `isComplete` is true, and otherwise with the cases of `selectionFor`. Rejects if the run against a gateway fails.
 */
export async function prove(
  only: RegExp | undefined,
  { isComplete }: { readonly isComplete: boolean } = { isComplete: true },
): Promise<Proof> {
  const { promise, plan } = await createFullPlan();
  const tasksOf = (kind: Task['kind']): Task[] =>
    gateways[kind].flatMap(({ id }, index) => ((only?.test(id) ?? true) ? [{ kind, index }] : []));
  const tasksOfFaults = (kind: 'fault' | 'cells' | 'cell'): Task[] =>
    tasksOf(kind).map((task) => {
      if (isComplete) return { ...task, withBaseline: task.index % withBaselineEvery === 0 };
      const fault = gateways[kind][task.index];
      return { ...task, only: fault && selectionFor(fault) };
    });
  const kindOfCells = only ? 'cell' : 'cells';
  // Variants go first, since some variants respond slowly on purpose.
  const judgements = await carryOut([
    ...tasksOf('variant'),
    ...tasksOfFaults('fault'),
    ...tasksOfFaults(kindOfCells),
  ]);
  const proven = <Gateway>(kind: Task['kind'], of: readonly Gateway[]): ProofEntry<Gateway>[] =>
    of.flatMap((gateway, index) => {
      const judgement = judgements.get(`${kind} ${index}`);
      return judgement ? [{ gateway, judgement }] : [];
    });
  return {
    faults: proven('fault', gateways.fault),
    cells: proven(kindOfCells, gateways[kindOfCells]),
    variants: proven('variant', gateways.variant),
    requirements: promise.requirements.map(({ id }) => id),
    cases: plan.cases.filter(({ checks }) => checks.length > 0).map(({ id }) => id),
  };
}

/** Returns the patterns of `--only` for a fault. A fault in shared state has an effect only while requests overlap. */
function selectionFor({ id, violates }: Fault): string[] {
  return [...violates, ...(id.startsWith('shared-state/') ? ['auth/overlapping/*'] : [])];
}

// A worker runs for seconds, and each gateway differs, so that V8 would soon discard early optimizations.
setFlagsFromString('--interrupt-budget=600000');

// A run allocates many short-lived objects. A larger young generation is collected less often.
const resourceLimits = { maxYoungGenerationSizeMb: 96 };

async function carryOut(tasks: readonly Task[]): Promise<Map<string, GatewayResult>> {
  const built = join(packageRoot, 'node_modules', '.cache', `prove-${process.pid}`);
  const file = await bundleWorker(built);
  const judgements = new Map<string, GatewayResult>();
  const pending = [...tasks];
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(file, { resourceLimits });
      let running = 0;
      const next = (): void => {
        for (; running < tasksPerThread && pending.length > 0; running += 1)
          worker.postMessage(pending.shift());
        if (running > 0) return;
        resolve();
        void worker.terminate();
      };
      worker.on('error', reject).on('message', ({ task, judgement, error }: TaskResult) => {
        running -= 1;
        if (judgement) judgements.set(`${task.kind} ${task.index}`, judgement);
        else reject(new Error(`${nameOf(task)}: ${error}`));
        next();
      });
      next();
    });
  await Promise.all(Array.from({ length: Math.max(1, Math.min(4, availableParallelism())) }, work));
  rmSync(built, { recursive: true, force: true });
  return judgements;
}

const nameOf = ({ kind, index }: Task): string => `${kind} ${gateways[kind][index]?.id ?? index}`;

// Node.js 20 cannot load TypeScript in threads, and one bundled file loads faster. The folder is ignored by all tools.
async function bundleWorker(out: string): Promise<string> {
  const here = dirname(fileURLToPath(import.meta.url));
  const bundle = await rolldown({
    input: join(here, 'worker.ts'),
    platform: 'node',
    plugins: [browserCode()],
    external: (id) => /^[@a-z]/.test(id),
  });
  await bundle.write({ dir: out, entryFileNames: 'worker.js' });
  return join(out, 'worker.js');
}
