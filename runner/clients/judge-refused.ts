import { readMember } from '../catalog/pointer.ts';
import type { JudgeContext } from '../judge/check.ts';
import type { Finding } from '../judge/finding.ts';
import { answerOf, isTransient } from '../send/exchange.ts';
import { breaksOf, dueStatus } from './breaks-of.ts';
import type { ClientLedger, ClientRequirement, ClientRequirementId } from './client-ledger.ts';
import {
  broken,
  type ClientResult,
  type ClientVerdict,
  finding,
  inconclusive,
  kept,
  notApplicable,
  unjudgeable,
  wordRaised,
} from './judge-client.ts';
import type { SeenError } from './sdk.ts';

/** What refused calls are judged with. */
export interface RefusedContext extends JudgeContext {
  readonly clients: ClientLedger;
  /** The class that the SDK documents for a status. */
  readonly classOf: (status: number) => string;
}

/** What an SDK lets its user get at. */
type Aspect = Exclude<
  ClientRequirementId,
  | 'clients/call-succeeds'
  | 'clients/stream-completes'
  | 'clients/list-models'
  | 'clients/error-understood'
  | 'clients/streamed-error-raised'
>;

/** What of an aspect an SDK lost, and the requirements of the ledger for which the gateway is to blame for that. */
interface Loss {
  readonly finding: Finding;
  readonly breaks: readonly string[];
}

type Looked =
  | { readonly kind: 'kept' }
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'open'; readonly verdict: ClientVerdict };

const none: SeenError = { class: 'no error', text: '', messages: [], types: [], traces: [] };

/** Holds a call that must be refused against every requirement of its case, in their order. */
export function judgeRefused(
  requirements: readonly ClientRequirement[],
  result: ClientResult,
  context: RefusedContext,
): ClientVerdict[] {
  const open = unjudgeable(result);
  if (open) return requirements.map(() => open);
  const held = new Set(requirements.map(({ id }) => id));
  const aspects = look(result, context, held);
  return requirements.map((requirement): ClientVerdict => {
    const { id } = requirement;
    if (id === 'clients/streamed-error-raised') {
      return result.came.kind === 'raised'
        ? kept
        : broken(requirement, finding(`the streamed call in ${result.sdk}`, 'refused', 'no error'));
    }
    if (id === 'clients/error-understood') return understood(requirement, [...aspects.values()]);
    const looked = aspects.get(id);
    if (looked === undefined || looked.kind === 'kept') return kept;
    if (looked.kind === 'open') return looked.verdict;
    // What the SDK makes of an answer that is right is told under clients/error-understood.
    return looked.loss.breaks.length > 0 ? broken(requirement, looked.loss.finding) : kept;
  });
}

function understood(requirement: ClientRequirement, aspects: readonly Looked[]): ClientVerdict {
  const lost = aspects.flatMap((looked) => (looked.kind === 'lost' ? [looked.loss] : []));
  const own = lost.filter(({ breaks }) => breaks.length === 0);
  if (own.length > 0) return broken(requirement, ...own.map((loss) => loss.finding));
  const open = aspects.find((looked) => looked.kind === 'open');
  if (lost.length > 0) return notApplicable('The answer itself is not as it should be.');
  return open?.kind === 'open' ? open.verdict : kept;
}

function look(
  { came, exchanges, sdk }: ClientResult,
  context: RefusedContext,
  held: ReadonlySet<ClientRequirementId>,
): Map<ClientRequirementId, Looked> {
  const last = exchanges.at(-1);
  const answer = last && answerOf(last);
  const found = new Map<ClientRequirementId, Looked>();
  if (!last || !answer) return found;
  const seen = came.kind === 'raised' ? came.error : none;
  const { clients } = context;
  const refusals = breaksOf(last, clients.refusals, context);
  const due = dueStatus(refusals);
  const blamed = due === undefined ? [] : refusals.map(({ requirement }) => requirement);
  const lose = (fact: string, expected: string, actual: string, breaks: readonly string[]): Looked => {
    const told = breaks.length > 0 ? `${actual}; the answer breaks ${breaks.join(', ')}` : actual;
    return { kind: 'lost', loss: { finding: finding(`${fact} in ${sdk}`, expected, told), breaks } };
  };
  const add = (id: Aspect, looked: () => Looked): void => {
    if (held.has(id)) found.set(id, looked());
  };

  add('clients/error-class', () => {
    const wanted = context.classOf(due ?? answer.status);
    return seen.class === wanted && due === undefined
      ? { kind: 'kept' }
      : lose(
          'the error',
          `${wanted} of status ${due ?? answer.status}`,
          `${wordRaised(came)} of status ${answer.status}`,
          blamed,
        );
  });
  add('clients/no-retry', () => {
    if (exchanges.length === 1) return { kind: 'kept' };
    const passing = exchanges.slice(0, -1).find(({ result }) => isTransient(result));
    if (passing)
      return { kind: 'open', verdict: inconclusive('An earlier answer may have been a passing condition.') };
    return lose('the number of requests', '1', String(exchanges.length), blamed);
  });
  // What a wrong status comes with is another error than the one that is due.
  const other: Looked | undefined =
    due === undefined
      ? undefined
      : { kind: 'open', verdict: notApplicable('The answer has another status than is due.') };
  const restsOn = (id: Aspect): string[] => {
    const ids = clients.requirements.find((requirement) => requirement.id === id)?.restsOn ?? [];
    return breaksOf(last, ids, context).map(({ requirement }) => requirement);
  };
  const body = answer.content.kind === 'json' ? answer.content.value : undefined;
  add('clients/message-reaches-user', () => {
    if (other) return other;
    const message = readMember(body, '/error/message');
    const breaks = restsOn('clients/message-reaches-user');
    if (typeof message === 'string' && breaks.length === 0 && holds(seen.messages, message))
      return { kind: 'kept' };
    return lose('the message', show(message), show(seen.messages[0]), breaks);
  });
  add('clients/type-reaches-user', () => {
    if (other) return other;
    const type = readMember(body, '/error/type');
    if (typeof type !== 'string' && last.facts.streamed === 'true')
      return { kind: 'open', verdict: notApplicable('The answer to a call for a stream has no error.type.') };
    const breaks = [
      ...refusals.map(({ requirement }) => requirement),
      ...restsOn('clients/type-reaches-user'),
    ];
    if (typeof type === 'string' && breaks.length === 0 && seen.types.includes(type)) return { kind: 'kept' };
    return lose('the type', breaks.length === 0 ? show(type) : 'the due one', show(seen.types[0]), breaks);
  });
  add('clients/trace-id-reachable', () => {
    if (other) return other;
    const traces = [answer.headers['x-trace-id'], readMember(body, '/trace_id')];
    if (seen.traces.some((trace) => trace !== '' && traces.includes(trace))) return { kind: 'kept' };
    return lose('the trace id', 'within reach', show(seen.traces[0]), restsOn('clients/trace-id-reachable'));
  });
  return found;
}

/** Whether a text has a message, as it is or as JSON writes it. */
function holds(texts: readonly string[], message: string): boolean {
  const escaped = JSON.stringify(message).slice(1, -1);
  return texts.some((text) => text.includes(message) || text.includes(escaped));
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
