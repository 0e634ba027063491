import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Fault, faults } from '../../reference-server/faults/index.ts';
import { type Variant, variants } from '../../reference-server/variants/index.ts';
import { packageRoot } from '../../runner/catalog/package-root.ts';
import { fullPlan } from '../full-plan.ts';
import type { Judgement } from './judge-gateway.ts';
import type { Done, Task } from './worker.ts';

/** A defect or a legal variant, with what the suite made of it. */
export type Proven<Gateway> = { readonly gateway: Gateway; readonly judgement: Judgement };

/** What the suite made of every gateway in the catalogues. */
export type Proof = {
  readonly faults: readonly Proven<Fault>[];
  readonly variants: readonly Proven<Variant>[];
  /** The requirements that are checked, in the order of the ledger. */
  readonly requirements: readonly string[];
  /** The cases that must show something. */
  readonly cases: readonly string[];
};

// Two at a time in each thread: while one waits for a pause or a connection, the other computes.
const atOnce = 2;

/** Judges every fault and every variant, on all cores; throws where one can't even be started. */
export async function prove(only: RegExp = /./): Promise<Proof> {
  const { catalog, plan } = await fullPlan();
  const tasksOf = (kind: Task['kind'], gateways: readonly { readonly id: string }[]): Task[] =>
    gateways.flatMap(({ id }, index) => (only.test(id) ? [{ kind, index }] : []));
  // Some variants take their time on purpose, so they go first.
  const tasks = [...tasksOf('variant', variants), ...tasksOf('fault', faults)];
  const judgements = await carryOut(tasks);
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

// A run leaves much behind that is soon of no use; the more room for it, the less often it is swept.
const resourceLimits = { maxYoungGenerationSizeMb: 96 };

async function carryOut(tasks: readonly Task[]): Promise<Map<string, Judgement>> {
  const built = join(packageRoot, 'node_modules', '.cache', `prove-${process.pid}`);
  const file = compileWorker(built);
  const judgements = new Map<string, Judgement>();
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

// Threads load what Node can load, and Node 20 loads no TypeScript. The compiler that the project has anyway is
// quick enough to translate everything anew; into a place that no tool looks at.
function compileWorker(out: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.json'), '--outDir', out], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return join(out, 'tests', 'prove', 'worker.js');
}
