import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { packageRoot } from '../../../contract/package-root.ts';
import { type Fault, faults } from '../../../reference-server/faults/index.ts';
import { type Variant, variants } from '../../../reference-server/variants/index.ts';
import { fullPlan } from '../../support/full-plan.ts';
import type { GatewayResult } from '../../support/gateways/judge-gateway.ts';
import type { Done, Task } from './worker.ts';

/** A defect or a legal variant, with what the suite made of it. */
export type Proven<Gateway> = { readonly gateway: Gateway; readonly judgement: GatewayResult };

/** What the suite made of every gateway in the catalogues. */
export type Proof = {
  readonly faults: readonly Proven<Fault>[];
  readonly variants: readonly Proven<Variant>[];
  /** The requirements that are checked, in the order of the ledger. */
  readonly requirements: readonly string[];
  /** The cases that must show something. */
  readonly cases: readonly string[];
};

// Several at a time in each thread: while some wait for a pause or a connection, others compute.
const atOnce = 4;

/** Judges every fault and every variant, on all cores; throws where one can't even be started. */
export async function prove(only: RegExp = /./): Promise<Proof> {
  const tasksOf = (kind: Task['kind'], gateways: readonly { readonly id: string }[]): Task[] =>
    gateways.flatMap(({ id }, index) => (only.test(id) ? [{ kind, index }] : []));
  // Some variants take their time on purpose, so they go first.
  const tasks = [...tasksOf('variant', variants), ...tasksOf('fault', faults)];
  const [{ catalog, plan }, judgements] = await Promise.all([fullPlan(), carryOut(tasks)]);
  const proven = <Gateway>(kind: Task['kind'], gateways: readonly Gateway[]): Proven<Gateway>[] =>
    gateways.flatMap((gateway, index) => {
      const judgement = judgements.get(`${kind} ${index}`);
      return judgement ? [{ gateway, judgement }] : [];
    });
  return {
    faults: proven('fault', faults),
    variants: proven('variant', variants),
    requirements: catalog.ledger.requirements.map(({ id }) => id),
    cases: plan.cases.filter(({ obligations }) => obligations.length > 0).map(({ id }) => id),
  };
}

// A worker runs for seconds, and each gateway differs, so that most of what V8 optimises at once it must undo again.
setFlagsFromString('--interrupt-budget=600000');

// A run leaves much behind that is soon of no use; the more room for it, the less often it is swept.
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
        for (; running < atOnce && pending.length > 0; running += 1) worker.postMessage(pending.shift());
        if (running > 0) return;
        resolve();
        void worker.terminate();
      };
      worker.on('error', reject).on('message', ({ task, judgement, error }: Done) => {
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

const nameOf = ({ kind, index }: Task): string =>
  `${kind} ${(kind === 'fault' ? faults : variants)[index]?.id ?? index}`;

// Threads load what Node can load, and Node 20 loads no TypeScript. All of it as one file is also quicker to load; it lies
// in a place that no tool looks at.
async function bundleWorker(out: string): Promise<string> {
  const here = dirname(fileURLToPath(import.meta.url));
  const bundle = await rolldown({
    input: join(here, 'worker.ts'),
    platform: 'node',
    external: (id) => /^[@a-z]/.test(id),
  });
  await bundle.write({ dir: out, entryFileNames: 'worker.js' });
  return join(out, 'worker.js');
}
