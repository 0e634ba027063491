import { readMember } from '../../contract/pointer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { requirementsFor } from '../catalog/ledger.ts';
import type { JudgeContext } from '../judge/check.ts';
import type { Finding } from '../judge/finding.ts';
import { judge } from '../judge/judge.ts';
import { type Answer, type Exchange, isTransient } from '../transport/exchange.ts';
import type { ClientLedger, ClientRequirementId } from './client-ledger.ts';
import {
  type ClientResult,
  type ClientVerdict,
  type Expected,
  finding,
  formatRaised,
  inconclusive,
  notApplicable,
} from './judge-valid-call.ts';
import type { SeenError } from './sdk.ts';

/** What refused calls are judged with. */
export interface RefusedContext extends JudgeContext {
  readonly clients: ClientLedger;
  /** The class that the SDK documents for a status. */
  readonly classOf: (status: number) => string;
}

/** What of an error the user of an SDK gets. */
export type Aspect = Exclude<
  ClientRequirementId,
  | 'clients/call-succeeds'
  | 'clients/stream-completes'
  | 'clients/list-models'
  | 'clients/error-understood'
  | 'clients/streamed-error-raised'
>;

/** A refused call with its last answer. */
export interface RefusedAt {
  readonly result: ClientResult;
  readonly context: RefusedContext;
  readonly exchange: Exchange;
  readonly answer: Answer;
  /** The requirements of how such a call is refused that the answer breaks. */
  readonly refusals: readonly Break[];
  /** The status that the answer should have; undefined where it has it. */
  readonly due: number | undefined;
}

/** What of an aspect an SDK lost, and the requirements of the ledger for which the gateway is to blame for that. */
export interface Loss {
  readonly finding: Finding;
  readonly breaks: readonly string[];
}

export type LocatedValue =
  | { readonly kind: 'kept' }
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'open'; readonly verdict: ClientVerdict };

const kept: LocatedValue = { kind: 'kept' };
const nothing: SeenError = { class: 'no error', text: '', messages: [], types: [], traces: [] };

/** How each aspect is looked at. */
const looks: { readonly [A in Aspect]: (at: RefusedAt) => LocatedValue } = {
  'clients/error-class': (at) => {
    const { context, answer, due, result } = at;
    const wanted = context.classOf(due ?? answer.status);
    const raised = seenOf(at).class;
    if (due === undefined) {
      if (raised === wanted) return kept;
      return lost(at, { fact: 'the error', expected: wanted, actual: formatRaised(result.came) }, []);
    }
    const effect = raised === wanted ? `${raised} has that status` : `${raised} instead of ${wanted}`;
    const [expected, actual] = [String(due), String(answer.status)];
    return lost(at, { fact: 'the status', expected, actual, effect }, blamedFor(at));
  },
  'clients/no-retry': (at) => {
    const { exchanges } = at.result;
    if (exchanges.length === 1) return kept;
    const isPassing = exchanges.slice(0, -1).some(({ result }) => isTransient(result));
    if (isPassing && at.due === undefined)
      return open(inconclusive('An earlier response may have been transient.'));
    const actual = String(exchanges.length);
    return lost(at, { fact: 'the number of requests', expected: '1', actual }, blamedFor(at));
  },
  'clients/message-reaches-user': (at) => {
    const message = memberOf(at, '/error/message');
    const { messages } = seenOf(at);
    const breaks = restingOn(at, 'clients/message-reaches-user');
    if (typeof message === 'string' && breaks.length === 0 && holds(messages, message)) return kept;
    const seen =
      breaks.length > 0
        ? { expected: 'a text that is not empty', actual: show(message) }
        : ofResponse(message, messages[0]);
    return lost(at, { fact: 'error.message', ...seen }, breaks);
  },
  'clients/type-reaches-user': (at) => {
    const type = memberOf(at, '/error/type');
    if (typeof type !== 'string' && at.exchange.facts.streamed === 'true')
      return open(notApplicable('The response to the streamed call has no error.type.'));
    const { types } = seenOf(at);
    const breaks = [
      ...at.refusals.map(({ requirement }) => requirement),
      ...restingOn(at, 'clients/type-reaches-user'),
    ];
    if (typeof type === 'string' && breaks.length === 0 && types.includes(type)) return kept;
    const seen =
      breaks.length > 0
        ? { expected: 'the required one', actual: show(type), ...requiredType(at) }
        : ofResponse(type, types[0]);
    return lost(at, { fact: 'error.type', ...seen }, breaks);
  },
  'clients/trace-id-reachable': (at) => {
    const sent = [at.answer.headers['x-trace-id'], memberOf(at, '/trace_id')];
    const { traces } = seenOf(at);
    if (traces.some((trace) => trace !== '' && sent.includes(trace))) return kept;
    const breaks = restingOn(at, 'clients/trace-id-reachable');
    return lost(at, { fact: 'the trace id', expected: 'within reach', actual: show(traces[0]) }, breaks);
  },
};

/** A member that is right in the response, and that an SDK lost. */
function ofResponse(sent: unknown, seen: string | undefined): Omit<Expected, 'fact'> {
  return { expected: 'that of the response', actual: show(seen), effect: `the response has ${show(sent)}` };
}

/** The type that a response with the right status should have had. */
function requiredType({ refusals }: RefusedAt): Pick<Expected, 'effect'> {
  const types = refusals.flatMap(({ findings }) =>
    findings.flatMap((found) => (found.kind === 'wrong-type' ? found.expected : [])),
  );
  return types.length > 0 ? { effect: `${[...new Set(types)].join(' or ')} is required` } : {};
}

/** Aspects of the error itself: a response with another status is another error than the one that is due. */
const ofBody: readonly ClientRequirementId[] = [
  'clients/message-reaches-user',
  'clients/type-reaches-user',
  'clients/trace-id-reachable',
];

/** What became of an aspect. */
export function lookAtError(aspect: Aspect, at: RefusedAt): LocatedValue {
  if (at.due !== undefined && ofBody.includes(aspect))
    return open(notApplicable('The response does not have the required status.'));
  return looks[aspect](at);
}

/** Whether a requirement is an aspect of an error. */
export function isAspect(id: ClientRequirementId): id is Aspect {
  return id in looks;
}

function open(verdict: ClientVerdict): LocatedValue {
  return { kind: 'open', verdict };
}

function lost({ result }: RefusedAt, expected: Expected, breaks: readonly string[]): LocatedValue {
  return { kind: 'lost', loss: { finding: finding(result, expected, breaks), breaks } };
}

function seenOf({ result: { came } }: RefusedAt): SeenError {
  return came.kind === 'raised' ? came.error : nothing;
}

/** What the gateway is to blame for where its status is wrong. */
function blamedFor({ due, refusals }: RefusedAt): string[] {
  return due === undefined ? [] : refusals.map(({ requirement }) => requirement);
}

function restingOn({ context, exchange }: RefusedAt, aspect: Aspect): string[] {
  const ids = context.clients.requirements.find(({ id }) => id === aspect)?.restsOn ?? [];
  return breaksOf(exchange, ids, context).map(({ requirement }) => requirement);
}

function memberOf({ answer: { content } }: RefusedAt, pointer: string): unknown {
  return content.kind === 'json' ? readMember(content.value, pointer) : undefined;
}

/** Whether a text has a message, as it is or as JSON writes it. */
function holds(texts: readonly string[], message: string): boolean {
  const escaped = JSON.stringify(message).slice(1, -1);
  return texts.some((text) => text.includes(message) || text.includes(escaped));
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** A requirement of the ledger that an answer breaks. */
export interface Break {
  readonly requirement: string;
  readonly findings: readonly Finding[];
}

/** The requirements among `ids` that apply to the response and that it violates. */
export function breaksOf(
  exchange: Exchange,
  ids: readonly string[],
  context: JudgeContext & { readonly catalog: Pick<Catalog, 'ledger'> },
): Break[] {
  const named = context.catalog.ledger.requirements.filter(({ id }) => ids.includes(id));
  return requirementsFor(exchange.facts, named).flatMap((requirement): Break[] => {
    const { outcome, findings } = judge(requirement, [exchange], context);
    return outcome === 'violates'
      ? [{ requirement: requirement.id, findings: findings.map((item) => item.finding) }]
      : [];
  });
}

/** The status that an answer should have had; undefined where it has it, or may have it. */
export function dueStatus(breaks: readonly Break[]): number | undefined {
  for (const { findings } of breaks) {
    const found = findings.find((item) => item.kind === 'wrong-status');
    if (found) return Number.parseInt(found.expected, 10);
  }
  return undefined;
}
