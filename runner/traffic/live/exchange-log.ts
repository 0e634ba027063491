import { formatOneLine } from '../../../common/printable.ts';
import type { ClientDuty } from '../../catalog/client-duties.ts';
import type { Requirement } from '../../catalog/requirements.ts';
import { answerOf } from '../../exchange/exchange.ts';
import { readTextAt } from '../../judge/locate.ts';
import { findWorstOutcome, type Outcome } from '../../judge/outcome.ts';
import { outcomeOfBreach } from '../../view/traffic.ts';
import type { JudgedTraffic, TrafficFailure } from '../check-traffic.ts';
import type { ClientBreach } from '../client-duties.ts';
import type { Refusal } from '../proxy/admit-request.ts';
import type { CapturedExchange } from '../proxy/capture.ts';
import type { LiveEnd, LiveEntry, LiveTotals } from './live-entry.ts';

/** The entries of a running proxy. Only the latest entries are stored. */
export interface ExchangeLog {
  readonly add: (passed: CapturedExchange, judged: JudgedTraffic) => void;
  readonly refuse: (refusal: Refusal) => void;
  readonly revision: () => number;
  /** Returns the stored entries that changed after this revision. */
  readonly changedSince: (revision: number) => readonly LiveEntry[];
  readonly totals: () => LiveTotals;
  /** Returns the exchange of an entry with its checks; undefined if the exchange is not stored. */
  readonly detail: (number: number) => LiveDetail | undefined;
}

export interface LiveDetail extends ReturnType<JudgedTraffic['describe']> {
  readonly method: string;
  readonly path: string;
  /** The duties that the client violated, with what was wrong. */
  readonly breaches: readonly { readonly duty: ClientDuty; readonly message: string }[];
  /** The failures that later exchanges proved. */
  readonly late: readonly LateFailure[];
}

interface LateFailure {
  readonly id: string;
  readonly outcome: 'violates' | 'warns';
  readonly message: string;
}

const [maxEntries, maxDetails] = [10_000, 500];
/** The maximum total length of the two bodies of a stored exchange, in characters. */
const maxDetailLength = 256 * 1024;

/**
 * Creates a log that stores the latest 10,000 entries. The log stores the exchanges of the latest 500 of these
 * entries, except exchanges with long bodies and refused requests.
 */
export function createExchangeLog(
  requirements: readonly Pick<Requirement, 'id' | 'clause' | 'says'>[],
  duties: readonly ClientDuty[] = [],
): ExchangeLog {
  const entries = new Map<number, LiveEntry>();
  const details = new Map<number, () => Omit<LiveDetail, 'method' | 'path' | 'late'>>();
  const late = new Map<number, readonly LateFailure[]>();
  const numbers = new Map<string, number>();
  /** A ring buffer of the keys of `numbers`. */
  const ids: string[] = [];
  const outcomes: Record<Outcome, number> = {
    violates: 0,
    warns: 0,
    inconclusive: 0,
    deviates: 0,
    conforms: 0,
    'not-applicable': 0,
  };
  const byClient = { violates: 0, warns: 0 };
  let serverErrors = 0;
  const ends: Partial<Record<LiveEnd, number>> = {};
  const findings = new Map<string, { readonly outcome: Outcome; count: number }>();
  let [count, revision] = [0, 0];

  function store(made: Omit<LiveEntry, 'number' | 'revision'>): number {
    count += 1;
    revision += 1;
    entries.set(count, { ...made, number: count, revision });
    outcomes[made.outcome] += 1;
    ends[made.ended] = (ends[made.ended] ?? 0) + 1;
    if (made.byClient) byClient[made.byClient] += 1;
    if ((made.status ?? 0) >= 500) serverErrors += 1;
    entries.delete(count - maxEntries);
    details.delete(count - maxDetails);
    late.delete(count - maxDetails);
    return count;
  }
  function addFinding(id: string, outcome: Outcome): void {
    const known = findings.get(id) ?? { outcome, count: 0 };
    known.count += 1;
    findings.set(id, known);
  }
  /** Adds a failure that a later exchange proved. */
  function addLate({ requirement: { id }, outcome, exchange, finding }: TrafficFailure): void {
    const number = numbers.get(exchange.id);
    const entry = number === undefined ? undefined : entries.get(number);
    if (number === undefined || !entry || entry.broken.includes(id)) return;
    revision += 1;
    const worst = findWorstOutcome([entry.outcome, outcome]);
    outcomes[entry.outcome] -= 1;
    outcomes[worst] += 1;
    addFinding(id, outcome);
    if (details.has(number))
      late.set(number, [...(late.get(number) ?? []), { id, outcome, message: finding.message }]);
    entries.set(number, { ...entry, revision, outcome: worst, broken: [...entry.broken, id] });
  }
  return {
    add(passed, { exchange, outcome, failed, failures, breaches: all, redact, describe }) {
      const breaches = all.filter(({ duty }) => duty.level !== 'observe');
      const { attributes, request, result } = exchange;
      const answer = answerOf(exchange);
      const read = (at: '/error/type' | '/error/code'): string => (answer && readTextAt(answer, at)) ?? '';
      const clean = (text: string): string => formatOneLine(redact(text));
      const number = store({
        at: exchange.startedAt,
        durationMs: Math.round(exchange.durationMs),
        method: request.method,
        path: clean(request.path.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]*(?=\/)/, ''),
        operation: String(attributes.operation ?? 'none'),
        status: answer?.status,
        type: clean(answer && answer.status >= 400 ? read('/error/type') || read('/error/code') : ''),
        traceId: clean(answer?.headers['x-trace-id'] ?? ''),
        client: clean(request.headers['user-agent'] ?? 'unknown client'),
        model: clean(exchange.model ?? ''),
        outcome,
        byClient: worstOf(breaches),
        ended: result.kind === 'failure' && passed.ended === 'whole' ? 'no-response' : passed.ended,
        broken: [...failed.map(({ requirement }) => requirement), ...breaches.map(({ duty }) => duty.id)],
      });
      for (const { requirement, outcome: own } of failed) addFinding(requirement, own);
      for (const { duty } of breaches) addFinding(duty.id, outcomeOfBreach(duty));
      for (const failure of failures) if (failure.exchange.id !== exchange.id) addLate(failure);
      numbers.delete(ids[number % maxEntries] ?? '');
      ids[number % maxEntries] = exchange.id;
      numbers.set(exchange.id, number);
      const length = (request.body ?? '').length + (answer?.text ?? '').length;
      const describeBreaches = (): LiveDetail['breaches'] =>
        breaches.map((breach) => ({ duty: breach.duty, message: breach.describe().message }));
      if (length <= maxDetailLength)
        details.set(number, () => ({ ...describe(), breaches: describeBreaches() }));
    },
    refuse({ status, detail }) {
      store({
        at: Date.now(),
        durationMs: 0,
        method: '',
        path: formatOneLine(detail),
        operation: 'none',
        status,
        type: '',
        traceId: '',
        client: 'unknown client',
        model: '',
        outcome: 'not-applicable',
        byClient: undefined,
        ended: 'refused',
        broken: [],
      });
    },
    revision: () => revision,
    changedSince: (since) => [...entries.values()].filter((entry) => entry.revision > since),
    totals: () => ({
      entries: count,
      outcomes,
      byClient,
      serverErrors,
      ends,
      findings: [
        ...requirements.map((item) => ({ ...item, by: 'gateway' as const })),
        ...duties.map((item) => ({ ...item, by: 'client' as const })),
      ].flatMap(({ id, clause, says, by }) => {
        const found = findings.get(id);
        return found ? [{ id, clause, says, by, ...found }] : [];
      }),
    }),
    detail(number) {
      const [found, entry] = [details.get(number)?.(), entries.get(number)];
      if (!found || !entry) return undefined;
      return { ...found, method: entry.method, path: entry.path, late: late.get(number) ?? [] };
    },
  };
}

function worstOf(breaches: readonly ClientBreach[]): LiveEntry['byClient'] {
  const worst = breaches.map(({ duty }) => outcomeOfBreach(duty));
  return worst.includes('violates') ? 'violates' : worst[0];
}
