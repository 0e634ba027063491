import { dependsOn, evaluate } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/requirements.ts';
import type { TrafficControl } from '../evidence/attribution.ts';
import { type Answer, answerOf, type Exchange } from '../exchange/exchange.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { type ApplicableRequirements, createRequirementMatcher } from './applicable.ts';
import { createCalledModels } from './called-models.ts';
import {
  type CaseIdentity,
  createPooledCases,
  createRecordedCase,
  createSuiteCase,
} from './case-identity.ts';
import {
  type CaseCheck,
  type CaseResult,
  createCaseResults,
  type NewResult,
  type Shown,
} from './case-results.ts';
import type { JudgeContext } from './check-response.ts';
import { decide, type Evidence } from './decide.ts';
import { createDistinctJudge } from './distinct.ts';
import type { EmittedExchange } from './emitted-exchange.ts';
import {
  appliesTo,
  appliesToBody,
  judgeExchange,
  judgeRequirement,
  type Verdict,
} from './judge-requirement.ts';
import { readTextAt } from './locate.ts';
import { isPagedList } from './match-model.ts';
import { isFailed, isUndecided } from './outcome.ts';

/** A check that its exchange alone cannot decide, and the control that would. */
export interface UndecidedCheck<Item> {
  readonly item: Item;
  readonly of: CaseIdentity;
  readonly requirement: Requirement;
  readonly control: TrafficControl;
}

/** Evidence that comes with later exchanges. */
export interface LaterEvidence<Item> extends Evidence<Item> {
  readonly postpone: (check: UndecidedCheck<Item>) => void;
  /** Returns the postponed checks that this exchange decides: the gateway caused their failures. */
  readonly observe: (item: Item) => readonly UndecidedCheck<Item>[];
  /** Returns the postponed checks that all exchanges together decide. */
  readonly listRepeated: () => readonly UndecidedCheck<Item>[];
  /** Returns the exchange with the attributes that it has if its key was valid; undefined if they are the same. */
  readonly assumeValidKey: (item: Item) => Item | undefined;
  /**
   * Returns an earlier exchange and this one, with the attributes of repeated requests, if the gateway refused the
   * earlier one as invalid and both have the same request.
   */
  readonly findRepetition: (item: Item) => readonly Item[] | undefined;
}

/** Judges exchanges one after another, with a bounded amount of memory. */
export interface Judge<Item, S extends Shown> {
  /** Judges an exchange. Checks that need other exchanges have their results later. */
  readonly add: (item: Item) => Added<S>;
  /** Sets the result of a check that the source states itself. */
  readonly set: (of: CaseIdentity, check: CaseCheck<S>) => void;
  /** Returns the results so far by case, with those that need all exchanges. More exchanges can follow. */
  readonly end: () => CaseResult<S>[];
}

export interface Added<S extends Shown> {
  /** The results of this exchange, and of earlier exchanges that it proves. */
  readonly results: readonly AddedResult<S>[];
  /** Why failed or undecided checks of this exchange do not count. */
  readonly doubts: readonly string[];
  /** Whether at least one requirement has a result. Requirements that compare values of responses do not count. */
  readonly isJudged: boolean;
}

export interface AddedResult<S extends Shown> extends Pick<NewResult<S>, 'requirement' | 'verdict'> {
  /** The findings that no earlier exchange showed; undefined if there is no room for another case. */
  readonly stored: readonly S[] | undefined;
}

/** An exchange to judge. `describe` describes a finding of the exchange. */
export interface JudgeItem<S extends Shown> extends EmittedExchange {
  readonly describe: NewResult<S>['describe'];
}

interface OpenAdded<S extends Shown> {
  readonly results: NewResult<S>[];
  readonly doubts: string[];
  isJudged: boolean;
}

const [maxLists, maxMessages, maxCompared] = [50, 50, 2_000];
/** The maximum length of the stored bodies of an exchange, in characters. */
const maxBodyLength = 128 * 1024;

/**
 * Creates the judge of a source whose exchanges come one after another. Exchanges of a run are judged with its cases,
 * as in the run; `evidence` has no doubts about them, since the run had its controls.
 */
export function createJudge<Item extends JudgeItem<S>, S extends Shown>(
  promise: GatewayPromise,
  evidence: LaterEvidence<Item>,
): Judge<Item, S> {
  const { requirements, scenarios } = promise;
  const single = requirements.filter(({ over }) => over === 'case');
  const pooled = requirements.filter(({ over }) => over !== 'case');
  const ofHeader = single.filter(({ when, then }) => dependsOn(when, 'header') && isAboutOneResponse(then));
  const matcher = createRequirementMatcher({ single, pooled }, promise);
  const distinctJudges = new Map(
    pooled.flatMap((item) =>
      item.then.kind === 'distinct' ? [[item.id, createDistinctJudge(item.then.at)] as const] : [],
    ),
  );
  const judgeOne: typeof judgeExchange = (requirement, exchange, own) =>
    distinctJudges.get(requirement.id)?.(exchange) ?? judgeExchange(requirement, exchange, own);
  const context: JudgeContext = { promise, unlistedModel: '', goodModels: [] };
  const calledModels = createCalledModels(promise);
  let unlistedModel: string | undefined;
  const modelLists: Item[] = [];
  /** By requirement and operation, one exchange of each message about each invalid member. */
  const messages = new Map<string, Map<string, Item>>();
  let comparedCount = 0;
  const pooledCases = createPooledCases(promise);
  const mayComeFromFirewall = createFirewallCheck(promise);
  /** The exchanges that requirements compare with each other, by case ID. */
  const groups = new Map<string, { readonly of: CaseIdentity; readonly items: Map<string, Item> }>();
  const results = createCaseResults<S>();

  /** Judges the requirements on the exchange alone. Stores the exchange for those that compare it with others. */
  function judgeOwn(
    item: Item,
    applicable: readonly Requirement[],
    of: CaseIdentity,
    added: OpenAdded<S>,
  ): void {
    for (const requirement of applicable) {
      if (!isAboutOneResponse(requirement.then)) {
        if (item.run) storeForComparison(of, item);
        continue;
      }
      judgeAlone(item, requirement, of, added);
    }
  }

  /** Judges a requirement by one exchange. In doubt, it has no result yet. */
  function judgeAlone(item: Item, requirement: Requirement, of: CaseIdentity, added: OpenAdded<S>): void {
    const { verdict, doubt } = decide(requirement, [item], evidence, context, judgeOne);
    if (!doubt) {
      added.isJudged ||= requirement.then.kind !== 'distinct';
      added.results.push(createResult(of, requirement, verdict, item));
      return;
    }
    // Other exchanges decide a pooled requirement that this exchange leaves undecided.
    const isPooled = requirement.over !== 'case';
    if (!isPooled || isFailed(doubt.verdict.outcome)) added.doubts.push(doubt.reason);
    if (!isPooled) postpone(item, of, requirement, doubt.control);
  }

  function postpone(
    item: Item,
    of: CaseIdentity,
    requirement: Requirement,
    control: TrafficControl | undefined,
  ): void {
    if (control && isStorable(item)) evidence.postpone({ item, of, requirement, control });
  }

  /** Postpones the checks that apply only if the key was valid. */
  function postponeKeyChecks(assumed: Item): void {
    const { attributes } = assumed.exchange;
    const { header: _, ...rest } = attributes;
    for (const requirement of ofHeader) {
      const { when } = requirement;
      if (evaluate(when, attributes) !== true || evaluate(when, rest) === true) continue;
      const { verdict, doubt } = decide(requirement, [assumed], evidence, context);
      const control = doubt ? doubt.control : isFailed(verdict.outcome) ? 'key' : undefined;
      postpone(assumed, createRecordedCase(attributes), requirement, control);
    }
  }

  function storeForComparison(of: CaseIdentity, item: Item): void {
    if (comparedCount >= maxCompared || !isStorable(item)) return;
    comparedCount += 1;
    const group = groups.get(of.id) ?? { of, items: new Map() };
    groups.set(of.id, group);
    group.items.set(item.exchange.id, item);
  }

  /** Judges the pooled requirements that apply to the exchange. Stores model lists, which need all called models. */
  function judgePooled(item: Item, applicable: ApplicableRequirements['pooled'], added: OpenAdded<S>): void {
    const { exchange } = item;
    const answer = answerOf(exchange);
    const isDoubtful = mayComeFromFirewall(item);
    if (!answer || isDoubtful) return;
    for (const requirement of applicable(answer.status)) {
      if (!appliesToBody(requirement, answer, exchange.attributes)) continue;
      // The cases of an operation that is not offered are removed at the end. The case of the whole run is not
      // removed.
      if (requirement.over === 'run' && !item.isOffered) continue;
      const { kind } = requirement.then;
      if (kind === 'lists' || kind === 'omits') {
        if (modelLists.at(-1) !== item && isCompleteList(item) && modelLists.push(item) > maxLists)
          modelLists.shift();
        continue;
      }
      if (kind === 'apart') {
        storeMessage(item, answer, requirement);
        continue;
      }
      judgeAlone(item, requirement, pooledCases.caseFor(requirement, exchange), added);
    }
  }

  function storeMessage(item: Item, answer: Answer, { id }: Requirement): void {
    const { operation, member } = item.exchange.attributes;
    const key = `${id} ${operation}`;
    const stored = messages.get(key) ?? new Map<string, Item>();
    messages.set(key, stored);
    const message = `${member} ${readTextAt(answer, '/error/message')}`;
    if (stored.size < maxMessages && !stored.has(message) && isStorable(item)) stored.set(message, item);
  }

  function judgeMessages(): NewResult<S>[] {
    return [...messages.values()].flatMap((stored) => {
      const items = [...stored.values()];
      const [first] = items;
      return pooled.flatMap((requirement) => {
        if (!first || requirement.then.kind !== 'apart' || !appliesTo(requirement, first.exchange)) return [];
        const { verdict, doubt } = decide(requirement, items, evidence, context);
        if (doubt || verdict.outcome === 'not-applicable') return [];
        const of = pooledCases.caseFor(requirement, first.exchange);
        const describe: NewResult<S>['describe'] = (located) =>
          (items.find(({ exchange }) => exchange.id === located.exchange) ?? first).describe(located);
        return [{ ...createResult(of, requirement, verdict, first), describe }];
      });
    });
  }

  /** Judges an exchange again after earlier and later calls have proved that the gateway caused the failure. */
  function judgeProven({ item, of, requirement }: UndecidedCheck<Item>): NewResult<S>[] {
    const proven = { ...item.exchange, controlAfter: 'succeeded' } as const;
    const verdict = judgeExchange(requirement, proven, context);
    return isFailed(verdict.outcome) ? [createResult(of, requirement, verdict, item)] : [];
  }

  function judgeModelLists(): NewResult<S>[] {
    return modelLists.flatMap((item) => {
      const { exchange } = item;
      const goodModels = calledModels.listAround(item);
      const full = { ...context, unlistedModel: unlistedModel ?? '', goodModels };
      return pooled.flatMap((requirement) => {
        const { kind } = requirement.then;
        const isAboutLists = kind === 'lists' || (kind === 'omits' && unlistedModel !== undefined);
        if (!isAboutLists || !appliesTo(requirement, exchange)) return [];
        const verdict = judgeRequirement(requirement, [exchange], full);
        if (!item.run && isUndecided(verdict.outcome)) return [];
        return [createResult(pooledCases.caseFor(requirement, exchange), requirement, verdict, item)];
      });
    });
  }

  function judgeComparisons(of: CaseIdentity, items: ReadonlyMap<string, Item>): NewResult<S>[] {
    return single.flatMap((requirement) => {
      const { then, when } = requirement;
      if (isAboutOneResponse(then)) return [];
      const matching = [...items.values()].filter(
        ({ exchange }) => evaluate(when, exchange.attributes) === true,
      );
      const [first] = matching;
      if (!first || matching.length <= (then.kind === 'same' ? 1 : 0)) return [];
      const { verdict } = decide(requirement, matching, evidence, context);
      const describe: NewResult<S>['describe'] = (located) =>
        (items.get(located.exchange) ?? first).describe(located);
      return [{ ...createResult(of, requirement, verdict, first), describe }];
    });
  }

  /** Judges two equal requests of clients. In doubt, they have no result: others may be repeated too. */
  function judgeRepetition(items: readonly Item[], { attributes }: Exchange, added: OpenAdded<S>): void {
    const byId = new Map(items.map((one) => [one.exchange.id, one]));
    const found = judgeComparisons(createRecordedCase(attributes), byId);
    added.results.push(...found.filter(({ verdict }) => !isUndecided(verdict.outcome)));
    added.isJudged ||= found.length > 0;
  }

  return {
    add(item) {
      const { exchange, run } = item;
      const { attributes, model } = exchange;
      if (run && attributes.model === 'unlisted' && attributes.given === 'none') unlistedModel ??= model;
      calledModels.add(item);
      const applicable = matcher.match(attributes);
      const added: OpenAdded<S> = { results: [], doubts: [], isJudged: false };
      // A request of a run without a case is a control.
      if (applicable.single.length > 0 && (!run || run.case !== undefined)) {
        const of =
          run?.case === undefined
            ? applicable.recordedCase
            : createSuiteCase(run.case, attributes, scenarios);
        judgeOwn(item, applicable.single, of, added);
        const assumed = evidence.assumeValidKey(item);
        if (assumed) postponeKeyChecks(assumed);
      }
      judgePooled(item, applicable.pooled, added);
      const repetition = evidence.findRepetition(item);
      if (repetition) judgeRepetition(repetition, exchange, added);
      // This exchange may complete the proof that the gateway caused the failure of an earlier exchange.
      added.results.push(...evidence.observe(item).flatMap(judgeProven));
      return {
        results: added.results.map((result) => {
          const { requirement, verdict } = result;
          return { requirement, verdict, stored: results.add(result) };
        }),
        doubts: added.doubts,
        isJudged: added.isJudged,
      };
    },
    set: results.set,
    end: () =>
      results.list([
        ...judgeModelLists(),
        ...judgeMessages(),
        ...evidence.listRepeated().flatMap(judgeProven),
        ...[...groups.values()].flatMap(({ of, items }) => judgeComparisons(of, items)),
      ]),
  };
}

/**
 * Creates a function that returns whether a firewall may have caused the response to an exchange of a run: the exchange
 * is one with a text that firewalls dislike, or a later one. The function takes the exchanges in order. The controls of
 * the next run end this state.
 */
function createFirewallCheck({
  scenarios,
}: Pick<GatewayPromise, 'scenarios'>): (item: EmittedExchange) => boolean {
  const phaseOf = new Map(scenarios.map(({ suite, id, phase }) => [`${suite}/${id}`, phase]));
  let isDisliked = false;
  return ({ run }) => {
    const phase = phaseOf.get(run?.case?.split('/', 2).join('/') ?? '');
    if (phase === 'firewall') isDisliked = true;
    if (phase === 'controls') isDisliked = false;
    return run !== undefined && isDisliked;
  };
}

function createResult<S extends Shown>(
  of: CaseIdentity,
  requirement: Requirement,
  verdict: Verdict,
  { run, describe }: JudgeItem<S>,
): NewResult<S> {
  const policy = run && requirement.over === 'case' ? 'worst' : 'most-decisive';
  return { of, requirement, policy, verdict, describe };
}

/** Whether the bodies are short enough to be stored. */
function isStorable({ exchange }: EmittedExchange): boolean {
  const answer = answerOf(exchange);
  return (exchange.request.body ?? '').length + (answer?.text ?? '').length <= maxBodyLength;
}

/** Whether a response is a complete, storable model list: not a page and not filtered. Each list of a run counts. */
function isCompleteList({ exchange, run, isPlain }: EmittedExchange): boolean {
  const answer = answerOf(exchange);
  if (run) return true;
  return answer !== undefined && isPlain && answer.text.length <= maxBodyLength && !isPagedList(answer);
}
