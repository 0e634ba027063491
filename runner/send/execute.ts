import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { isOperationId } from '../catalog/operations.ts';
import { phases } from '../catalog/scenarios.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { type Controls, controlOf, controlStep, isUsable, keyAccepted } from './controls.ts';
import { deliver, type Sender } from './deliver.ts';
import { answerOf, type Exchange, isTransient, type Result, succeeded } from './exchange.ts';
import { runControls } from './run-controls.ts';

/** Everything that was sent for the cases of a plan. */
export interface Execution {
  /** The exchanges of each case, in the order of its steps; a case that could not be sent has none. */
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  /** Tries and controls that belong to no case. */
  readonly others: readonly Exchange[];
  readonly controls: Controls;
  /** Cases of which not every step was sent, and why. */
  readonly incomplete: ReadonlyMap<string, string>;
  /** Why nothing more was sent, where the run was cut short. */
  readonly stopped: string | undefined;
}

export interface ExecuteOptions {
  readonly concurrency: number;
  /** Aborted to send nothing more; what was sent is kept. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the result of a step is what the case's requirements ask for. */
  readonly isDue: (item: PlannedCase, step: number, exchange: Exchange) => boolean;
}

/** So many requests without an answer in a row, and nobody is there. */
const failuresInARow = 12;

/** Sends the cases, phase by phase; pooled ones send nothing. */
export async function execute(
  cases: readonly PlannedCase[],
  sender: Sender,
  controls: Controls,
  options: ExecuteOptions,
): Promise<Execution> {
  const exchanges = new Map<string, Exchange[]>();
  const others: Exchange[] = [];
  const incomplete = new Map<string, string>();
  let unanswered = 0;
  let stopped: string | undefined;
  const watched: Sender = {
    ...sender,
    onExchange: (exchange) => {
      sender.onExchange(exchange);
      unanswered = exchange.result.kind === 'answer' ? 0 : unanswered + 1;
      if (unanswered >= failuresInARow && exchange.result.kind === 'failure') {
        stopped ??= `The gateway gave no answer to ${unanswered} requests in a row (${exchange.result.failure.detail}).`;
      }
    },
  };
  const goesOn = (): boolean => stopped === undefined && options.signal?.aborted !== true;
  const record = {
    ofCase: (item: PlannedCase, exchange: Exchange): void => void exchanges.set(item.id, [exchange]),
    ofNone: (exchange: Exchange): void => void others.push(exchange),
  };
  for (const phase of phases) {
    if (!goesOn()) break;
    const own = cases.filter((item) => item.phase === phase && !item.pool);
    if (phase === 'controls') {
      await runControls(own, watched, controls, record);
      const first = [...exchanges.values()].flat();
      if (first.length > 0 && first.every(({ result }) => result.kind === 'failure'))
        stopped ??= unreachable(first);
      continue;
    }
    const limit = pLimit(options.concurrency);
    const ready = own.filter(
      (item) => !item.notApplicable && isReady(item, controls) && knowsModels(item, sender),
    );
    await Promise.all(ready.filter((item) => !item.alone).map((item) => limit(() => sendCase(item))));
    for (const item of ready.filter((candidate) => candidate.alone)) await sendCase(item);
    if (phase === 'bad-keys' && ready.length > 0 && goesOn())
      others.push(...(await findLockedOut(ready, controls, watched)));
  }
  return { exchanges, others, controls, incomplete, stopped };

  async function sendCase(item: PlannedCase): Promise<void> {
    const own: Exchange[] = [];
    exchanges.set(item.id, own);
    if (item.facts.burst === 'true') {
      own.push(...(await sendBurst(item, watched, goesOn)));
      const due = sender.context.profile.rateLimit?.requests ?? 0;
      const limited = own.some((exchange) => answerOf(exchange)?.status === 429);
      if (!limited && own.length < due)
        incomplete.set(item.id, `Only ${own.length} of ${due} requests could be sent in the stated time.`);
      return;
    }
    for (const [index, step] of item.steps.entries()) {
      if (!goesOn()) {
        incomplete.set(item.id, stopped ?? 'The run was interrupted.');
        return;
      }
      const id = `${item.id}#${index + 1}`;
      const due = (result: Result, model: string | undefined, request: Exchange['request']): boolean =>
        options.isDue(item, index, {
          id,
          facts: step.facts,
          model,
          request,
          result,
          startedAt: 0,
          durationMs: 0,
          earlier: [],
          controlAfter: undefined,
        });
      const exchange = await deliver(watched, {
        id,
        facts: step.facts,
        isDue: (result, built) => due(result, built.model, built.request),
      });
      const stays = isTransient(exchange.result) && !due(exchange.result, exchange.model, exchange.request);
      own.push(
        stays && !step.control
          ? { ...exchange, controlAfter: await controlAfter(item, step.facts, watched, controls) }
          : exchange,
      );
      if (step.control && !succeeded(exchange.result)) {
        incomplete.set(
          item.id,
          `A call that must succeed first did not: ${describeStep(step.facts)} was answered ${statusOf(exchange)}.`,
        );
        return;
      }
    }
  }
}

/** Whether the controls let the case be judged at all. */
export function isReady(item: PlannedCase, controls: Controls): boolean {
  return item.steps.every(({ facts }) => {
    const { operation = 'none' } = facts;
    if (!isOperationId(operation)) return keyAccepted(controls);
    const control = controlOf(controls, operation, facts.streamed === 'true');
    return (
      isUsable(control) &&
      (control?.kind !== 'presumed' || keyAccepted(controls)) &&
      isUsable(controls.plain.get(operation))
    );
  });
}

/** Whether there is a model for each call; where the profile names none, the controls may have found one. */
function knowsModels(item: PlannedCase, { context }: Sender): boolean {
  return item.steps.every(({ facts: { operation = 'none', model = 'none' } }) => {
    const named = model !== 'none' && model !== 'unlisted' && isOperationId(operation);
    return !named || context.model(operation, model) !== undefined;
  });
}

async function controlAfter(
  item: PlannedCase,
  facts: Exchange['facts'],
  sender: Sender,
  controls: Controls,
): Promise<Exchange['controlAfter']> {
  const { operation = 'none' } = facts;
  const step = isOperationId(operation)
    ? controlStep(controls, operation, facts.streamed === 'true')
    : undefined;
  if (!step) return 'failed';
  const exchange = await deliver(sender, { id: `${item.id}#control`, facts: step.facts });
  return succeeded(exchange.result) ? 'succeeded' : 'failed';
}

/** Tries each operation again that bad keys were sent to: a guard may have locked this address out. */
async function findLockedOut(
  cases: readonly PlannedCase[],
  controls: Controls,
  sender: Sender,
): Promise<Exchange[]> {
  const tried: Exchange[] = [];
  const operations = new Set(
    cases.flatMap((item) => item.steps.map(({ facts }) => facts.operation ?? 'none')),
  );
  for (const operation of [...operations].filter(isOperationId)) {
    const step = controlStep(controls, operation, false);
    if (!step) continue;
    const exchange = await deliver(sender, {
      id: `controls/after-bad-keys/operation=${operation}`,
      facts: step.facts,
    });
    tried.push(exchange);
    if (!succeeded(exchange.result)) controls.lockedOut.add(operation);
  }
  return tried;
}

/** Sends as many requests at once as the profile states, within its time, and stops at the first 429. */
async function sendBurst(item: PlannedCase, sender: Sender, goesOn: () => boolean): Promise<Exchange[]> {
  const { rateLimit } = sender.context.profile;
  const [step] = item.steps;
  if (!rateLimit || !step) return [];
  const own: Exchange[] = [];
  const limit = pLimit(16);
  const end = Date.now() + rateLimit.withinMs;
  let limited = false;
  const one = async (index: number): Promise<void> => {
    if (limited || Date.now() > end || !goesOn()) return;
    const exchange = await deliver(sender, {
      id: `${item.id}#${index + 1}`,
      facts: step.facts,
      atOnce: true,
    });
    own.push(exchange);
    limited ||= answerOf(exchange)?.status === 429;
  };
  await Promise.all(Array.from({ length: rateLimit.requests }, (_, index) => limit(() => one(index))));
  return own;
}

function unreachable(exchanges: readonly Exchange[]): string {
  const [first] = exchanges;
  const detail = first?.result.kind === 'failure' ? first.result.failure.detail : '';
  return `The gateway can't be reached (${detail}).`;
}

/** Waits until anything answers at the base URL; false where the time is over. */
export async function waitForGateway(sender: Sender, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  const request = {
    method: 'GET',
    path: '/',
    headers: { 'user-agent': sender.context.userAgent },
    body: undefined,
  };
  for (;;) {
    const result = await sender.transport.send(request, { patient: false });
    if (result.kind === 'answer') return true;
    if (Date.now() >= end) return false;
    await sleep(250);
  }
}

function describeStep({ operation, key, record, model }: Exchange['facts']): string {
  const parts = [
    key !== 'good' && `the ${key} key`,
    record !== 'none' && `the ${record} record`,
    model !== 'none' && `the ${model} model`,
  ];
  return [operation, ...parts.filter(Boolean)].join(', ');
}

function statusOf({ result }: Exchange): string {
  return result.kind === 'answer' ? String(result.answer.status) : `by no answer (${result.failure.detail})`;
}
