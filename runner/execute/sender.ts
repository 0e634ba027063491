import { packageInfo } from '../../contract/package-info.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { operationIds } from '../catalog/operations.ts';
import type { ExpectedResponse } from '../plan/expected-responses.ts';
import type { GeneratedParts } from '../plan/generation.ts';
import { modelOperation, type Profile } from '../profile/profile.ts';
import { type BuildContext, buildRequest, profileModel } from '../request/build-request.ts';
import { createNameSource, type NameSource, uniqueUuid } from '../request/unique-name.ts';
import type { StopSwitch } from '../transport/deadline.ts';
import {
  type Exchange,
  type GeneratedRequest,
  isExpectedResponse,
  isTransient,
  lastResponse,
  type Result,
  saysUnavailable,
} from '../transport/exchange.ts';
import type { Transport } from '../transport/http.ts';
import type { Budget } from './budget.ts';
import { type Controls, type ExecutionRecord, makeControls, openRecord } from './controls.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The way to one gateway, with its limits; shared by all rounds of a run. */
export interface Connection {
  readonly transport: Transport;
  readonly rateLimiter: RateLimiter;
  readonly budget: Budget | undefined;
  readonly stop: StopSwitch;
  /** How many requests are under way at the same time. */
  readonly concurrency: number;
  /** Called with every exchange when it is over. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** Sends the requests of one round, and knows what the good calls of that round showed. */
export interface Sender extends Connection {
  readonly context: BuildContext;
  readonly controls: Controls;
  readonly record: ExecutionRecord;
}

/** What the requests of a round are built from. */
export interface RequestSource {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly keys: BuildContext['keys'];
  /** The source of made-up names; random by default. */
  readonly draw?: NameSource | undefined;
}

/** A sender for a round of which nothing was sent. */
export function openSender(connection: Connection, source: RequestSource): Sender {
  const controls = makeControls();
  return {
    ...connection,
    controls,
    context: buildContext(source, controls),
    record: openRecord(controls, connection.stop),
  };
}

/** The context of the requests of a round; `controls` is read at the time of each request. */
export function buildContext(
  { catalog, profile, keys, draw = createNameSource() }: RequestSource,
  controls: Controls,
): BuildContext {
  const asked = new Map<string, number>();
  return {
    catalog,
    profile,
    keys,
    unlistedModel: `conformance-unlisted-${uniqueUuid(draw, 'model')}`,
    unknownRecord: (exchange) => {
      const time = (asked.get(exchange) ?? 0) + 1;
      asked.set(exchange, time);
      return uniqueUuid(draw, `${exchange} ${time}`);
    },
    userAgent: `${packageInfo.name}/${packageInfo.version}`,
    workingHeader: (operation) => {
      const own = controls.plain.get(operation);
      const other = own?.kind === 'succeeded' ? own : controls.plain.get(catalog.operations[operation].plain);
      const any = (['models', ...operationIds] as const)
        .map((id) => controls.plain.get(id))
        .find((control) => control?.kind === 'succeeded' && control.header !== 'x-goog-api-key');
      const found = other?.kind === 'succeeded' ? other : any;
      return found?.kind === 'succeeded' ? found.header : undefined;
    },
    model: (operation, kind) => {
      const stated = profileModel(profile, operation, kind);
      if (stated !== undefined) return stated;
      if (kind === 'mismatched') return familyBModel(controls);
      const calls = modelOperation(operation);
      return calls && kind === 'good' ? controls.models.get(calls) : undefined;
    },
  };
}

/** A model of family B whose ID says so is one that responses must refuse. */
function familyBModel(controls: Controls): string | undefined {
  const model = controls.models.get('messages');
  return controls.plain.get('messages')?.kind === 'succeeded' && model?.toLowerCase().includes('claude')
    ? model
    : undefined;
}

/** One request to be sent. */
export interface Delivery {
  readonly id: string;
  readonly facts: Attributes;
  readonly drawing?: GeneratedParts | undefined;
  readonly drawn?: GeneratedRequest | undefined;
  /** Responses after which the request is not sent again, such as a 500 that is required. */
  readonly expects?: readonly ExpectedResponse[];
  /** Not in the plan, as a good call that confirms a failure: it must leave enough of a budget for those that are. */
  readonly isExtra?: boolean;
  /** Never sent again, whatever the response. */
  readonly once?: boolean;
  /** Not held back by the rate limiter. */
  readonly unlimited?: boolean;
}

/** Sends a request, and again after a pause while the response may be transient and is not one that is expected. */
export async function deliver(sender: Sender, delivery: Delivery): Promise<Exchange> {
  const { facts, expects = [], isExtra = false } = delivery;
  const { budget, rateLimiter, transport } = sender;
  const built = buildRequest(facts, sender.context, delivery);
  const patient = facts.request === 'valid' && facts.accepted === 'true' && facts.key === 'good';
  const tries: Result[] = [];
  const startedAt = Date.now();
  const start = performance.now();
  for (;;) {
    const leave = delivery.unlimited ? undefined : await rateLimiter.enter();
    const isAllowed = !budget || (await budget.take(facts, isExtra));
    const result = isAllowed ? await transport.send(built.request, { patient }) : heldBack;
    if (isAllowed) budget?.settle(facts, isExtra, result);
    leave?.();
    tries.push(result);
    if (delivery.once || !mayPass(result, facts) || isExpectedResponse(result, expects)) break;
    if (!(await rateLimiter.beforeRetry(result, tries.length - 1))) break;
  }
  const exchange: Exchange = {
    id: delivery.id,
    attributes: facts,
    model: built.model,
    request: built.request,
    ...lastResponse(tries),
    startedAt,
    durationMs: performance.now() - start,
    controlAfter: undefined,
    ...(delivery.drawn && { drawn: delivery.drawn }),
  };
  sender.onExchange(exchange);
  return exchange;
}

const heldBack: Result = {
  kind: 'failure',
  failure: {
    reason: 'held-back',
    detail: 'it was not sent, because the calls that may be billed are used up',
  },
};

/** Whether the same request may get another response later; a model that exists may be unavailable for a while. */
function mayPass(result: Result, { model }: Attributes): boolean {
  return isTransient(result) || (model !== 'unlisted' && model !== 'none' && saysUnavailable(result));
}
