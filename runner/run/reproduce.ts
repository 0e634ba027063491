import { randomUUID } from 'node:crypto';
import { groupBy } from '../../common/lists.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/requirements.ts';
import {
  answerOf,
  type Exchange,
  type Preparation,
  type WireRequest,
  wasNotSent,
} from '../exchange/exchange.ts';
import type { SourceContext } from '../judge/check-response.ts';
import type { RepeatedCase } from '../judge/merge-rounds.ts';
import { isOverlapping } from '../judge/subject.ts';
import { isViolated } from '../judge/violations.ts';
import { isBadKey } from '../plan/estimate.ts';
import { type DescribeContext, describeRequest } from '../report/describe-exchange.ts';
import type { Report } from '../report/report.ts';
import {
  type Attempt,
  findPattern,
  type Pattern,
  type Reproduction,
  type Way,
} from '../report/reproduction.ts';
import { onNewConnection, type RequestToSend, type RoundSender, sendRequest } from '../send/sender.ts';
import type { Cause } from '../view/causes.ts';
import { createView } from '../view/view.ts';

/** The maximum number of requests that a run sends again to find out when they fail. */
const maxRequests = 120;

export interface ReproduceOptions {
  readonly report: Report;
  readonly cases: readonly RepeatedCase[];
  /** The sender of the last round. */
  readonly sender: RoundSender;
  readonly judging: SourceContext;
  readonly describing: DescribeContext;
  /** Whether a request may be sent again that the gateway may bill, and wrong keys and several requests at once. */
  readonly mayBill: boolean;
}

/**
 * Sends one failed request of each cause again, without other requests at the same time: first on a new connection, and
 * then on one that carried a valid request. If it does not fail both times, or if similar requests conform, sends it
 * in further ways, which show on what the failure depends.
 */
export async function reproduceFailures(options: ReproduceOptions): Promise<Reproduction[]> {
  const { report } = options;
  const { stop, transport, onExchange } = options.sender;
  if (!transport.openConnection) return [];
  let sent = 0;
  const parts: ReproduceParts = {
    ...options,
    sender: {
      ...options.sender,
      onExchange(exchange) {
        sent += 1;
        onExchange(exchange);
      },
    },
    exchanges: options.cases.flatMap(({ exchanges }) => exchanges),
  };
  const found: Reproduction[] = [];
  for (const cause of createView(report).causes) {
    if (stop.stopped() || sent >= maxRequests) break;
    const failure = findFailure(cause, parts);
    if (!failure) continue;
    const { exchange, requirement } = failure;
    const attempts = await tryWays(cause, failure, parts);
    const pattern = findPattern(attempts);
    if (pattern === undefined || stop.stopped()) continue;
    found.push({
      exchange: exchange.id,
      requirement: requirement.id,
      pattern,
      attempts,
      ...formatCommands(pattern, failure, parts),
    });
  }
  return found;
}

interface ReproduceParts extends ReproduceOptions {
  /** The exchanges of all cases. */
  readonly exchanges: readonly Exchange[];
}

interface Failure {
  readonly exchange: Exchange;
  readonly requirement: Requirement;
}

/** Returns the example of a cause, if its request can be sent again by itself and one response shows the failure. */
function findFailure(
  { example, outcome }: Cause,
  { cases, exchanges, judging, mayBill }: ReproduceParts,
): Failure | undefined {
  const item = cases.find(({ planned }) => planned.id === example?.case);
  const check = item?.checks.find((own) => own.check.requirement.id === example?.requirement.id);
  const exchange = exchanges.find(({ id }) => id === example?.exchange.id);
  if (!check || !exchange || outcome !== 'violates') return undefined;
  const { requirement } = check.check;
  const { attributes, result, before = [] } = exchange;
  // A changed key or balance is not as it was. A gateway that did not respond may not respond again for as long.
  const isLost = before.length > 0 || (result.kind === 'failure' && result.failure.cutStatus === undefined);
  const isLimited = !mayBill && (attributes.surface === 'model' || isBadKey(attributes));
  return isLost ||
    isLimited ||
    !isAboutOneResponse(requirement.then) ||
    isViolated(requirement, exchange, judging) !== true
    ? undefined
    : { exchange, requirement };
}

/**
 * The order of new and used connections is irregular, so that a gateway that fails every second or third request does
 * not seem to treat used connections differently.
 */
const furtherWays: readonly Way[] = [
  'used-connection',
  'new-connection',
  'new-connection',
  'used-connection',
  'new-connection',
  'used-connection',
  'after-wrong-key',
  'after-wrong-key',
  'after-previous',
  'after-previous',
  'at-once',
];

/** The ways of runs with a limit of billed calls, such as those with `--safe`. */
const harmless: readonly Way[] = ['new-connection', 'used-connection'];

async function tryWays(cause: Cause, failure: Failure, parts: ReproduceParts): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  const attempt = async (way: Way): Promise<void> => {
    if (parts.sender.stop.stopped()) return;
    for (const exchange of await sendAs(way, failure, parts)) {
      if (wasNotSent(exchange)) continue;
      // The control that confirmed the failure in the run stands for one after each attempt.
      const { controlAfter } = failure.exchange;
      const failed = isViolated(failure.requirement, { ...exchange, controlAfter }, parts.judging);
      if (failed !== undefined) attempts.push({ way, failed, status: answerOf(exchange)?.status ?? null });
    }
  };
  await attempt('new-connection');
  await attempt('used-connection');
  if (!cause.occurrence.isSharp || attempts.some(({ failed }) => !failed))
    for (const way of parts.mayBill ? furtherWays : furtherWays.filter((one) => harmless.includes(one)))
      await attempt(way);
  else if (cause.severity === 'unauthorized-access') await attempt('other-text');
  const pattern = findPattern(attempts);
  // A gateway that fails at random can seem to follow a pattern once.
  if (pattern === 'after-wrong-key' || pattern === 'after-previous')
    for (const way of [pattern, 'new-connection', pattern, 'used-connection', pattern] as const)
      await attempt(way);
  return attempts;
}

/** The number of requests that are sent at the same time, next to as many others. */
const atOnce = 4;

async function sendAs(way: Way, failure: Failure, parts: ReproduceParts): Promise<Exchange[]> {
  const { sender } = parts;
  const { exchange } = failure;
  const delivery = sendAgain(exchange);
  const after = async (first: RequestToSend | undefined): Promise<Exchange[]> =>
    first === undefined
      ? []
      : onNewConnection(sender, async (own) => {
          await sendRequest(own, first);
          return [await sendRequest(own, delivery)];
        });
  switch (way) {
    case 'new-connection':
      return [await onNewConnection(sender, (own) => sendRequest(own, delivery))];
    case 'used-connection':
      return after(findOther('good', parts));
    case 'after-wrong-key':
      return after(findOther('unknown', parts));
    case 'after-previous': {
      const { previous } = exchange;
      // The attributes only decide what counts as billed.
      return after(previous && { ...delivery, built: { request: previous, model: undefined } });
    }
    case 'other-text': {
      const other = withOtherText(exchange);
      return other ? [await onNewConnection(sender, (own) => sendRequest(own, other))] : [];
    }
    case 'at-once': {
      const others = findOverlapping(exchange, parts);
      const sends = Array.from({ length: atOnce }, (_, index) => {
        const other = others[index % others.length];
        return other ? [other, delivery] : [delivery];
      }).flat();
      const sent = await Promise.all(sends.map((item) => sendRequest(sender, item)));
      return sent.filter((_, index) => sends[index] === delivery);
    }
  }
}

/** Returns the same request again, with the same bytes. */
function sendAgain({ id, attributes, request, model }: Exchange): RequestToSend {
  return { id: `${id}/again`, attributes, built: { request, model }, isExtra: true, retries: 'limited' };
}

/** Returns a request for the list of models with a key of this kind, which was sent before. */
function findOther(key: 'good' | 'unknown', { exchanges }: ReproduceParts): RequestToSend | undefined {
  const found = exchanges.find(
    ({ attributes }) =>
      attributes.operation === 'models' && attributes.key === key && attributes.accepted === 'true',
  );
  return found && sendAgain(found);
}

/**
 * Returns one request with each other kind of key for the same operation, of those that were sent at the same time as
 * others, or else requests for the list of models.
 */
function findOverlapping({ attributes }: Exchange, parts: ReproduceParts): RequestToSend[] {
  const others = parts.exchanges.filter(
    (other) =>
      isOverlapping(other.attributes) &&
      other.attributes.operation === attributes.operation &&
      other.attributes.key !== attributes.key,
  );
  const oneOfEach = groupBy(others, (other) => other.attributes.key ?? '').flatMap(
    ([, [first]]) => first ?? [],
  );
  return oneOfEach.length > 0
    ? oneOfEach.map(sendAgain)
    : (['good', 'unknown'] as const).flatMap((key) => findOther(key, parts) ?? []);
}

/** A text in most bodies of `fixtures/bodies.yaml`. */
const usualText = 'Count from one to five.';

/** Returns the request with a text or a parameter that no request before had; undefined if it has no place for one. */
function withOtherText(exchange: Exchange): RequestToSend | undefined {
  const { request } = exchange;
  const { body, path, method } = request;
  const other = `Count from one to five, request ${randomUUID()}.`;
  const again = sendAgain(exchange);
  const send = (changed: Partial<typeof request>): RequestToSend => ({
    ...again,
    built: { request: { ...request, ...changed }, model: exchange.model },
  });
  if (typeof body === 'string' && body.includes(usualText))
    return send({ body: body.replaceAll(usualText, other) });
  return method === 'GET'
    ? send({ path: `${path}${path.includes('?') ? '&' : '?'}conformance=${randomUUID()}` })
    : undefined;
}

/** Returns the shell commands that show a failure that the request alone does not show. */
function formatCommands(
  pattern: Pattern,
  { exchange }: Failure,
  parts: ReproduceParts,
): Pick<Reproduction, 'commands'> {
  const describe = (before: readonly Preparation[] = []): string =>
    describeRequest(exchange.request, parts.describing, { attributes: exchange.attributes, before }).curl;
  const after = (first: WireRequest | undefined): string | undefined =>
    first && describe([{ kind: 'request', request: first, sameConnection: true }]);
  const others = (): string[] =>
    findOverlapping(exchange, parts).flatMap(({ attributes, built }) =>
      built ? [describeRequest(built.request, parts.describing, { attributes }).curl] : [],
    );
  const commands: Partial<Record<Pattern, () => string | undefined>> = {
    'after-wrong-key': () => after(findOther('unknown', parts)?.built?.request),
    'after-previous': () => after(exchange.previous),
    'used-connection': () => after(findOther('good', parts)?.built?.request),
    sometimes: () => `for attempt in 1 2 3 4 5 6 7 8; do ${describe()}; done`,
    'at-once': () => {
      const lines = [...others().map((other) => `${other} > /dev/null`), describe()];
      return `for attempt in 1 2 3 4; do ${lines.map((line) => `${line} &`).join(' ')} done; wait`;
    },
  };
  const text = commands[pattern]?.();
  return text === undefined ? {} : { commands: text };
}
