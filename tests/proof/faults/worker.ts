import { parentPort } from 'node:worker_threads';
import { faults } from '../../../reference-server/faults/index.ts';
import { variants } from '../../../reference-server/variants/index.ts';
import { loadCatalog } from '../../../runner/catalog/catalog.ts';
import { type GatewayResult, judgeGateway } from '../../support/gateways/judge-gateway.ts';

/** A gateway to be judged, by the catalogue it stands in and its place there. */
export type Task = { readonly kind: 'fault' | 'variant'; readonly index: number };

/** What came of a task; `error` where it could not even be carried out. */
export type Done = { readonly task: Task; readonly judgement?: GatewayResult; readonly error?: string };

const catalog = await loadCatalog();

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(await carryOut(task));
});

async function carryOut(task: Task): Promise<Done> {
  const gateway = task.kind === 'fault' ? faults[task.index] : variants[task.index];
  if (!gateway) return { task, error: `There is no ${task.kind} ${task.index}.` };
  try {
    return { task, judgement: await judgeGateway(catalog, gateway.setup) };
  } catch (error) {
    return { task, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
