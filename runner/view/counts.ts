import { formatFirst, pluralize } from '../../common/lists.ts';
import type { Gate } from '../gate/exit-code.ts';
import { type Outcome, outcomes } from '../judge/outcome.ts';
import type { CoverageCounts } from '../plan/coverage.ts';
import type { ModelFailure } from '../report/model-failures.ts';
import type { Report } from '../report/report.ts';
import type { Counts } from '../report/report-sections.ts';
import { memberOfOutcome } from '../report/summarize.ts';
import { type Cause, countOf } from './causes.ts';
import type { FailedCheck } from './failures.ts';
import { formatConforming, formatOccurrence } from './occurrence.ts';
import { formatReproduction } from './reproduction.ts';
import { formatCount, outcomeLooks } from './signs.ts';
import type { Cell, Table } from './table.ts';

/** The numbers of failed requirements and of failed cases for which the baseline expects every violation. */
export interface ExpectedFailures {
  readonly requirements: number;
  /** 0 with listed models, because the report does not contain all cases of these models. */
  readonly cases: number;
}

export function countExpectedFailures(
  failedChecks: readonly (Pick<FailedCheck, 'outcome' | 'known'> &
    Readonly<Record<'item' | 'requirement', { readonly id: string }>>)[],
  modelFailures: readonly ModelFailure[],
  { models }: Pick<Report, 'models'>,
): ExpectedFailures {
  const violations = failedChecks.filter(({ outcome }) => outcome === 'violates');
  const ofModels = modelFailures.filter(({ outcome }) => outcome === 'violates');
  return {
    requirements: countAllKnown([
      ...violations.map(({ requirement, known }) => ({ of: requirement.id, known })),
      ...ofModels.map(({ requirement, known }) => ({ of: requirement, known })),
    ]),
    cases: models ? 0 : countAllKnown(violations.map(({ item, known }) => ({ of: item.id, known }))),
  };
}

/** Counts the requirements or cases of which every failure is known. */
function countAllKnown(
  failures: readonly { readonly of: string; readonly known: string | undefined }[],
): number {
  const unknown = new Set(failures.flatMap(({ of, known }) => (known === undefined ? [of] : [])));
  return new Set(failures.map(({ of }) => of)).size - unknown.size;
}

/** Returns the numbers above zero with their outcomes, in the order of `order`. */
export function countsByOutcome(
  counts: Counts,
  order: readonly Outcome[] = outcomes,
): (readonly [Outcome, number])[] {
  return order
    .map((outcome) => [outcome, counts[memberOfOutcome[outcome]]] as const)
    .filter(([, count]) => count > 0);
}

/** The order in which counts are read: what passed, then what did not. */
const readingOrder: readonly Outcome[] = [
  'conforms',
  'deviates',
  'violates',
  'warns',
  'inconclusive',
  'not-applicable',
];

/** The members of counts, with the words for them. */
export const countWords: readonly (readonly [keyof Counts, string])[] = [
  ['planned', 'planned'],
  ...readingOrder.map((outcome) => [memberOfOutcome[outcome], outcomeLooks[outcome].word] as const),
];

/** Lays out the numbers of requirements and of cases by outcome. */
export function layOutCounts({ requirements, cases }: Report['summary']): Table {
  return {
    title: 'Counts',
    corner: '',
    columns: countWords.map(([, name]) => ({ name, kind: 'word', align: 'right' })),
    rows: Object.entries({ requirements, cases }).map(([label, counts]) => ({
      label,
      kind: 'word',
      cells: cellsOf(counts),
    })),
  };
}

/** Returns a cell for each member of `countWords`. */
export function cellsOf(counts: Counts): Cell[] {
  return countWords.map(([member]) => ({ text: String(counts[member]) }));
}

/** Formats counts without zeros, such as `8 passed, 2 failed (1 expected)`. */
export function formatParts(counts: Counts, expected: number, order: readonly Outcome[]): string {
  return countsByOutcome(counts, order)
    .map(
      ([outcome, count]) =>
        `${formatCount(outcome, count)}${outcome === 'violates' && expected > 0 ? ` (${expected} expected)` : ''}`,
    )
    .join(', ');
}

/** Formats counts, such as `10 planned: 8 passed, 2 failed (1 expected)`. */
export function formatCounts(counts: Counts, expected = 0): string {
  return `${counts.planned} planned: ${formatParts(counts, expected, readingOrder) || 'none tested'}`;
}

/**
 * Formats counts in fewer words, such as `10: 2 failed (1 expected), 8 passed`. Inconclusive and not applicable items
 * count as `not tested`.
 */
export function formatCountsShort(counts: Counts, expected: number): string {
  const { planned, inconclusive, notApplicable } = counts;
  const open = inconclusive + notApplicable;
  const parts = [
    formatParts(counts, expected, ['violates', 'warns', 'conforms', 'deviates']),
    ...(open > 0 ? [`${open} not tested`] : []),
  ];
  return `${planned}: ${parts.filter((part) => part !== '').join(', ')}`;
}

/** Formats the number of requests that were sent or, for recorded traffic, of exchanges that were read. */
export function formatRequests({ requests, recording }: Report): string {
  return pluralize(requests.sent, recording ? 'exchange' : 'request');
}

/**
 * Formats the number of calls that may have been billed and the number of planned billable calls. Returns an empty
 * string if the report does not contain the number of calls that may have been billed.
 */
export function formatBillable({ requests: { billed, billable } }: Report): string {
  return billed === undefined ? '' : `${pluralize(billed, 'call')}, ${billable} planned`;
}

/**
 * Formats the coverage, such as `94 % of pairs, 86 % of critical combinations of three`. Adds the percentage of
 * combinations that are not applicable, unless the rounded percentage is 0. Returns an empty string for a report
 * without coverage.
 */
export function formatCoverage({ coverage }: Report): string {
  if (!coverage) return '';
  const { pairs, triples } = coverage;
  const total = pairs.total + triples.total;
  const notApplicable =
    total === 0 ? 0 : Math.round(((pairs.notApplicable + triples.notApplicable) / total) * 100);
  const applicable = notApplicable === 0 ? '' : 'applicable ';
  const shares = `${formatPercentage(pairs)} of ${applicable}pairs, ${formatPercentage(triples)} of critical ${applicable}combinations of three`;
  return notApplicable === 0 ? shares : `${shares}; ${notApplicable} % of all are not applicable`;
}

/** Formats the percentage of the applicable combinations that were judged. Rounds down, so that 100 % means all. */
export function formatPercentage({ total, judged, notApplicable }: CoverageCounts): string {
  const possible = total - notApplicable;
  return `${possible === 0 ? 100 : Math.floor((judged / possible) * 100)} %`;
}

const maxShownIds = 6;

/**
 * Formats the IDs of the `must` requirements that make the result inconclusive: at most six IDs, and the number of
 * further IDs. Returns an empty string if the result is not inconclusive or has another cause.
 */
export function formatInconclusiveIds({
  report,
  gate,
}: {
  readonly report: Report;
  readonly gate: Gate;
}): string {
  const isBlocked = report.diagnosis.some(
    ({ kind, operation }) => kind !== 'left-changed' && operation === undefined,
  );
  if (isBlocked || gate.result !== 'inconclusive') return '';
  return formatFirst(gate.inconclusiveMusts, maxShownIds);
}

/**
 * Formats the numbers of failed and of judged cases of a cause, such as `2 of 5 cases`, or `5 cases` if all judged
 * cases failed. For a pooled cause, formats the number of failed requests.
 */
export function formatCauseCount(cause: Pick<Cause, 'cases' | 'judged' | 'requests' | 'isPooled'>): string {
  const { number, of } = countOf(cause);
  if (of === undefined) return pluralize(number, 'request');
  return of === number ? pluralize(number, 'case') : `${number} of ${pluralize(of, 'case')}`;
}

/** Returns which requests conform, and what happened when one that fails was sent again: sentences without full stops. */
export function listContrasts({
  occurrence,
  reproduction,
  mixedUp,
}: Pick<Cause, 'occurrence' | 'reproduction' | 'mixedUp'>): string[] {
  const conforming = formatConforming(occurrence);
  return [conforming && `Conforms: ${conforming}`, mixedUp, formatReproduction(reproduction)].filter(
    (text) => text !== '',
  );
}

/** Formats the count of a cause and which requests fail: `2 of 5 cases: only on chat`. */
export function formatWhere(
  cause: Pick<Cause, 'cases' | 'judged' | 'requests' | 'isPooled' | 'occurrence' | 'reproduction'>,
): string {
  return [
    formatCauseCount(cause),
    formatOccurrence(cause.occurrence, { fails: cause.reproduction?.pattern === 'always' }),
  ]
    .filter((text) => text !== '')
    .join(': ');
}
