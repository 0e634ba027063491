import { groupBy } from '../../common/lists.ts';
import type { Attributes } from '../catalog/condition.ts';
import { findMostSevere, rankOf, type Severity } from '../judge/severity.ts';
import { isOverlapping } from '../judge/subject.ts';
import type { ExchangeReport, FindingReport, RequirementReport } from '../report/report.ts';
import { type FailedResponse, requestsOf } from './failures.ts';

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
  /**
   * The attributes of the failed requests: of the failed step of a case, which is not always its last, or of a pooled
   * case.
   */
  readonly attributes: readonly Attributes[];
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
  return whole === shown || whole.endsWith(`: ${shown}`);
}

/** Groups failures by symptom: the most severe group first, then the group with the most requests. */
export function groupBySymptom(failures: readonly FailedResponse[]): SymptomGroup[] {
  return groupBy(failures, ({ symptom }) => symptom.key)
    .map(([, own]) => groupOf(own))
    .sort((a, b) => rankOf(a.severity) - rankOf(b.severity) || b.requests.length - a.requests.length);
}

function groupOf(failures: readonly FailedResponse[]): SymptomGroup {
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
    attributes: failures.map(({ item, exchange, attributes }) =>
      exchange.startsWith(`${item.id}#`) ? attributes : item.attributes,
    ),
    requests: [...requestsOf(failures)],
    example: exampleOf(usual) ?? exampleOf(failures),
  };
}

/**
 * Returns the failure with the simplest request among the failures with an exchange. Prefers a request that does not
 * overlap requests with other keys, that is not streamed or repeated, and whose attribute `request` is `valid`.
 * Returns undefined if no failure has an exchange.
 */
function exampleOf(failures: readonly FailedResponse[]): Example | undefined {
  const shown = failures.flatMap((failure) =>
    failure.evidence ? [{ failure, exchange: failure.evidence }] : [],
  );
  const isAlone = ({ failure: { attributes } }: (typeof shown)[number]): boolean =>
    !isOverlapping(attributes);
  const isPlain = (one: (typeof shown)[number]): boolean =>
    isAlone(one) && one.failure.attributes.streamed !== 'true' && one.failure.attributes.repeated !== 'true';
  const found =
    shown.find((one) => isPlain(one) && one.failure.attributes.request === 'valid') ??
    shown.find(isPlain) ??
    shown.find(isAlone) ??
    shown[0];
  if (!found) return undefined;
  const { failure, exchange } = found;
  return {
    requirement: failure.requirement,
    case: failure.item.id,
    exchange,
    message: failure.symptom.message,
    findings: failure.findings,
  };
}
