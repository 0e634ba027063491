import { mapping } from '../../contract/mapping.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { isOperationId } from '../catalog/operations.ts';
import { isFailed } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import type { Recorded } from '../recordings/recorded-exchange.ts';
import { remakeCurl } from '../report/curl/curl-line.ts';
import { clientVariables } from '../report/curl/shell.ts';
import { describeExchange } from '../report/describe-exchange.ts';
import { describeFinding } from '../report/findings.ts';
import type { CaseReport, ClientReport, RecordingReport, Report } from '../report/report.ts';
import { summarize } from '../report/summarize.ts';
import { makeKeys } from '../request/keys.ts';
import type { Stop } from '../transport/deadline.ts';
import { succeeded } from '../transport/exchange.ts';
import { makeClientJudge } from './client-duties.ts';
import { makeInfer } from './infer-attributes.ts';
import { makeTrafficJudge } from './judge-traffic.ts';
import { kindsOf, makeKeyHiding, type TrafficSource } from './hide-keys.ts';
import { makeReasons, offeredBy } from './offered-operations.ts';
import { type Entry, type Found, makeTally } from './aggregate-results.ts';
import { namedCase } from './traffic-case.ts';

/** Judges traffic that somebody else produced, while it comes. */
export interface TrafficCheck {
  /** Gives what is wrong with it, where no exchange before it was wrong in the same way. */
  readonly take: (recorded: Recorded) => readonly Breach[];
  /** Begins another recording; what the one before said of its entries holds no more. */
  readonly begin: () => void;
  /** What a recording says of all of its entries. */
  readonly about: (name: string, value: unknown) => void;
  /** Tells of something in a recording that is no exchange. */
  readonly skip: (reason: string, place: string) => void;
  /** The report of what was taken until now. */
  readonly report: (stopped?: Stop) => Report;
}

/** A requirement that an exchange broke. */
export interface Breach extends Found {
  readonly requirement: string;
  readonly outcome: 'violates' | 'warns';
}

export interface TrafficCheckParts {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly tool: Report['tool'];
  readonly source: TrafficSource;
}

/** Recorders that leave out headers with credentials unless told otherwise. */
const sanitizing = ['WebInspector', 'Chrome', 'Microsoft Edge'];

/** A check of traffic, with the same requirements and the same judge as a run; keys in its report are redacted. */
export function makeTrafficCheck({ catalog, profile, tool, source }: TrafficCheckParts): TrafficCheck {
  const { secrets } = makeKeys(profile.keys, { secrets: profile.secrets });
  const kinds = kindsOf(secrets);
  const recognise = makeInfer({ catalog, profile, kindOf: (value) => kinds.get(value) });
  const tally = makeTally();
  const undecided = makeReasons();
  const proven = new Set<string>();
  const judge = makeTrafficJudge(catalog);
  const client = makeClientJudge(catalog.clientDuties, profile.versionHeader);
  const hiding = makeKeyHiding(secrets, source);
  const keyVariables = source === 'recording' ? clientVariables : profile.keyVariables;
  let withoutCredentials = false;
  let ownBase: string | undefined;
  let firstBase: string | undefined;
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  const counts = { exchanges: 0, judged: 0, own: 0, billable: 0, badKeys: 0 };

  return {
    take(recorded) {
      const {
        exchange,
        plain,
        secrets: found,
        credentials,
      } = recognise(recorded, { withoutCredentials, ownBase });
      const { notes } = recorded;
      const { facts } = exchange;
      const redact = hiding.of(found);
      counts.exchanges += 1;
      counts.own += notes ? 1 : 0;
      counts.billable += facts.surface === 'model' && succeeded(exchange.result) ? 1 : 0;
      counts.badKeys += facts.key === 'unknown' ? 1 : 0;
      first = Math.min(first, exchange.startedAt);
      last = Math.max(last, exchange.startedAt + exchange.durationMs);
      if (!proven.has(facts.operation ?? '')) for (const id of offeredBy(exchange, catalog)) proven.add(id);
      const {
        entries,
        undecided: open,
        judged,
      } = judge.take({
        exchange,
        notes,
        plain,
        isOffered: isOffered(facts.operation),
        describe: (located) => {
          // As it was recorded, with its host.
          const shown = { ...exchange, request: { ...exchange.request, path: recorded.request.url } };
          return {
            finding: describeFinding(located, redact),
            exchange: describeExchange(shown, { baseUrl: '', redact, keyVariables }),
          };
        },
      });
      counts.judged += judged ? 1 : 0;
      for (const reason of open) undecided.tell(reason, exchange.id);
      if (!notes && isOperationId(facts.operation ?? ''))
        client.take({ exchange, credentials, isWhole: !recorded.request.bodyLost, show: redact });
      const breaches: Breach[] = [];
      for (const entry of entries) {
        const added = tally.add(entry);
        if (!added) undecided.tell('It is of one case more than a report can hold.', exchange.id);
        else if (added.length > 0) breaches.push(...breachesOf(entry, added));
      }
      return breaches;
    },
    begin() {
      withoutCredentials = false;
      ownBase = undefined;
    },
    about(name, value) {
      if (name === 'creator') withoutCredentials = sanitizing.includes(String(mapping(value).name));
      if (name === '_target') {
        ownBase = String(mapping(value).baseUrl ?? '');
        firstBase ??= ownBase;
      }
      if (name === '_notJudged' && Array.isArray(value)) for (const item of value) state(mapping(item));
    },
    skip: undecided.tell,
    report(stopped) {
      const all = tally.cases(judge.together()).map(hidden);
      const isOut = ({ suite, facts }: CaseReport): boolean =>
        (suite === 'recorded' || suite === 'pooled') && !isOffered(facts.operation);
      const cases = all.filter((item) => !isOut(item));
      const notOffered = new Set(all.filter(isOut).map(({ facts }) => facts.operation));
      const { verdict, summary, requirements } = summarize(catalog, cases);
      const hasClient = counts.own < counts.exchanges;
      return {
        schemaVersion: 1,
        tool,
        spec: { revision: catalog.revision },
        target: { baseUrl: profile.baseUrl || hiding.all(withoutUser(firstBase) ?? 'recorded traffic') },
        startedAt: new Date(counts.exchanges > 0 ? first : 0).toISOString(),
        durationMs: counts.exchanges > 0 ? Math.round(last - first) : 0,
        // What was not read may break what the rest keeps.
        verdict: stopped && verdict === 'conforms' ? 'inconclusive' : verdict,
        diagnosis: [],
        stopped: stopped ?? null,
        shard: null,
        rounds: 1,
        baseline: null,
        requests: {
          requests: counts.exchanges,
          billable: counts.billable,
          badKeys: counts.badKeys,
          sent: counts.exchanges,
        },
        summary,
        requirements,
        cases,
        others: [],
        observations: [],
        recording: {
          exchanges: counts.exchanges,
          judged: counts.judged,
          notJudged: [
            ...hiding.all(undecided.list()),
            ...[...notOffered].map((operation) => ({
              reason: `Nothing shows that the guessed operation ${operation} is offered; a profile can state it.`,
              count: all.filter(({ facts }) => facts.operation === operation).length,
              example: String(operation),
            })),
            ...unseen(catalog, requirements),
          ],
          ...(hasClient && { client: hiddenIn(client.report()) }),
        },
      };
    },
  };

  /** What stands in a recording may hold a key which only a later exchange shows to be one. */
  function hidden({ id, suite, facts, obligations, exchanges, ...item }: CaseReport): CaseReport {
    return {
      ...item,
      id: hiding.all(id),
      suite: hiding.all(suite),
      facts: hiding.all(facts),
      obligations: obligations.map(({ findings, reason, add, ...obligation }) => ({
        ...obligation,
        findings: hiding.all(findings),
        ...(reason !== undefined && { reason: hiding.all(reason) }),
        ...(add !== undefined && { add: hiding.all(add) }),
      })),
      exchanges: hiding.all(exchanges).map((exchange) => remakeCurl(exchange, keyVariables)),
    };
  }

  function hiddenIn({ requests, duties }: ClientReport): ClientReport {
    return {
      requests,
      duties: duties.map(({ findings, ...duty }) => ({ ...duty, findings: hiding.all(findings) })),
    };
  }

  /** A guess is held to be offered once it was seen to do its work. */
  function isOffered(operation: string | undefined): boolean {
    if (operation === undefined || !isOperationId(operation)) return true;
    return profile.operations[operation]?.stated !== 'guess' || proven.has(operation) || counts.own > 0;
  }

  function state({ case: id, requirement, outcome, reason, add }: Readonly<Record<string, unknown>>): void {
    if (typeof id !== 'string' || typeof requirement !== 'string') return;
    if (outcome !== 'inconclusive' && outcome !== 'not-applicable') return;
    const operation = /(?:^|\/)operation=([^/]+)/.exec(id)?.[1];
    tally.state(namedCase(id, operation === undefined ? {} : { operation }, catalog.scenarios), {
      requirement,
      outcome,
      findings: [],
      ...(typeof reason === 'string' && { reason }),
      ...(typeof add === 'string' && { add }),
    });
  }
}

function withoutUser(base: string | undefined): string | undefined {
  return base?.replace(/^([a-z+.-]+:\/\/)[^/]*@/i, '$1');
}

function breachesOf({ requirement, verdict: { outcome } }: Entry, found: readonly Found[]): Breach[] {
  if (!isFailed(outcome)) return [];
  return found.map((one) => ({ ...one, requirement, outcome }));
}

/** How many requirements nothing in the traffic had to do with, so that a few that are kept aren't taken for all. */
function unseen(
  { ledger }: Pick<Catalog, 'ledger'>,
  judged: readonly { readonly id: string }[],
): RecordingReport['notJudged'] {
  const ids = new Set(judged.map(({ id }) => id));
  const open = ledger.requirements.filter(({ id }) => !ids.has(id));
  const [first] = open;
  if (!first) return [];
  const reason = `Of ${ledger.requirements.length} requirements, nothing in the traffic has to do with these.`;
  return [{ reason, count: open.length, example: first.id }];
}
