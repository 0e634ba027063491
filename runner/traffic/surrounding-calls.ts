import { createHash } from 'node:crypto';
import type { ErrorRows } from '../catalog/errors.ts';
import { attribute, refusesKey, type TrafficCheck, type TrafficControl } from '../evidence/attribution.ts';
import { answerOf, type Exchange } from '../exchange/exchange.ts';
import { readAnswer } from '../exchange/reading.ts';
import type { EmittedExchange } from '../judge/emitted-exchange.ts';
import { type Finding, textsOf } from '../judge/finding.ts';
import type { LaterEvidence, UndecidedCheck } from '../judge/judge.ts';
import { isFailed, isKept } from '../judge/outcome.ts';
import { isBadKey } from '../plan/estimate.ts';
import { findKeyHeader, listOwnHeaders, nameKeyHeader, readKey } from './inference/infer-credential.ts';
import { createRefusalMemory } from './refusal-memory.ts';

/** The controls whose success does not prove that a failure is permanent. */
const transientControls: readonly TrafficControl[] = ['operation', 'model'];
/** The statuses that refuse a key. */
const refusals: readonly number[] = [401, 403];
/** The number of failures that rules out a transient cause. Failures without a control in between count once. */
const timesNeeded = 3;
/** The number of refused wrong keys after which a guard may have blocked the client. */
const wrongKeysNeeded = 3;
/** The maximum time between a failure and each of its two controls, in milliseconds. */
const maxGapMs = 600_000;
const [maxWanted, maxPending, maxStored, maxFailures, maxEnds] = [50, 20, 5_000, 100, 8];
/** The maximum total length of the path and body of a control `same-request`, in characters. */
const maxCompared = 2_000;

interface PendingCheck<Item> {
  readonly check: UndecidedCheck<Item>;
  /** Whether a 401 to a request whose key is not known to be `good` followed the control before the exchange. */
  readonly isGuarded: boolean;
}

/** A failure between two successful controls. */
interface TransientFailure<Item> {
  readonly check: UndecidedCheck<Item>;
  /** A text that is the same for equal requests. */
  readonly request: string;
  /** The start of the control after the failure, in milliseconds since 1970-01-01 UTC. */
  readonly controlStart: number;
}

/**
 * Creates the evidence of recorded traffic: successful calls before and after an exchange. Like the controls of a run,
 * they prove that the key and the gateway worked. A postponed check is ignored if no control succeeded within
 * `maxGapMs` before its exchange. Uses a bounded amount of memory.
 */
export function createSurroundingCalls<Item extends EmittedExchange>(errors: ErrorRows): LaterEvidence<Item> {
  /** The ends of the last successful calls, in milliseconds since 1970-01-01 UTC, by the name of the control. */
  const succeeded = new Map<string, number[]>();
  const pending = new Map<string, PendingCheck<Item>[]>();
  const failures = new Map<string, TransientFailure<Item>[]>();
  const requestsWithOtherResponse = new Set<string>();
  const findRefused = createRefusalMemory<Item>(errors);
  let lastRejection = Number.NEGATIVE_INFINITY;
  /** The starts of the last requests whose wrong key was refused with 401. */
  const wrongKeys: number[] = [];

  /** Stores a failure until the end of the traffic, since a later equal request may get another response. */
  function store(check: UndecidedCheck<Item>, { startedAt }: Exchange): void {
    const { kind, content } = identifyRequest(check.item);
    const { id } = check.requirement;
    // Of several requests of the same kind, one request may fail each time while the other requests succeed.
    for (const [group, request] of [
      [id, kind],
      [`${id} ${content}`, content],
    ] as const) {
      const found = failures.get(group) ?? [];
      if (found.length < maxFailures) found.push({ check, request, controlStart: startedAt });
      if (failures.size < maxStored) failures.set(group, found);
    }
  }

  /**
   * Removes the waiting checks of exchanges that ended no later than this exchange started. Returns the removed checks
   * whose exchanges ended at most `maxGapMs` before the start of this exchange.
   */
  function takePending(control: string, { startedAt }: Exchange): readonly PendingCheck<Item>[] {
    const waiting = pending.get(control) ?? [];
    const isAfter = ({ check }: PendingCheck<Item>): boolean => endOf(check.item.exchange) <= startedAt;
    const ended = waiting.filter(isAfter);
    if (ended.length === 0) return ended;
    const rest = waiting.filter((item) => !isAfter(item));
    if (rest.length > 0) pending.set(control, rest);
    else pending.delete(control);
    return ended.filter(({ check }) => startedAt - endOf(check.item.exchange) <= maxGapMs);
  }

  /**
   * Whether the gateway refused several wrong keys with 401 shortly before an exchange, after which guards block
   * clients.
   */
  function isAfterWrongKeys({ startedAt }: Exchange): boolean {
    const before = wrongKeys.filter((time) => time <= startedAt && startedAt - time <= maxGapMs);
    return before.length >= wrongKeysNeeded;
  }

  return {
    doubt(item, requirement, verdict) {
      const { outcome, findings, reason } = verdict;
      // The controls of a run, which are in the recording too, ruled the other causes out.
      if (item.run || isKept(outcome)) return undefined;
      const { exchange, isPlain } = item;
      const check: TrafficCheck = {
        requirement,
        undecided: isFailed(outcome)
          ? undefined
          : (reason ?? 'The requirement could not be judged from this response.'),
        isPlain,
        concernsHeaders: findings.some(({ finding }) => isAboutHeaders(finding)),
        hasOwnHeaders: listOwnHeaders(exchange.request.headers).length > 0,
        isAfterWrongKeys: isAfterWrongKeys(exchange),
      };
      return attribute(exchange, check, errors);
    },
    assumeValidKey(item) {
      const exchange = item.run ? undefined : nameKeyHeader(item.exchange);
      return exchange && { ...item, exchange };
    },
    findRepetition(item) {
      const refused = item.run ? undefined : findRefused(item);
      return refused && describeRepetition(refused, item);
    },
    postpone(check) {
      const name = controlNameFor(check);
      const { startedAt } = check.item.exchange;
      const isBefore = (end: number): boolean => end <= startedAt && startedAt - end <= maxGapMs;
      const controlEnd = name === undefined ? undefined : succeeded.get(name)?.findLast(isBefore);
      if (name === undefined || controlEnd === undefined) return;
      const waiting = pending.get(name) ?? [];
      if (waiting.length >= maxPending) waiting.shift();
      waiting.push({ check, isGuarded: lastRejection >= controlEnd });
      // Moves the control to the end of the map, so that the control that was needed least recently is removed first.
      pending.delete(name);
      pending.set(name, waiting);
      const [oldest] = pending.keys();
      if (oldest !== undefined && pending.size > maxWanted) pending.delete(oldest);
    },
    observe(item) {
      const { exchange } = item;
      const answer = answerOf(exchange);
      if (!answer || item.run) return [];
      const { accepted, key: kind } = exchange.attributes;
      const { status } = answer;
      if (status === 401 && kind !== 'good') lastRejection = Math.max(lastRejection, exchange.startedAt);
      if (
        status === 401 &&
        isBadKey(exchange.attributes) &&
        wrongKeys.push(exchange.startedAt) > wrongKeysNeeded
      )
        wrongKeys.shift();
      const { kind: reading, error } = readAnswer(exchange, errors);
      const isError = reading === 'unclear' || reading === 'error-in-success';
      const isOther = status < 500 && !isError && error?.about !== 'model' && !answer.isCut;
      if (isOther && requestsWithOtherResponse.size < maxStored)
        for (const request of Object.values(identifyRequest(item))) requestsWithOtherResponse.add(request);
      if (accepted !== 'true' || reading !== 'success' || answer.isCut) return [];
      const proven: UndecidedCheck<Item>[] = [];
      for (const control of listControls(item)) {
        for (const { check, isGuarded } of takePending(control, exchange)) {
          if (transientControls.includes(check.control)) store(check, exchange);
          else if (!isGuarded || !mayComeFromGuard(check.item.exchange)) proven.push(check);
        }
        const ends = succeeded.get(control) ?? [];
        if (ends.push(endOf(exchange)) > maxEnds) ends.shift();
        if (succeeded.size < maxStored) succeeded.set(control, ends);
      }
      return proven;
    },
    listRepeated: () => [...failures.values()].flatMap(listRepeated),
  };

  /** After a wrong key, a firewall may refuse a valid key too, but not with the error of the gateway for its header. */
  function mayComeFromGuard(exchange: Exchange): boolean {
    const reading = readAnswer(exchange, errors);
    const isOwn = answerOf(exchange)?.status === 401 && (reading.error?.refuses.length ?? 0) > 0;
    return refusesKey(reading) && !isOwn;
  }

  /**
   * Returns the checks of the first `timesNeeded` failures of a group; an empty list if fewer failures count.
   * Failures between the same two controls count once. A failure does not count if an equal request got another
   * response.
   */
  function listRepeated(found: readonly TransientFailure<Item>[]): readonly UndecidedCheck<Item>[] {
    const separate: TransientFailure<Item>[] = [];
    for (const failure of found.toSorted((a, b) => startOf(a) - startOf(b))) {
      const isOther = startOf(failure) >= (separate.at(-1)?.controlStart ?? Number.NEGATIVE_INFINITY);
      if (isOther && !requestsWithOtherResponse.has(failure.request)) separate.push(failure);
    }
    return separate.length < timesNeeded ? [] : separate.slice(0, timesNeeded).map(({ check }) => check);
  }
}

/**
 * Returns two exchanges with the same request, which the gateway refused as invalid the first time, and not because of
 * its model. Each response shows some attributes of the request, which both have.
 */
function describeRepetition<Item extends EmittedExchange>(refused: Item, again: Item): readonly Item[] {
  const both = { model: 'good', ...refused.exchange.attributes, ...again.exchange.attributes };
  const attributes = { ...both, request: 'invalid', repeated: 'true' };
  return [refused, again].map((item) => ({ ...item, exchange: { ...item.exchange, attributes } }));
}

function isAboutHeaders(finding: Finding): boolean {
  return finding.kind !== 'none-of-several' && textsOf(finding).place?.startsWith('header ') === true;
}

function startOf({ check }: TransientFailure<EmittedExchange>): number {
  return check.item.exchange.startedAt;
}

/** Returns the end in whole milliseconds, since a request that follows at once starts in the same millisecond. */
function endOf({ startedAt, durationMs }: Exchange): number {
  return Math.floor(startedAt + durationMs);
}

/** Returns the name of the control that a check needs; undefined if a part of the name, such as the key, is unknown. */
function controlNameFor({ item, requirement, control }: UndecidedCheck<EmittedExchange>): string | undefined {
  const { exchange } = item;
  const { operation, key: kind } = exchange.attributes;
  const name = createControlName(item);
  const key = readKey(exchange);
  switch (control) {
    case 'key':
      // A refused key counts as invalid for all operations, so a success of any of them shows that it is valid.
      if (refusals.includes(answerOf(exchange)?.status ?? 0) || requirement.needs !== 'control')
        return name(key);
      return name(key, operation);
    case 'operation':
      // One model of an operation may fail while the other models work.
      if (exchange.model !== undefined && requirement.needs === 'control')
        return name('model', operation, exchange.model);
      if (kind !== 'good') return name('any', operation);
      return requirement.needs === 'control' ? name(key, operation) : name(key);
    case 'service':
      return name('any', operation);
    case 'model':
      return name('model', operation, exchange.model);
    case 'same-request':
      return name(key, operation, readContent(exchange));
  }
}

function listControls(item: EmittedExchange): readonly string[] {
  const { exchange } = item;
  const { operation } = exchange.attributes;
  const name = createControlName(item);
  const key = readKey(exchange);
  return [
    name(key),
    name(key, operation),
    name('any', operation),
    name('model', operation, exchange.model),
    name(key, operation, readContent(exchange)),
  ].filter((control) => control !== undefined);
}

/**
 * Creates a function that builds the name of a control from its parts. Each name also contains the base URL and the
 * headers that `listOwnHeaders` returns, such as the header of a tenant. The function returns undefined if a part is
 * undefined.
 */
function createControlName({
  base,
  exchange: { request },
}: EmittedExchange): (...parts: readonly (string | undefined)[]) => string | undefined {
  const sender = JSON.stringify([base, ...listOwnHeaders(request.headers)]);
  return (...parts) => (parts.includes(undefined) ? undefined : [sender, ...parts].join('\n'));
}

/**
 * Returns the path, `content-type`, `accept` and the body as one text. Omits parts in which plain and streamed requests
 * differ, and the white space and commas of the body. Returns undefined if the path and the body together are longer
 * than `maxCompared` characters. Also returns undefined for a body with `://`, because the gateway may fetch the URL.
 */
function readContent({ request: { path, headers, body = '' } }: Exchange): string | undefined {
  if (path.length + body.length > maxCompared || body.includes('://')) return undefined;
  const plainPath = path.replace('streamGenerateContent', 'generateContent').replace(/\?.*alt=sse.*/, '');
  const plainBody = body.replace(/"stream"\s*:\s*(true|false)/, '').replace(/[\s,]+/g, '');
  // A client that requests a stream may send another `accept`.
  const accept = headers.accept?.replace(/^(application\/json|text\/event-stream|\*\/\*)$/, '');
  return [plainPath, headers['content-type'], accept ?? '', plainBody].join(' ');
}

/**
 * Returns two texts that equal requests share. `kind` contains the base URL, some attributes and the name of the key
 * header. For an invalid request, `content` also contains a digest of the path and the body, since different bodies
 * can have the same attributes.
 */
function identifyRequest({ base, exchange }: EmittedExchange): Readonly<Record<'kind' | 'content', string>> {
  const { headers, path, body = '' } = exchange.request;
  const { operation, key, model, fault, member, given, record, range, streamed, accept, accepted } =
    exchange.attributes;
  const parts = [operation, key, model, fault, member, given, record, range, streamed, accept, accepted];
  const kind = [base, ...parts, findKeyHeader(headers)].join(' ');
  if (exchange.attributes.request !== 'invalid') return { kind, content: kind };
  const digest = createHash('sha256').update(`${path}\n${body}`).digest('base64');
  return { kind, content: `${kind} ${digest}` };
}
