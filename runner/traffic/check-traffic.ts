import type { Catalog } from '../catalog/catalog.ts';
import { mapping } from '../catalog/mapping.ts';
import { isOperationId } from '../catalog/operations.ts';
import { readMember } from '../catalog/pointer.ts';
import type { Profile } from '../profile/profile.ts';
import { describeExchange } from '../report/describe-exchange.ts';
import { describeFinding } from '../report/describe-finding.ts';
import { makeRedact, type Redact } from '../report/redact.ts';
import type { Report } from '../report/report.ts';
import { summarize } from '../report/summarize.ts';
import { answerOf, type Exchange, succeeded } from '../send/exchange.ts';
import { makeKeys, truncatedLength } from '../send/keys.ts';
import type { Stop } from '../send/stop.ts';
import { makeClientJudge } from './client.ts';
import { makeTrafficJudge, namedCase } from './judge-traffic.ts';
import { makeReasons } from './reasons.ts';
import { makeRecognise } from './recognise.ts';
import type { Recorded } from './recorded.ts';
import { makeTally } from './tally.ts';

/** Judges traffic that somebody else produced, while it comes. */
export interface TrafficCheck {
  readonly take: (recorded: Recorded) => void;
  /** What a recording says of all of its entries. */
  readonly about: (name: string, value: unknown) => void;
  /** Tells of something in a recording that is no exchange. */
  readonly skip: (reason: string, place: string) => void;
  /** The report of what was taken; nothing may be taken after it. */
  readonly close: (stopped?: Stop) => Report;
}

export interface TrafficCheckParts {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly tool: Report['tool'];
}

/** Recorders that leave out headers with credentials unless told otherwise. */
const sanitizing = ['WebInspector', 'Chrome', 'Microsoft Edge'];

/** What is derived of a valid key that nobody told of is no key. */
const shortest = 4;
/** So many texts that may be keys are remembered with what finds them. */
const rememberedKeys = 100;

/** A check of traffic, with the same requirements and the same judge as a run; keys in its report are redacted. */
export function makeTrafficCheck({ catalog, profile, tool }: TrafficCheckParts): TrafficCheck {
  const { secrets } = makeKeys(profile.keys);
  const kinds = kindsOf(secrets);
  const recognise = makeRecognise({ catalog, profile, kindOf: (value) => kinds.get(value) });
  const tally = makeTally();
  const undecided = makeReasons();
  const proven = new Set<string>();
  const judgeOf = makeTrafficJudge(catalog, tally, undecided.tell);
  const client = makeClientJudge(catalog.clientDuties, profile.versionHeader);
  const redactFor = makeRedactFor(secrets);
  const cut = profile.keys.valid.length - truncatedLength(profile.keys.valid);
  let withoutCredentials = false;
  let ownBase: string | undefined;
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  const counts = { exchanges: 0, judged: 0, own: 0, billable: 0, badKeys: 0 };

  return {
    take(recorded) {
      const { exchange, secrets: found, credentials } = recognise(recorded, { withoutCredentials, ownBase });
      const { notes } = recorded;
      const { facts } = exchange;
      // As it was recorded, with its host.
      const shown = { ...exchange, request: { ...exchange.request, path: recorded.request.url } };
      counts.exchanges += 1;
      counts.own += notes ? 1 : 0;
      counts.billable += facts.surface === 'model' && succeeded(exchange.result) ? 1 : 0;
      counts.badKeys += facts.key === 'unknown' ? 1 : 0;
      first = Math.min(first, exchange.startedAt);
      last = Math.max(last, exchange.startedAt + exchange.durationMs);
      if (proves(exchange, catalog)) for (const id of operationsOf(facts.operation, catalog)) proven.add(id);
      const judged = judgeOf.take(exchange, notes, (located) => {
        const redact = redactFor(found);
        return {
          finding: describeFinding(located, redact),
          exchange: describeExchange(shown, { baseUrl: '', redact, cut }),
        };
      });
      counts.judged += judged ? 1 : 0;
      if (!notes && isOperationId(facts.operation ?? ''))
        client.take(exchange, credentials, redactFor(found));
    },
    about(name, value) {
      if (name === 'creator') withoutCredentials = sanitizing.includes(String(mapping(value).name));
      if (name === '_target') ownBase = String(mapping(value).baseUrl ?? '');
      if (name === '_notJudged' && Array.isArray(value)) for (const item of value) state(mapping(item));
    },
    skip: undecided.skip,
    close(stopped) {
      judgeOf.finish();
      const all = tally.cases();
      const cases = all.filter(({ facts, suite }) =>
        suite !== 'recorded' && suite !== 'pooled' ? true : isOffered(facts.operation),
      );
      for (const item of all.filter((one) => !cases.includes(one)))
        undecided.skip(
          `Nothing shows that ${item.facts.operation} is offered; a profile can state it.`,
          item.id,
        );
      const { verdict, summary, requirements } = summarize(catalog, cases);
      const hasClient = counts.own < counts.exchanges;
      return {
        schemaVersion: 1,
        tool,
        spec: { revision: catalog.revision },
        target: { baseUrl: profile.baseUrl || (ownBase ?? 'recorded traffic') },
        startedAt: new Date(counts.exchanges > 0 ? first : 0).toISOString(),
        durationMs: counts.exchanges > 0 ? Math.round(last - first) : 0,
        verdict,
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
          notJudged: undecided.list(),
          ...(hasClient && { client: client.close() }),
        },
      };
    },
  };

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

/** An operation and that which is offered with it: a stream and its plain call. */
function operationsOf(id: string | undefined, { operations }: Catalog): string[] {
  return Object.values(operations)
    .filter(
      (operation) =>
        id !== undefined &&
        (operation.id === id || operation.plain === id || operations[operation.id].plain === id),
    )
    .flatMap((operation) => [operation.id, operation.plain]);
}

/** Whether an answer can only come of an endpoint that is there: one of the operation's form, or an error of its own. */
function proves(exchange: Exchange, { operations }: Catalog): boolean {
  const { operation = 'none' } = exchange.facts;
  const answer = answerOf(exchange);
  if (!answer || !isOperationId(operation)) return false;
  if ([400, 402, 403, 429].includes(answer.status)) return true;
  const { shows, streams } = operations[operation];
  if (!succeeded(exchange.result)) return false;
  if (streams === 'always' || exchange.facts.streamed === 'true') return true;
  return (
    answer.content.kind === 'json' &&
    (shows === undefined || readMember(answer.content.value, shows) !== undefined)
  );
}

/** The kind of each key that the profile tells of, and of each role that stands in the place of one in a recording. */
function kindsOf(secrets: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kindOf = (role: string): string => {
    const kind = role.split(':')[1] ?? role.replace('keys.', '');
    return kind === 'valid' ? 'good' : kind;
  };
  const roles = ['keys.valid', 'keys.deleted', 'keys.depleted', 'keys.foreign', ...secrets.values()];
  return new Map([
    ...[...secrets].flatMap(([key, role]) => (key.length < shortest ? [] : [[key, kindOf(role)] as const])),
    ...roles.map((role) => [`{{${role}}}`, kindOf(role)] as const),
  ]);
}

/** The redaction of an exchange: of the profile's keys, and of what stands in it where a key does. */
function makeRedactFor(secrets: ReadonlyMap<string, string>): (found: readonly string[]) => Redact {
  const made = new Map<string, Redact>();
  return (found) => {
    const key = JSON.stringify(found);
    const known = made.get(key);
    if (known) return known;
    const [oldest] = made.keys();
    if (made.size >= rememberedKeys && oldest !== undefined) made.delete(oldest);
    const redact = makeRedact(new Map([...found.map((text) => [text, 'keys.client'] as const), ...secrets]));
    made.set(key, redact);
    return redact;
  };
}
