import type { Catalog } from '../catalog/catalog.ts';
import { evaluate, type Facts } from '../catalog/condition.ts';
import { speaksOfOne } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/ledger.ts';
import type { JudgeContext } from '../judge/check.ts';
import { judge, speaksOf, type Verdict } from '../judge/judge.ts';
import { answerOf, type Exchange, succeeded } from '../send/exchange.ts';
import { circumstance } from './circumstance.ts';
import { makeDistinct } from './distinct.ts';
import type { Recorded } from './recorded.ts';
import type { Entry, Tally, TallyCase } from './tally.ts';

/** Told of what of an exchange could not be decided. */
export type TellUndecided = (reason: string, exchange: Exchange) => void;

/** Judges exchanges one by one as they come; `finish` judges what needed all of them. */
export interface TrafficJudge {
  /** Whether a requirement spoke of it. */
  readonly take: (exchange: Exchange, notes: Recorded['notes'], describe: Entry['describe']) => boolean;
  readonly finish: () => void;
}

/** Exchanges whose judgement must wait for others, at most. */
const heldAtMost = 1_000;

interface Held {
  readonly exchange: Exchange;
  readonly describe: Entry['describe'];
}

/** The judge of a recording, over the same requirements as that of a run. */
export function makeTrafficJudge(catalog: Catalog, tally: Tally, tellUndecided: TellUndecided): TrafficJudge {
  const { requirements } = catalog.ledger;
  const goodModels = new Set<string>();
  let unlistedModel: string | undefined;
  const context: JudgeContext = { catalog, unlistedModel: '', goodModels: [] };
  const late: Held[] = [];
  const groups = new Map<string, { readonly of: TallyCase; readonly held: Held[] }>();
  const distinct = new Map(
    requirements.flatMap((item) =>
      item.then.kind === 'distinct' ? [[item.id, makeDistinct(item.then.at)] as const] : [],
    ),
  );

  function add(
    of: TallyCase,
    item: Requirement,
    verdict: Verdict,
    describe: Entry['describe'],
    isOwn: boolean,
  ): void {
    if (!isOwn && (verdict.outcome === 'inconclusive' || verdict.outcome === 'not-applicable')) return;
    const summing = isOwn && item.over === 'case' ? 'worst' : 'most-decisive';
    tally.add({ of, requirement: item.id, summing, verdict, describe });
  }

  /** What the exchange shows by itself. */
  function judgeAlone(exchange: Exchange, notes: Recorded['notes'], describe: Entry['describe']): boolean {
    let judged = false;
    const isOwn = notes !== undefined;
    for (const item of requirements.filter(({ over }) => over === 'case')) {
      if ((isOwn && notes.case === undefined) || evaluate(item.when, exchange.facts) !== true) continue;
      const of = caseOf(exchange, notes, catalog);
      if (!speaksOfOne(item.then)) {
        if (isOwn) groupOf(of).push({ exchange, describe });
        continue;
      }
      const verdict = judge(item, [exchange], context);
      const excuse = isOwn ? undefined : circumstance(exchange, verdict);
      if (excuse !== undefined || (!isOwn && verdict.outcome === 'inconclusive')) {
        tellUndecided(excuse ?? verdict.reason ?? 'It could not be decided.', exchange);
        continue;
      }
      judged = true;
      add(of, item, verdict, describe, isOwn);
    }
    return judged;
  }

  function groupOf(of: TallyCase): Held[] {
    const group = groups.get(of.id) ?? { of, held: [] };
    groups.set(of.id, group);
    return group.held;
  }

  /** What requirements over all exchanges say of this one. */
  function judgePooled(exchange: Exchange, isOwn: boolean, describe: Entry['describe']): boolean {
    let judged = false;
    for (const item of requirements) {
      if (item.over === 'case' || !speaksOf(item, exchange)) continue;
      const repeats = distinct.get(item.id);
      if (item.then.kind === 'lists' || item.then.kind === 'omits') {
        if (late.length < heldAtMost && !late.some((held) => held.exchange === exchange))
          late.push({ exchange, describe });
        continue;
      }
      if (
        item.then.kind === 'parts' &&
        !isOwn &&
        exchange.result.kind === 'answer' &&
        exchange.result.answer.pieces === 0
      )
        continue;
      const verdict = repeats ? repeats(exchange) : judge(item, [exchange], context);
      judged ||= repeats === undefined;
      add(poolOf(item, exchange, catalog), item, verdict, describe, isOwn);
    }
    return judged;
  }

  return {
    take(exchange, notes, describe) {
      const answer = answerOf(exchange);
      const { facts, model } = exchange;
      if (!answer && notes === undefined) {
        tellUndecided('No answer was recorded.', exchange);
        return false;
      }
      if (notes && facts.model === 'unlisted') unlistedModel ??= model;
      const isGood = facts.model === 'good' && facts.request === 'valid' && facts.key === 'good';
      if (isGood && model !== undefined && succeeded(exchange.result) && goodModels.size < heldAtMost)
        goodModels.add(model);
      const alone = judgeAlone(exchange, notes, describe);
      const pooled = answer !== undefined && judgePooled(exchange, notes !== undefined, describe);
      if (!alone && !pooled && notes === undefined) tellUndecided(whyNot(facts), exchange);
      return alone || pooled;
    },
    finish() {
      const whole: JudgeContext = {
        ...context,
        unlistedModel: unlistedModel ?? '',
        goodModels: [...goodModels],
      };
      for (const { exchange, describe } of late) {
        for (const item of requirements) {
          const { kind } = item.then;
          if ((kind !== 'lists' && kind !== 'omits') || !speaksOf(item, exchange)) continue;
          if (kind === 'omits' && unlistedModel === undefined) continue;
          add(poolOf(item, exchange, catalog), item, judge(item, [exchange], whole), describe, true);
        }
      }
      for (const { of, held } of groups.values()) judgeTogether(of, held);
    },
  };

  /** What only several exchanges of a case show, each of which is held once for each requirement. */
  function judgeTogether(of: TallyCase, held: readonly Held[]): void {
    const describes = new Map(held.map(({ exchange, describe }) => [exchange.id, describe]));
    for (const item of requirements) {
      if (item.over !== 'case' || speaksOfOne(item.then)) continue;
      const own = new Map(
        held
          .filter(({ exchange }) => evaluate(item.when, exchange.facts) === true)
          .map(({ exchange }) => [exchange.id, exchange]),
      );
      if (own.size <= (item.then.kind === 'same' ? 1 : 0)) continue;
      add(
        of,
        item,
        judge(item, [...own.values()], context),
        (located) => {
          const describe = describes.get(located.exchange);
          if (!describe) throw new Error(`A finding points to ${located.exchange}, which was not judged.`);
          return describe(located);
        },
        true,
      );
    }
  }
}

/** Facts by which recorded exchanges are told apart; those that nobody knows of are left out. */
const telling = [
  'operation',
  'header',
  'key',
  'model',
  'fault',
  'member',
  'given',
  'record',
  'range',
  'streamed',
];

/** The case that sent it; of traffic that is not this suite's, all exchanges that are alike. */
function caseOf({ facts }: Exchange, notes: Recorded['notes'], { scenarios }: Catalog): TallyCase {
  if (notes?.case !== undefined) return namedCase(notes.case, facts, scenarios);
  const known = telling.flatMap((name) => {
    const value = facts[name];
    return value === undefined || value === 'none' ? [] : [`${name}=${value}`];
  });
  const shown = Object.fromEntries(Object.entries(facts).filter(([name]) => telling.includes(name)));
  return {
    id: ['recorded', ...known].join('/'),
    suite: 'recorded',
    about: 'All recorded exchanges of this kind.',
    facts: shown,
  };
}

/** A case of the suites by its id. */
export function namedCase(id: string, facts: Facts, scenarios: Catalog['scenarios']): TallyCase {
  const [suite = '', scenario] = id.split('/', 2);
  const about = scenarios.find((item) => item.suite === suite && item.id === scenario)?.about ?? '';
  return { id, suite, about, facts };
}

function poolOf({ over }: Requirement, { facts }: Exchange, { scenarios }: Catalog): TallyCase {
  const { operation = 'none' } = facts;
  return over === 'operation'
    ? namedCase(`pooled/operation/operation=${operation}`, { operation }, scenarios)
    : namedCase('pooled/run', {}, scenarios);
}

/** What would have to be known for an exchange to be judged. */
function whyNot({ operation, header, key, request }: Facts): string {
  if (operation === 'none' || operation === undefined) return 'It calls no operation that is known.';
  if (header === undefined) return 'Its credential is not in the recording.';
  if (key === undefined) return 'Nothing tells whether its key is a good one.';
  if (request === undefined) return 'Nothing tells whether the request is right in all else.';
  return 'No requirement speaks of it.';
}
