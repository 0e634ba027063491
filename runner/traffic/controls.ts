import { createHash } from 'node:crypto';
import { errorTypes } from '../../contract/specification.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { reportsError } from '../judge/events.ts';
import { readTextAt } from '../judge/locate.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../transport/exchange.ts';
import type { TrafficCase } from './aggregate-results.ts';
import type { Control } from './exemptions.ts';
import { placeholder } from './inference/infer-credential.ts';
import { findKeyHeader, type JudgeableExchange } from './traffic-case.ts';

/** A check of an exchange that can't be decided from the exchange alone. */
export interface UndecidedCheck {
  readonly item: JudgeableExchange;
  readonly trafficCase: TrafficCase;
  readonly requirement: Requirement;
  readonly control: Control;
}

/** Finds successful calls around an exchange that prove what a control proves in a run: the key and the gateway worked. */
export interface TrafficControls {
  /** Postpones a check until a later call decides it, if an earlier call was a successful control. */
  readonly postpone: (check: UndecidedCheck) => void;
  /** Takes note of an exchange, and returns the checks whose failure it proves to be the gateway's. */
  readonly observe: (exchange: Exchange) => readonly UndecidedCheck[];
  /** Returns the checks that failed often enough, if no equal request so far was answered otherwise. */
  readonly listRepeated: () => readonly UndecidedCheck[];
}

/** The controls whose success can be followed by a transient failure. */
const transient: readonly Control[] = ['operation', 'model'];
/** The number of equal failures, each between successful controls, that are no longer transient. */
const timesNeeded = 3;
const [maxPending, maxStored] = [500, 5_000];
/** The contents of longer requests are not compared. */
const maxCompared = 2_000;

/** Creates the search; its memory is bounded. */
export function createTrafficControls(): TrafficControls {
  /** The controls that succeeded → the number of wrong keys rejected before. */
  const succeeded = new Map<string, number>();
  const pending = new Map<string, { readonly check: UndecidedCheck; readonly rejectedBefore: number }[]>();
  /** The failures between successful controls, by request and requirement. */
  const failures = new Map<string, { readonly request: string; readonly checks: UndecidedCheck[] }>();
  const otherwiseAnswered = new Set<string>();
  let pendingCount = 0;
  let rejected = 0;

  /** Stores a failure for the end, when it is known whether an equal request got another response. */
  function store(check: UndecidedCheck): void {
    for (const request of identifyRequest(check.item.exchange)) {
      const id = `${request} ${check.requirement.id}`;
      const found = failures.get(id) ?? { request, checks: [] };
      if (found.checks.length < timesNeeded) found.checks.push(check);
      if (failures.size < maxStored) failures.set(id, found);
    }
  }

  return {
    postpone(check) {
      const wanted = wantedControl(check);
      const rejectedBefore = wanted === undefined ? undefined : succeeded.get(wanted);
      if (wanted === undefined || rejectedBefore === undefined || pendingCount >= maxPending) return;
      pendingCount += 1;
      const waiting = pending.get(wanted) ?? [];
      waiting.push({ check, rejectedBefore });
      pending.set(wanted, waiting);
    },
    observe(exchange) {
      const answer = answerOf(exchange);
      if (!answer) return [];
      const { accepted, key: kind } = exchange.attributes;
      const { status } = answer;
      if (status === 401 && kind !== 'good') rejected += 1;
      const isError = isSuccess(status) && reportsError(answer.text);
      if (status < 500 && !isError && !reportsModel(answer) && otherwiseAnswered.size < maxStored)
        for (const request of identifyRequest(exchange)) otherwiseAnswered.add(request);
      if (accepted !== 'true' || !isSuccess(status) || isError) return [];
      const proven: UndecidedCheck[] = [];
      for (const control of listControls(exchange)) {
        for (const { check, rejectedBefore } of pending.get(control) ?? []) {
          pendingCount -= 1;
          const isGuarded = check.control === 'key' && rejectedBefore !== rejected;
          // After a wrong key, a guard in front of the gateway may refuse a good one too, but not in the gateway's own form.
          if (transient.includes(check.control)) store(check);
          else if (!isGuarded || isOwnRejection(check.item.exchange)) proven.push(check);
        }
        pending.delete(control);
        if (succeeded.has(control) || succeeded.size < maxStored) succeeded.set(control, rejected);
      }
      return proven;
    },
    listRepeated: () =>
      [...failures.values()].flatMap(({ request, checks }) =>
        checks.length < timesNeeded || otherwiseAnswered.has(request) ? [] : checks,
      ),
  };
}

/** Names the control that a check needs; undefined if the key or the content is not known. */
function wantedControl({ item: { exchange }, requirement, control }: UndecidedCheck): string | undefined {
  const { operation, key: kind } = exchange.attributes;
  const key = readKey(exchange);
  switch (control) {
    case 'key':
      // A key may be valid for some operations only; a 401 says that it is not valid at all.
      if (answerOf(exchange)?.status === 401 || requirement.needs !== 'control') return nameControl(key);
      return nameControl(key, operation);
    case 'operation':
      // The other models of an operation may work while one does not.
      if (exchange.model !== undefined && requirement.needs === 'control')
        return nameControl('model', operation, exchange.model);
      if (kind !== 'good') return nameControl('any', operation);
      return requirement.needs === 'control' ? nameControl(key, operation) : nameControl(key);
    case 'model':
      return nameControl('model', operation, exchange.model);
    case 'same-request':
      return nameControl(key, operation, readContent(exchange));
  }
}

/** Lists the controls that a successful exchange is. */
function listControls(exchange: Exchange): readonly string[] {
  const { operation } = exchange.attributes;
  const key = readKey(exchange);
  return [
    nameControl(key),
    nameControl(key, operation),
    nameControl('any', operation),
    nameControl('model', operation, exchange.model),
    nameControl(key, operation, readContent(exchange)),
  ].filter((name) => name !== undefined);
}

/** Undefined if a part is unknown. */
function nameControl(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('\n');
}

/** Returns the key of an exchange; undefined if a recorder may have replaced different keys by the same text. */
function readKey({ request: { headers } }: Exchange): string | undefined {
  const text = headers[findKeyHeader(headers) ?? '']?.replace(/^Bearer +/i, '');
  return text === undefined || placeholder.test(text) ? undefined : text;
}

/** Returns the path and the body without the wish to stream; undefined if they are long, or if the gateway must fetch an address. */
function readContent({ request: { path, body = '' } }: Exchange): string | undefined {
  if (path.length + body.length > maxCompared || body.includes('://')) return undefined;
  const plainPath = path.replace('streamGenerateContent', 'generateContent').replace(/\?.*alt=sse.*/, '');
  return `${plainPath} ${body.replace(/"stream"\s*:\s*(true|false)/, '').replace(/[\s,]+/g, ' ')}`;
}

/**
 * Identifies equal requests: by their attributes, header and `accept`, and an invalid request also by its content, since
 * different bodies can have the same attributes.
 */
function identifyRequest({ attributes, request: { headers, path, body = '' } }: Exchange): readonly string[] {
  const { operation, key, model, fault, member, given, record, range, streamed, accept, accepted } =
    attributes;
  const parts = [operation, key, model, fault, member, given, record, range, streamed, accept, accepted];
  const kind = [...parts, findKeyHeader(headers)].join(' ');
  if (attributes.request !== 'invalid') return [kind];
  const digest = createHash('sha256').update(`${path}\n${body}`).digest('base64');
  return [kind, `${kind} ${digest}`];
}

/** Whether the response says that a model cannot be called. */
function reportsModel(answer: Answer): boolean {
  return readTextAt(answer, '/error/type')?.startsWith('model_') === true;
}

/** Whether the gateway itself rejected a key, with the status and a type of section 7.1. */
function isOwnRejection(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  const type = answer && readTextAt(answer, '/error/type');
  return (
    answer?.status === 401 && (type === errorTypes.invalidBearerToken || type === errorTypes.invalidApiKey)
  );
}
