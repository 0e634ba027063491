import { dependsOn, evaluate } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/requirements.ts';
import type { Attribution } from '../evidence/attribution.ts';
import { answerOf } from '../exchange/exchange.ts';
import type { JudgeContext } from '../judge/check-response.ts';
import {
  appliesTo,
  appliesToBody,
  judgeExchange,
  judgeRequirement,
  type Verdict,
} from '../judge/judge-requirement.ts';
import { isFailed, isUndecided } from '../judge/outcome.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { TrafficCase, TrafficCheckResult } from './aggregate-results.ts';
import { attributeCheck } from './attribute-check.ts';
import { nameKeyHeader } from './inference/infer-credential.ts';
import { createDistinctJudge } from './judge-distinct.ts';
import { createTrafficControls, type UndecidedCheck } from './surrounding-calls.ts';
import {
  type ApplicableRequirements,
  createCalledModels,
  createPooledCases,
  createRecordedCase,
  createRequirementMatcher,
  createResult,
  createSuiteCase,
  explainNotJudged,
  isCompleteList,
  isStorable,
  type JudgeableExchange,
} from './traffic-case.ts';

interface PartialResults {
  readonly results: TrafficCheckResult[];
  readonly notJudged: string[];
  isJudged: boolean;
}

export interface ExchangeResults {
  readonly results: readonly TrafficCheckResult[];
  /** The reasons why requirements could not be judged. */
  readonly notJudged: readonly string[];
  /** Whether at least one requirement has a result. Requirements that compare values of responses do not count. */
  readonly isJudged: boolean;
}

/** Judges single exchanges, and several exchanges together. */
export interface TrafficJudge {
  readonly judge: (item: JudgeableExchange) => ExchangeResults;
  /** Returns the results for model lists, repeated failures and comparisons, which need all exchanges so far. */
  readonly judgeTogether: () => readonly TrafficCheckResult[];
}

const [maxLists, maxCompared] = [50, 2_000];

export function createTrafficJudge(promise: GatewayPromise): TrafficJudge {
  const { requirements } = promise;
  const single = requirements.filter(({ over }) => over === 'case');
  const pooled = requirements.filter(({ over }) => over !== 'case');
  const ofHeader = single.filter(({ when, then }) => dependsOn(when, 'header') && isAboutOneResponse(then));
  const matcher = createRequirementMatcher({ single, pooled }, promise);
  const distinctJudges = new Map(
    pooled.flatMap((item) =>
      item.then.kind === 'distinct' ? [[item.id, createDistinctJudge(item.then.at)] as const] : [],
    ),
  );
  const context: JudgeContext = { promise, unlistedModel: '', goodModels: [] };
  const calledModels = createCalledModels(promise);
  let unlistedModel: string | undefined;
  const modelLists: JudgeableExchange[] = [];
  let comparedCount = 0;
  const pooledCases = createPooledCases(promise);
  const controls = createTrafficControls(promise.errors);
  /** The exchanges of a run that requirements compare with each other, by case ID. */
  const groups = new Map<
    string,
    { readonly trafficCase: TrafficCase; readonly items: Map<string, JudgeableExchange> }
  >();

  function attributionOf(
    { exchange, isPlain }: JudgeableExchange,
    requirement: Requirement,
    verdict: Verdict,
  ): Attribution | undefined {
    const isAfterWrongKeys = controls.isAfterWrongKeys(exchange);
    return attributeCheck({ exchange, isPlain, requirement, verdict, isAfterWrongKeys }, promise.errors);
  }

  function judgeSingle(
    item: JudgeableExchange,
    applicable: ApplicableRequirements,
    partial: PartialResults,
  ): void {
    const { exchange, notes } = item;
    if (notes && notes.case === undefined) return;
    if (applicable.single.length === 0) return;
    const trafficCase =
      notes?.case === undefined
        ? applicable.recordedCase
        : createSuiteCase(notes.case, exchange.attributes, promise.scenarios);
    for (const requirement of applicable.single) {
      if (!isAboutOneResponse(requirement.then)) {
        if (notes) storeForComparison(trafficCase, item);
        continue;
      }
      const verdict = judgeExchange(requirement, exchange, context);
      const attribution = notes ? undefined : attributionOf(item, requirement, verdict);
      if (!attribution) partial.results.push(createResult(trafficCase, requirement, verdict, item));
      else {
        partial.notJudged.push(attribution.reason);
        const { control } = attribution;
        if (control && isStorable(item)) controls.postpone({ item, trafficCase, requirement, control });
      }
    }
    partial.isJudged = partial.results.length > 0;
    const named = notes ? undefined : nameKeyHeader(exchange);
    if (named) postponeKeyChecks({ ...item, exchange: named });
  }

  /**
   * Postpones the checks that apply because of the header of a valid key. Successful calls before and after the
   * exchange decide these checks.
   */
  function postponeKeyChecks(item: JudgeableExchange): void {
    const { exchange } = item;
    const { header: _, ...rest } = exchange.attributes;
    for (const requirement of ofHeader) {
      const { when } = requirement;
      if (evaluate(when, exchange.attributes) !== true || evaluate(when, rest) === true) continue;
      const verdict = judgeExchange(requirement, exchange, context);
      const attribution = attributionOf(item, requirement, verdict);
      // The key may not have been valid at the time of the request.
      const control = attribution ? attribution.control : isFailed(verdict.outcome) ? 'key' : undefined;
      if (control && isStorable(item))
        controls.postpone({
          item,
          trafficCase: createRecordedCase(exchange.attributes),
          requirement,
          control,
        });
    }
  }

  function storeForComparison(trafficCase: TrafficCase, item: JudgeableExchange): void {
    if (comparedCount >= maxCompared || !isStorable(item)) return;
    comparedCount += 1;
    const group = groups.get(trafficCase.id) ?? { trafficCase, items: new Map() };
    groups.set(trafficCase.id, group);
    group.items.set(item.exchange.id, item);
  }

  function judgePooled(
    item: JudgeableExchange,
    applicable: ApplicableRequirements,
    partial: PartialResults,
  ): void {
    const { exchange, notes } = item;
    const answer = answerOf(exchange);
    if (!answer) return;
    for (const requirement of applicable.pooled(answer.status)) {
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
      const judgeDistinct = distinctJudges.get(requirement.id);
      const verdict = judgeDistinct ? judgeDistinct(exchange) : judgeExchange(requirement, exchange, context);
      const attribution = notes ? undefined : attributionOf(item, requirement, verdict);
      if (attribution && isFailed(verdict.outcome)) partial.notJudged.push(attribution.reason);
      if (attribution) continue;
      partial.isJudged ||= judgeDistinct === undefined;
      partial.results.push(
        createResult(pooledCases.caseFor(requirement, exchange), requirement, verdict, item),
      );
    }
  }

  return {
    judge(item) {
      const { exchange, notes } = item;
      const { attributes, model, result } = exchange;
      if (result.kind === 'failure' && !notes && !result.failure.isUnanswered)
        return { results: [], notJudged: ['No response was recorded.'], isJudged: false };
      if (notes && attributes.model === 'unlisted' && attributes.given === 'none') unlistedModel ??= model;
      calledModels.add(item);
      const applicable = matcher.match(attributes);
      const partial: PartialResults = { results: [], notJudged: [], isJudged: false };
      judgeSingle(item, applicable, partial);
      judgePooled(item, applicable, partial);
      // This exchange may complete the proof that the gateway caused the failure of an earlier exchange.
      if (!notes) partial.results.push(...controls.observe(item).flatMap(judgeWithControls));
      const { results, notJudged, isJudged } = partial;
      if (!isJudged && !notes && notJudged.length === 0) notJudged.push(explainNotJudged(attributes));
      return { results, notJudged: notJudged.length > 1 ? [...new Set(notJudged)] : notJudged, isJudged };
    },
    judgeTogether: () => [
      ...judgeModelLists(),
      ...controls.listRepeated().flatMap(judgeWithControls),
      ...[...groups.values()].flatMap(({ trafficCase, items }) => judgeComparisons(trafficCase, items)),
    ],
  };

  /** Judges an exchange again after earlier and later calls have proved that the gateway caused the failure. */
  function judgeWithControls({ item, trafficCase, requirement }: UndecidedCheck): TrafficCheckResult[] {
    const proven = { ...item.exchange, controlAfter: 'succeeded' } as const;
    const verdict = judgeExchange(requirement, proven, context);
    return isFailed(verdict.outcome) ? [createResult(trafficCase, requirement, verdict, item)] : [];
  }

  function judgeModelLists(): TrafficCheckResult[] {
    return modelLists.flatMap((item) => {
      const goodModels = calledModels.listAround(item);
      const full = { ...context, unlistedModel: unlistedModel ?? '', goodModels };
      return pooled.flatMap((requirement) => {
        const { kind } = requirement.then;
        const isAboutLists = kind === 'lists' || (kind === 'omits' && unlistedModel !== undefined);
        if (!isAboutLists || !appliesTo(requirement, item.exchange)) return [];
        const verdict = judgeRequirement(requirement, [item.exchange], full);
        if (!item.notes && isUndecided(verdict.outcome)) return [];
        return [createResult(pooledCases.caseFor(requirement, item.exchange), requirement, verdict, item)];
      });
    });
  }

  function judgeComparisons(
    trafficCase: TrafficCase,
    items: ReadonlyMap<string, JudgeableExchange>,
  ): TrafficCheckResult[] {
    return single.flatMap((requirement) => {
      const { then, when } = requirement;
      if (isAboutOneResponse(then)) return [];
      const matching = [...items.values()].filter(
        ({ exchange }) => evaluate(when, exchange.attributes) === true,
      );
      const [first] = matching;
      if (!first || matching.length <= (then.kind === 'same' ? 1 : 0)) return [];
      const verdict = judgeRequirement(
        requirement,
        matching.map(({ exchange }) => exchange),
        context,
      );
      const describe: TrafficCheckResult['describe'] = (located) =>
        (items.get(located.exchange) ?? first).describe(located);
      return [createResult(trafficCase, requirement, verdict, { ...first, describe })];
    });
  }
}
