import { groupBy } from '../../common/lists.ts';
import { maxPooledExamples } from '../judge/case-results.ts';
import { type Finding, formatFinding } from '../judge/finding.ts';
import { symptomOf } from './symptom.ts';

/**
 * The maximum number of symptoms with an example, for each requirement. A gateway may send a different wrong value
 * each time.
 */
const maxSymptoms = 10;

/** The findings of one check, each with the ID of its exchange. */
export interface FoundInPool {
  readonly findings: readonly { readonly exchange: string; readonly finding: Finding }[];
}

/**
 * Returns the exchanges that a pooled case shows, in the given order: one example of each symptom, for at most ten
 * symptoms of each requirement. Up to a total of ten exchanges, adds one example of each other finding, and then any
 * other exchanges. These additions contain at most one attempt of each request.
 */
export function selectExamples<T extends { readonly id: string }>(
  exchanges: readonly T[],
  checks: readonly FoundInPool[],
): T[] {
  const known = new Set(exchanges.map(({ id }) => id));
  const needed = new Set<string>();
  for (const { findings } of checks) {
    const inPool = findings.filter(({ exchange }) => known.has(exchange));
    for (const ids of idsBySymptom(inPool).slice(0, maxSymptoms)) addFirst(needed, ids);
  }
  const requests = new Set([...needed].map(requestOf));
  const fill = (id: string | undefined): void => {
    if (id === undefined || needed.size >= maxPooledExamples || requests.has(requestOf(id))) return;
    needed.add(id);
    requests.add(requestOf(id));
  };
  const all = checks.flatMap(({ findings }) => findings).filter(({ exchange }) => known.has(exchange));
  for (const [, [first]] of groupBy(all, ({ finding }) => formatFinding(finding))) fill(first?.exchange);
  for (const { id } of exchanges) fill(id);
  return exchanges.filter(({ id }) => needed.has(id));
}

function idsBySymptom(findings: FoundInPool['findings']): string[][] {
  const byExchange = groupBy(findings, ({ exchange }) => exchange);
  const symptoms = byExchange.map(([exchange, own]) => ({
    exchange,
    symptom: symptomOf(own.map(({ finding }) => finding)).key,
  }));
  return groupBy(symptoms, ({ symptom }) => symptom).map(([, own]) => own.map(({ exchange }) => exchange));
}

/** Adds one of the IDs, preferably an ID without the number of an attempt. Adds no ID if one was already added. */
function addFirst(needed: Set<string>, ids: readonly string[]): void {
  if (ids.some((id) => needed.has(id))) return;
  const first = ids.find((id) => id === requestOf(id)) ?? ids[0];
  if (first !== undefined) needed.add(first);
}

/**
 * Returns the ID of the request of an exchange, with its round. All attempts of a request in a round have the same
 * request ID.
 */
export function requestOf(exchange: string): string {
  return exchange.replace(/~\d+(?=@\d+$|$)/, '');
}
