import { isOperationId } from '../catalog/operations.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { type Exchange, succeeded } from '../exchange/exchange.ts';
import type { Stop } from '../exchange/stop.ts';
import { maxCases } from '../judge/case-results.ts';
import { createJudge, type JudgeItem } from '../judge/judge.ts';
import { findWorstOutcome, isFailed, type Outcome } from '../judge/outcome.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { clientVariables } from '../report/curl/shell.ts';
import { describeExchange, describeFinding } from '../report/describe-exchange.ts';
import { countDeviations, settleDeviations } from '../report/deviations-report.ts';
import type { CaseReport, CheckReport, ExchangeReport, FindingReport, Report } from '../report/report.ts';
import { summarize } from '../report/summarize.ts';
import { deriveKeys } from '../request/keys.ts';
import { type ClientBreach, createClientJudge } from './client-duties.ts';
import {
  countNotOffered,
  countSimilarKeys,
  countUnmatched,
  createBrokenStreamCounter,
  createReasonCounter,
  explainNotJudged,
} from './count-reasons.ts';
import {
  classifyKeys,
  createKeyHider,
  hideKeysInCase,
  hideKeysInClient,
  type TrafficSource,
} from './hide-keys.ts';
import { disprovesEndpoint, findOfferedOperations } from './inference/match-operation.ts';
import { createLearningInference } from './learning/infer-and-learn.ts';
import { createRecordingMetadata } from './recording-metadata.ts';
import type { RecordedExchange } from './recordings/recorded-exchange.ts';
import { createSurroundingCalls } from './surrounding-calls.ts';

/** Judges recorded or live traffic, one exchange after another. */
export interface TrafficChecker {
  /**
   * Learns keys, models and paths from an exchange that is judged later, so that the learned values also apply to
   * earlier exchanges. `judge` also learns from its exchange, but only for this exchange and later exchanges.
   */
  readonly learn: (recorded: RecordedExchange) => void;
  readonly judge: (recorded: RecordedExchange) => JudgedTraffic;
  /** Starts a new recording. The metadata of the previous recording no longer applies. */
  readonly startRecording: () => void;
  /**
   * Sets a member that applies to all exchanges of the recording, such as `creator`. `value` is undefined as long as
   * the value is not known.
   */
  readonly setMetadata: (name: string, value: unknown) => void;
  /** Counts an item that is not judged, such as an entry that is not an exchange. */
  readonly skip: (reason: string, place: string) => void;
  readonly report: (stopped?: Stop) => Report;
}

export interface JudgedTraffic {
  readonly exchange: Exchange;
  /** The worst outcome of the checks of this exchange; `not-applicable` without checks. */
  readonly outcome: Outcome;
  readonly failed: readonly { readonly requirement: string; readonly outcome: Outcome }[];
  readonly redact: (text: string) => string;
  readonly breaches: readonly ClientBreach[];
  /** The failures that were not reported before, including failures of earlier exchanges that this exchange proves. */
  readonly failures: readonly TrafficFailure[];
  /** Describes the exchange with its checks, without keys. */
  readonly describe: () => {
    readonly exchange: ExchangeReport;
    readonly checks: readonly CheckReport[];
  };
}

/** A finding and its exchange, in the form of the report. */
interface NewFinding {
  readonly finding: FindingReport;
  readonly exchange: ExchangeReport;
}

/** A failed requirement, with a finding and its exchange. */
export interface TrafficFailure extends NewFinding {
  readonly requirement: Pick<Requirement, 'id' | 'clause' | 'says'>;
  readonly outcome: 'violates' | 'warns';
}

export interface TrafficCheckerParts {
  readonly promise: GatewayPromise;
  readonly tool: Report['tool'];
  readonly source: TrafficSource;
}

/** Creates a checker that applies the same requirements as a run. The report of the checker contains no keys. */
export function createTrafficChecker({ promise, tool, source }: TrafficCheckerParts): TrafficChecker {
  const { profile } = promise;
  const { secrets } = deriveKeys(profile.keys, { secrets: profile.secrets });
  const inference = createLearningInference(promise, classifyKeys(secrets), source);
  const notJudged = createReasonCounter();
  const proven = new Set<string>();
  const disproven = new Set<string>();
  const judge = createJudge<JudgeItem<NewFinding>, NewFinding>(
    promise,
    createSurroundingCalls(promise.errors),
  );
  const clientJudge = createClientJudge(promise.clientDuties, profile.versionHeader);
  const keyHider = createKeyHider(secrets, source);
  const keyVariables = source === 'recording' ? clientVariables : profile.keyVariables;
  const brokenStreams = createBrokenStreamCounter();
  const metadata = createRecordingMetadata(promise, judge.set);
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  const counts = { exchanges: 0, judged: 0, own: 0, billable: 0, badKeys: 0 };

  return {
    learn: (recorded) => inference.learn(recorded, metadata.current()),
    judge(recorded) {
      const {
        exchange,
        isPlain,
        secrets: found,
        credentialCount,
      } = inference.infer(recorded, metadata.current());
      const { notes } = recorded;
      const { attributes } = exchange;
      const redact = keyHider.redactionFor(found);
      counts.exchanges += 1;
      brokenStreams.observe(recorded);
      counts.own += notes ? 1 : 0;
      counts.billable += attributes.surface === 'model' && succeeded(exchange.result) ? 1 : 0;
      counts.badKeys += attributes.key === 'unknown' ? 1 : 0;
      first = Math.min(first, exchange.startedAt);
      last = Math.max(last, exchange.startedAt + exchange.durationMs);
      if (!proven.has(attributes.operation ?? ''))
        for (const id of findOfferedOperations(exchange, promise)) proven.add(id);
      if (disprovesEndpoint(exchange, promise)) disproven.add(attributes.operation ?? '');
      const describeOwn = (): ExchangeReport => {
        // The report shows the recorded URL with its host.
        const shown = { ...exchange, request: { ...exchange.request, path: recorded.request.url } };
        return describeExchange(shown, { baseUrl: '', redact, keyVariables });
      };
      // Without a response, only a run and a connection that the gateway closed show anything.
      const isRecorded =
        notes !== undefined ||
        exchange.result.kind === 'answer' ||
        exchange.result.failure.isUnanswered === true;
      const { results, doubts, isJudged } = isRecorded
        ? judge.add({
            exchange,
            base: findBase(recorded.request.url, exchange),
            position: counts.exchanges,
            run: notes,
            isPlain,
            isWhole: !recorded.request.bodyLost,
            isOffered: isOffered(attributes.operation),
            describe: (located) => ({ finding: describeFinding(located, redact), exchange: describeOwn() }),
          })
        : { results: [], doubts: ['No response was recorded.'], isJudged: false };
      counts.judged += isJudged ? 1 : 0;
      for (const reason of new Set(doubts)) notJudged.add(reason, exchange.id);
      if (!isJudged && !notes && doubts.length === 0)
        notJudged.add(explainNotJudged(attributes), exchange.id);
      for (const { stored } of results) if (!stored) notJudged.add(reportIsFull, exchange.id);
      const isClientCall = !notes && isOperationId(attributes.operation ?? '');
      const breaches = isClientCall
        ? clientJudge.judge({ exchange, credentialCount, isWhole: !recorded.request.bodyLost, redact })
        : [];
      const own = results.filter(({ verdict }) =>
        verdict.findings.every((at) => at.exchange === exchange.id),
      );
      return {
        exchange,
        outcome: findWorstOutcome(own.map(({ verdict }) => verdict.outcome)),
        failed: own.flatMap(({ requirement, verdict: { outcome } }) =>
          isFailed(outcome) ? [{ requirement: requirement.id, outcome }] : [],
        ),
        redact,
        failures: results.flatMap(({ requirement, verdict: { outcome }, stored = [] }) =>
          isFailed(outcome) ? stored.map((finding) => ({ ...finding, requirement, outcome })) : [],
        ),
        breaches,
        describe: () => ({
          exchange: describeOwn(),
          checks: own.map(({ requirement, verdict: { outcome, findings, declared } }) => ({
            requirement: requirement.id,
            outcome,
            ...(declared && { declared }),
            findings: findings.map((located) => describeFinding(located, redact)),
          })),
        }),
      };
    },
    startRecording: metadata.start,
    setMetadata: metadata.set,
    skip: notJudged.add,
    report(stopped) {
      const all = judge.end().map((item) => hideKeysInCase(item, keyHider, keyVariables));
      const isRemoved = ({ suite, attributes }: CaseReport): boolean =>
        (suite === 'recorded' || suite === 'pooled') && !isOffered(attributes.operation);
      const cases = settleDeviations(
        all.filter((item) => !isRemoved(item)),
        promise,
      );
      const deviations = countDeviations(cases, promise);
      const { verdict, summary, suite, requirements } = summarize(promise, cases);
      const broken = brokenStreams.report();
      const hasClient = counts.own < counts.exchanges;
      return {
        schemaVersion: 1,
        tool,
        spec: { revision: promise.revision, sections: promise.sections },
        target: {
          baseUrl: profile.baseUrl || keyHider.hideAll(metadata.firstBase() ?? 'recorded traffic'),
        },
        startedAt: new Date(counts.exchanges > 0 ? first : 0).toISOString(),
        durationMs: counts.exchanges > 0 ? Math.round(last - first) : 0,
        // The unread part of the recording may contain violations.
        verdict: stopped && (verdict === 'conforms' || verdict === 'as-declared') ? 'inconclusive' : verdict,
        diagnosis: [],
        stopped: stopped ?? null,
        shard: null,
        rounds: 1,
        baseline: null,
        ...(deviations && { deviations }),
        suite,
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
            ...keyHider.hideAll(notJudged.list()),
            ...countSimilarKeys(inference.similarKeys()),
            ...countNotOffered(all.filter(isRemoved)),
            ...countUnmatched(promise, requirements),
          ],
          ...(broken && { brokenStreams: broken }),
          learned: keyHider.hideAll(inference.properties()),
          ...(hasClient && { client: hideKeysInClient(clientJudge.report(), keyHider) }),
        },
      };
    },
  };

  /**
   * Whether the gateway offers an operation. An operation at a default path counts as offered if a response proves,
   * and no response disproves, that the operation exists. If a run of this suite sent some of the requests, every
   * operation counts as offered.
   */
  function isOffered(operation: string | undefined): boolean {
    if (operation === undefined || !isOperationId(operation)) return true;
    return (
      inference.profile().operations[operation]?.stated !== 'guess' ||
      (proven.has(operation) && !disproven.has(promise.operations[operation].plain ?? operation)) ||
      counts.own > 0
    );
  }
}

/** Returns the part of a URL before the path of the request; the whole URL if the URL does not end with this path. */
function findBase(url: string, { request: { path } }: Exchange): string {
  return url.endsWith(path) ? url.slice(0, -path.length) : url;
}

const reportIsFull = `The report already has ${maxCases} cases, and this exchange would add another case.`;
