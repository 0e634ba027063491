import { formatList, pluralize } from '../../common/lists.ts';
import { type Phase, phases, wrongKeyPhases } from '../catalog/scenarios.ts';
import { areModelsKnown, canBeJudged, type Execution } from '../evidence/controls.ts';
import { type Exchange, type Result, wasNotSent } from '../exchange/exchange.ts';
import { isRecoverable } from '../exchange/retry-policy.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { changesGateway } from '../plan/select.ts';
import { watchForBlockedConnections } from './blocked-connections.ts';
import { createConfirmation } from './confirm.ts';
import { createLifecycleSender } from './lifecycle.ts';
import { forEachConcurrently } from './rate-limiter.ts';
import { runControls } from './run-controls.ts';
import {
  createRepeatedSends,
  isOverlappingCase,
  isRepeated,
  sendCase,
  sendOverlapping,
} from './send-case.ts';
import { type RoundSender, waitForGateway } from './sender.ts';
import { watchForUnreadBodies } from './unread-bodies.ts';
import { findLockedOut, watchForLockout } from './watch-lockout.ts';

export interface ExecuteOptions {
  /**
   * Called at the end of a case, with the case and all exchanges so far. The case may be unsent or only partly sent,
   * for example after a stop.
   */
  readonly onCase?: ((item: PlannedCase, soFar: Execution) => void) | undefined;
  /** Called and awaited before each phase. Not called after the run was stopped. */
  readonly before?: ((phase: Phase, sender: RoundSender) => Promise<void>) | undefined;
  /**
   * Called and awaited after each phase except the controls, with the cases of the phase that were sent. Not called
   * after the run was stopped.
   */
  readonly afterPhase?: ((cases: readonly PlannedCase[], sender: RoundSender) => Promise<void>) | undefined;
}

/**
 * Sends the cases phase by phase. Omits pooled cases, and cases that are not applicable or cannot be judged. Resolves
 * to the exchanges of the round. Stops early, without an error, if the run was stopped or the gateway does not
 * respond.
 */
export async function execute(
  cases: readonly PlannedCase[],
  ownSender: RoundSender,
  { onCase, before, afterPhase }: ExecuteOptions = {},
): Promise<Execution> {
  const connections = watchForUnreadBodies(ownSender);
  const watched = stopWhenUnanswered(watchForBlockedConnections(connections.sender));
  const { sender, checked } = watchForLockout(watched.sender);
  const { stop, record, controls, concurrency } = sender;
  const confirmation = createConfirmation(sender);
  const sendLifecycleCase = createLifecycleSender(sender);
  const finishCase = (item: PlannedCase): void => {
    if (!confirmation.isOpen(item.id)) onCase?.(item, record.soFar());
  };
  const withWrongKeys: PlannedCase[] = [];
  for (const phase of phases) {
    if (stop.stopped()) break;
    await before?.(phase, sender);
    const own = cases.filter((item) => item.phase === phase && !item.pool);
    if (phase === 'controls') {
      await runControls(own, sender);
      const reason = explainUnreachable([...record.soFar().exchanges.values()].flat());
      if (reason !== undefined) stop.stop({ kind: 'unanswered', reason });
      if (!stop.stopped()) await connections.probe(cases);
      for (const item of own) finishCase(item);
      continue;
    }
    const ready = own.filter(
      (item) => !item.notApplicable && canBeJudged(item, controls) && areModelsKnown(item, sender.context),
    );
    const sendOne = (item: PlannedCase): Promise<void> =>
      changesGateway(item)
        ? sendLifecycleCase(item).then(() => finishCase(item))
        : sendCase(item, sender, confirmation, () => finishCase(item));
    const overlapping = ready.filter(isOverlappingCase);
    const alone = ready.filter((item) => item.alone);
    // The cases with the most steps are sent first, so that the phase does not end with one long case.
    const others = ready
      .filter((item) => !item.alone && !isOverlappingCase(item))
      .sort((a, b) => b.steps.length - a.steps.length);
    const repeated = alone
      .filter(isRepeated)
      .map((item) => createRepeatedSends(item, sender, confirmation, () => finishCase(item)));
    await forEachConcurrently(
      concurrency,
      [
        ...repeated.map(({ first }) => first),
        ...others.map((item) => () => sendOne(item)),
        // The repetitions of a request are started directly one after another, so that a load balancer that
        // alternates between nodes sends a repetition to each node.
        ...repeated.flatMap((sends) => sends.others),
      ],
      (send) => send(),
    );
    await forEachConcurrently(
      1,
      alone.filter((item) => !isRepeated(item)),
      async (item) => {
        await sendOne(item);
        // A firewall may block this address only for seconds, so the control follows immediately.
        if (phase !== 'firewall' || !confirmation.isOpen(item.id) || stop.stopped()) return;
        await confirmation.confirm();
        finishCase(item);
      },
    );
    await sendOverlapping(overlapping, sender, confirmation, finishCase);
    const open = ready.filter(({ id }) => confirmation.isOpen(id));
    if (!stop.stopped()) await confirmation.confirm();
    for (const item of open) finishCase(item);
    if (wrongKeyPhases.includes(phase)) withWrongKeys.push(...ready);
    await checked();
    await watched.waited();
    if (phase === wrongKeyPhases.at(-1) && !stop.stopped()) await findLockedOut(withWrongKeys, sender);
    if (!stop.stopped()) await afterPhase?.(ready, sender);
  }
  const { exchanges, others, ...all } = record.soFar();
  // The order of the exchanges in a report must not depend on the order of the responses.
  return {
    ...all,
    exchanges: new Map(
      cases.flatMap(({ id }) => [...(exchanges.has(id) ? [[id, exchanges.get(id) ?? []] as const] : [])]),
    ),
    others: [...others].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/**
 * The number of consecutive requests without a response after which the run stops, before and after the first response
 * of the gateway.
 */
const failuresInARow = { before: 8, after: 12 };

/**
 * The maximum total time for which a round waits for a gateway that refuses or resets connections, in milliseconds.
 */
const longestWaitMs = 10_000;

/**
 * Returns a sender that stops the run after too many consecutive requests without a response. If the gateway
 * responded earlier and now refuses or resets connections, all requests first wait, at most `longestWaitMs` in a
 * round, because the gateway may be restarting. If a response arrives during the wait, the run continues. `waited`
 * resolves when no request waits for the gateway.
 */
function stopWhenUnanswered(sender: RoundSender): {
  readonly sender: RoundSender;
  readonly waited: () => Promise<void>;
} {
  const { rateLimiter, stop } = sender;
  let unanswered = 0;
  // The requests whose connection broke since the latest response. One of these requests may have ended the gateway.
  let broken: Exchange[] = [];
  let enough = failuresInARow.before;
  let waitLeft = longestWaitMs;
  // After a wait, the run waits again only if a request got a response in the meantime.
  let mayWait = false;
  let waiting: Promise<void> | undefined;
  const waitOrStop = async (reason: string): Promise<void> => {
    const start = performance.now();
    const responds = await waitForGateway(sender, waitLeft);
    waitLeft -= performance.now() - start;
    unanswered = 0;
    waiting = undefined;
    if (!responds) stop.stop({ kind: 'unanswered', reason });
  };
  const onExchange = (exchange: Exchange): void => {
    sender.onExchange(exchange);
    if (wasNotSent(exchange)) return;
    const { attributes, result } = exchange;
    if (result.kind === 'answer') {
      unanswered = 0;
      broken = [];
      enough = failuresInARow.after;
      mayWait = true;
      return;
    }
    if ([...exchange.earlier, result].some(isBroken)) broken.push(exchange);
    // An invalid request may end a process of the gateway, while another process still responds to the next request.
    if (attributes.request === 'invalid' && result.failure.isUnanswered) return;
    // A gateway that cuts a response off is running.
    if (result.failure.cutStatus !== undefined) return;
    if (waiting) return;
    unanswered += 1;
    if (unanswered < enough) return;
    // If the connections still break, the gateway is running, and no single request has ended the gateway.
    const isRefused = result.failure.reason === 'refused';
    const reason = `The gateway did not respond to ${unanswered} requests in a row (${result.failure.detail}).${isRefused ? formatBroken(broken) : ''}`;
    if (mayWait && waitLeft > 0 && isRecoverable(result)) {
      mayWait = false;
      waiting = waitOrStop(reason);
    } else stop.stop({ kind: 'unanswered', reason });
  };
  const enter = async (): Promise<() => void> => {
    await waiting;
    return rateLimiter.enter();
  };
  return {
    sender: { ...sender, onExchange, rateLimiter: { ...rateLimiter, enter } },
    waited: async () => waiting,
  };
}

function isBroken(result: Result): boolean {
  return (
    result.kind === 'failure' && (result.failure.reason === 'reset' || result.failure.brokeFirst === true)
  );
}

/** The maximum number of cases that a message names. */
const maxNamed = 3;

function formatBroken(broken: readonly Exchange[]): string {
  const sorted = broken.toSorted((a, b) => a.startedAt - b.startedAt);
  const ids = [...new Set(sorted.map(({ id }) => id.replace(/#\d+$/, '')))];
  if (ids.length === 0) return '';
  const named = formatList(ids.slice(0, maxNamed));
  const rest = ids.length - maxNamed;
  return ` Earlier, the gateway closed the connection during ${named}${rest > 0 ? `, and during ${pluralize(rest, 'other case')}` : ''}, so a request of ${ids.length > 1 ? 'one of these cases' : 'this case'} may have ended the gateway.`;
}

function explainUnreachable(exchanges: readonly Exchange[]): string | undefined {
  const [first] = exchanges;
  if (first?.result.kind !== 'failure' || exchanges.some(({ result }) => result.kind === 'answer'))
    return undefined;
  return `The gateway cannot be reached (${first.result.failure.detail}).`;
}
