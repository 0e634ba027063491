import type { Catalog } from '../catalog/catalog.ts';
import { evaluate } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/ledger.ts';
import type { JudgeContext } from '../judge/check.ts';
import { appliesTo, appliesToBody, judge, judgeOne, type Verdict } from '../judge/judge.ts';
import { valueAt } from '../judge/locate.ts';
import type { Recorded } from '../recordings/recorded-exchange.ts';
import { answerOf, type Exchange, showsGoodModel } from '../transport/exchange.ts';
import { makeDistinct } from './judge-distinct.ts';
import { circumstance } from './exemptions.ts';
import type { Entry, TallyCase } from './aggregate-results.ts';
import { type Applicable, createApplicable, makePools, namedCase, whyNot } from './traffic-case.ts';

/** An exchange to be judged. */
export interface JudgeableExchange {
  readonly exchange: Exchange;
  readonly notes: Recorded['notes'];
  /** Whether its request has nothing of which the specification does not speak. */
  readonly plain: boolean;
  /** Whether its operation is known to be offered; a guess shows it sooner or later. */
  readonly isOffered: boolean;
  readonly describe: Entry['describe'];
}

/** What an exchange was found to show until now. */
interface Open {
  readonly entries: Entry[];
  readonly undecided: string[];
  judged: boolean;
}

/** What an exchange shows by itself, and why some of it, or all, could not be decided. */
export interface Shown {
  readonly entries: readonly Entry[];
  readonly undecided: readonly string[];
  /** Whether a requirement spoke of it. */
  readonly judged: boolean;
}

/** Judges exchanges one by one as they come. */
export interface TrafficJudge {
  readonly take: (item: JudgeableExchange) => Shown;
  /** What only all exchanges until now show together. */
  readonly together: () => readonly Entry[];
}

/** Models, lists of models and exchanges of this suite's that what comes later is held against, at most. */
const [mostModels, mostLists, mostHeld] = [1_000, 50, 2_000];
/** A longer body, or name, is not kept. */
const [longestBody, longestModel] = [128 * 1024, 200];

/** The judge of recorded traffic: the same requirements, and the same judge of each, as in a run. */
export function makeTrafficJudge(catalog: Catalog): TrafficJudge {
  const { requirements } = catalog.ledger;
  const ofCases = requirements.filter(({ over }) => over === 'case');
  const ofAll = requirements.filter(({ over }) => over !== 'case');
  const speakers = createApplicable({ cases: ofCases, pools: ofAll });
  const distinct = new Map(
    ofAll.flatMap((item) =>
      item.then.kind === 'distinct' ? [[item.id, makeDistinct(item.then.at)] as const] : [],
    ),
  );
  const alone: JudgeContext = { catalog, unlistedModel: '', goodModels: [] };
  const goodModels = new Set<string>();
  let unlistedModel: string | undefined;
  /** Model lists, which are held against what was called. */
  const lists: JudgeableExchange[] = [];
  /** Exchanges of a case of this suite that are compared with each other. */
  let held = 0;
  const poolCases = makePools(catalog);
  const groups = new Map<string, { readonly of: TallyCase; readonly held: Map<string, JudgeableExchange> }>();

  function ofCase(item: JudgeableExchange, { cases: speaking, recorded }: Applicable, shown: Open): void {
    const { exchange, notes, plain } = item;
    if (notes && notes.case === undefined) return;
    if (speaking.length === 0) return;
    const of =
      notes?.case === undefined ? recorded : namedCase(notes.case, exchange.facts, catalog.scenarios);
    for (const requirement of speaking) {
      if (!isAboutOneResponse(requirement.then)) {
        if (notes) hold(of, item);
        continue;
      }
      const verdict = judgeOne(requirement, exchange, alone);
      const excuse = notes
        ? undefined
        : (circumstance({ exchange, plain, requirement, verdict }) ?? openReason(verdict));
      if (excuse === undefined) shown.entries.push(entryOf(of, requirement, verdict, item));
      else shown.undecided.push(excuse);
    }
    shown.judged = shown.entries.length > 0;
  }

  function hold(of: TallyCase, item: JudgeableExchange): void {
    if (held >= mostHeld || !isShort(item)) return;
    held += 1;
    const group = groups.get(of.id) ?? { of, held: new Map() };
    groups.set(of.id, group);
    group.held.set(item.exchange.id, item);
  }

  function ofPool(item: JudgeableExchange, { pools }: Applicable, shown: Open): void {
    const { exchange, notes, plain } = item;
    const answer = answerOf(exchange);
    if (!answer) return;
    for (const requirement of pools(answer.status)) {
      if (!appliesToBody(requirement, answer)) continue;
      // Cases of one operation are left out at the end where it is not offered.
      if (requirement.over === 'run' && !item.isOffered) continue;
      const { kind } = requirement.then;
      if (kind === 'lists' || kind === 'omits') {
        if (lists.at(-1) !== item && isWholeList(item) && lists.push(item) > mostLists) lists.shift();
        continue;
      }
      const repeats = distinct.get(requirement.id);
      const verdict = repeats ? repeats(exchange) : judgeOne(requirement, exchange, alone);
      const excuse = notes ? undefined : circumstance({ exchange, plain, requirement, verdict });
      if (excuse !== undefined) shown.undecided.push(excuse);
      if (excuse !== undefined || (!notes && openReason(verdict) !== undefined)) continue;
      shown.judged ||= repeats === undefined;
      shown.entries.push(entryOf(poolCases.of(requirement, exchange), requirement, verdict, item));
    }
  }

  return {
    take(item) {
      const { exchange, notes } = item;
      const { facts, model, result } = exchange;
      if (result.kind === 'failure' && !notes)
        return { entries: [], undecided: ['No answer was recorded.'], judged: false };
      if (notes && facts.model === 'unlisted' && facts.given === 'none') unlistedModel ??= model;
      const isKept = model !== undefined && model.length <= longestModel && goodModels.size < mostModels;
      if (isKept && facts.accepted === 'true' && showsGoodModel(exchange)) goodModels.add(model);
      const speaking = speakers.of(facts);
      const shown: Open = { entries: [], undecided: [], judged: false };
      ofCase(item, speaking, shown);
      ofPool(item, speaking, shown);
      const { entries, undecided, judged } = shown;
      const isNothing = !judged && !notes && undecided.length === 0;
      if (isNothing) undecided.push(whyNot(facts));
      return { entries, undecided: undecided.length > 1 ? [...new Set(undecided)] : undecided, judged };
    },
    together: () => [...listEntries(), ...[...groups.values()].flatMap(({ of, held }) => compared(of, held))],
  };

  function listEntries(): Entry[] {
    const whole = { ...alone, unlistedModel: unlistedModel ?? '', goodModels: [...goodModels] };
    return lists.flatMap((item) =>
      ofAll.flatMap((requirement) => {
        const { kind } = requirement.then;
        const isDue = kind === 'lists' || (kind === 'omits' && unlistedModel !== undefined);
        if (!isDue || !appliesTo(requirement, item.exchange)) return [];
        const verdict = judge(requirement, [item.exchange], whole);
        if (!item.notes && openReason(verdict) !== undefined) return [];
        return [entryOf(poolCases.of(requirement, item.exchange), requirement, verdict, item)];
      }),
    );
  }

  function compared(of: TallyCase, held: ReadonlyMap<string, JudgeableExchange>): Entry[] {
    return ofCases.flatMap((requirement) => {
      const { then, when } = requirement;
      if (isAboutOneResponse(then)) return [];
      const own = [...held.values()].filter(({ exchange }) => evaluate(when, exchange.facts) === true);
      const [first] = own;
      if (!first || own.length <= (then.kind === 'same' ? 1 : 0)) return [];
      const verdict = judge(
        requirement,
        own.map(({ exchange }) => exchange),
        alone,
      );
      const describe: Entry['describe'] = (located) =>
        (held.get(located.exchange) ?? first).describe(located);
      return [entryOf(of, requirement, verdict, { ...first, describe })];
    });
  }
}

function isShort({ exchange }: JudgeableExchange): boolean {
  const answer = answerOf(exchange);
  return (exchange.request.body ?? '').length + (answer?.text ?? '').length <= longestBody;
}

/** Whether an answer has, as far as it says, all models: not a page of them, and not a choice. */
function isWholeList({ exchange, notes, plain }: JudgeableExchange): boolean {
  const answer = answerOf(exchange);
  if (notes) return true;
  if (!answer || !plain || answer.text.length > longestBody) return false;
  const isPaged = ['/has_more', '/nextPageToken', '/next_page_token', '/next'].some((at) =>
    Boolean(valueAt(answer, at)),
  );
  return !isPaged;
}

function entryOf(
  of: TallyCase,
  { id, over }: Requirement,
  verdict: Verdict,
  { notes, describe }: JudgeableExchange,
): Entry {
  return {
    of,
    requirement: id,
    summing: notes && over === 'case' ? 'worst' : 'most-decisive',
    verdict,
    describe,
  };
}

/** Why a verdict decides nothing; undefined where it does. */
function openReason({ outcome, reason }: Verdict): string | undefined {
  const isOpen = outcome === 'inconclusive' || outcome === 'not-applicable';
  return isOpen ? (reason ?? 'It could not be decided.') : undefined;
}
