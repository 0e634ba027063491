import { groupBy } from '../../common/lists.ts';
import { findMostSevere, rankOf, type Severity } from '../judge/severity.ts';
import type { ExchangeReport, FindingReport, RequirementReport } from '../report/report.ts';
import { type FailedResponse, isDirect, requestsOf } from './failures.ts';
import { usualValues } from './value-words.ts';

/** Failures with the same symptom. */
export interface SymptomGroup {
  /** The highest severity of the failures. */
  readonly severity: Severity;
  /** The expected and the received value, in the most frequent message. */
  readonly message: string;
  /** The message without the values that differ between findings with this symptom. */
  readonly seen: string;
  /** The place to check first in the response, and the expected value there. */
  readonly lookAt: string;
  /** The number of other messages with the same symptom. A gateway may send a different wrong value each time. */
  readonly otherMessages: number;
  /** The places in the response: JSON pointers, `status`, `body` or `header NAME`. */
  readonly places: readonly string[];
  readonly requirements: readonly RequirementReport[];
  /** The IDs of the failed cases. */
  readonly cases: readonly string[];
  /** The IDs of the failed requests. All attempts of a request count as one request. */
  readonly requests: readonly string[];
  /** One of the failures, with its exchange; undefined if no failure has an exchange. */
  readonly example: Example | undefined;
}

/** A failure with the exchange that shows the failure. */
export interface Example {
  readonly requirement: RequirementReport;
  readonly case: string;
  readonly exchange: ExchangeReport;
  /** The expected and the received value. */
  readonly message: string;
  readonly findings: readonly FindingReport[];
}

/** Whether the title of a cause is the text of a symptom, or ends with a colon and this text. Ignores case. */
export function isInTitle(text: string, title: string): boolean {
  const [shown, whole] = [text.toLowerCase(), title.toLowerCase()];
  return whole === shown || whole.endsWith(`: ${shown}`) || whole.includes(`${shown} instead of`);
}

/** What makes a failure a good example. */
interface Preference {
  /** Returns the number of cases in which a requirement was judged. */
  readonly breadthOf: (requirement: RequirementReport) => number;
  /** The subject that the title names. */
  readonly subject: string | undefined;
}

/** Groups failures by symptom: the most severe group first, then the group with the most requests. */
export function groupBySymptom(
  failures: readonly FailedResponse[],
  preference: Preference = { breadthOf: () => 0, subject: undefined },
): SymptomGroup[] {
  return groupBy(failures, ({ symptom }) => symptom.key)
    .map(([, own]) => groupOf(own, preference))
    .sort((a, b) => rankOf(a.severity) - rankOf(b.severity) || b.requests.length - a.requests.length);
}

function groupOf(failures: readonly FailedResponse[], preference: Preference): SymptomGroup {
  const byMessage = groupBy(failures, ({ symptom }) => symptom.message).sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const [[, usual] = ['', []]] = byMessage;
  const [first] = usual;
  return {
    severity: findMostSevere(failures.map(({ severity }) => severity)),
    message: first?.symptom.message ?? '',
    seen: first?.symptom.seen ?? '',
    lookAt: first?.symptom.lookAt ?? '',
    otherMessages: byMessage.length - 1,
    places: first?.symptom.places ?? [],
    requirements: [...new Set(failures.map(({ requirement }) => requirement))],
    cases: [...new Set(failures.map(({ item }) => item.id))],
    requests: [...requestsOf(failures)],
    example: exampleOf(usual, preference) ?? exampleOf(failures, preference),
  };
}

/**
 * Returns the failure that explains the others best: a request of its own case before one of a pooled case, a simple
 * request before one with unusual properties, a `must` before a `should`, and a requirement for few cases before one
 * for many. Returns undefined if no failure has an exchange.
 */
function exampleOf(failures: readonly FailedResponse[], preference: Preference): Example | undefined {
  const shown = failures.flatMap((failure) =>
    failure.evidence ? [{ failure, exchange: failure.evidence, rank: rankExample(failure, preference) }] : [],
  );
  const [first] = shown;
  if (!first) return undefined;
  const found = shown.reduce((best, one) => (comesBefore(one.rank, best.rank) ? one : best), first);
  const { failure, exchange } = found;
  return {
    requirement: failure.requirement,
    case: failure.item.id,
    exchange,
    message: failure.symptom.message,
    findings: failure.findings,
  };
}

function rankExample(failure: FailedResponse, preference: Preference): readonly number[] {
  const { attributes, outcome, requirement } = failure;
  const unusual = Object.entries<readonly string[]>(usualValues).filter(
    ([name, values]) => !values.includes(attributes[name] ?? values[0] ?? ''),
  );
  return [
    isDirect(failure) ? 0 : 1,
    failure.subject === preference.subject ? 0 : 1,
    unusual.length,
    outcome === 'violates' ? 0 : 1,
    preference.breadthOf(requirement),
  ];
}

function comesBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}
