import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { type GatewayResult, type JudgeOptions, judgeGateway } from '../../support/gateways/judge-gateway.ts';
import { gateways } from './gateways.ts';

/** A gateway to test, by its index in the list. */
export type Task = JudgeOptions & { readonly kind: keyof typeof gateways; readonly index: number };

/** The result of a task. `error` is present if the task failed. */
export type TaskResult = { readonly task: Task; readonly judgement?: GatewayResult; readonly error?: string };

// Lowers the priority (on Linux, of this thread only), since tests in other processes measure times.
setPriority(10);

const catalog = await catalogOfPackage();

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(await carryOut(task));
});

async function carryOut(task: Task): Promise<TaskResult> {
  const gateway = gateways[task.kind][task.index];
  if (!gateway) return { task, error: `No ${task.kind} has the index ${task.index}.` };
  try {
    return { task, judgement: await judgeGateway(catalog, gateway.setup, task) };
  } catch (error) {
    return { task, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
