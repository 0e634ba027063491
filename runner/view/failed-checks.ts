import { groupBy, pluralize, sum } from '../../common/lists.ts';
import { joinCurlLines } from '../report/curl/curl-line.ts';
import type { Report, RequirementReport } from '../report/report.ts';
import { formatClauses, promised } from './clauses.ts';
import { type FailedCheck, labelOf } from './failures.ts';
import { formatAnswer } from './format-answer.ts';
import { knownStartOf } from './known-start.ts';
import { formatSending } from './sending.ts';
import { outcomeLooks } from './signs.ts';

/** The failed checks of a requirement with one outcome, in the order of the report. */
export interface FailedRequirement {
  readonly requirement: RequirementReport;
  readonly outcome: FailedCheck['outcome'];
  readonly breaches: readonly FailedCheck[];
  /** The reasons of the baseline entries that expect these failures. */
  readonly why: readonly string[];
}

/** The maximum number of characters of a quoted body. */
const longestExcerpt = 300;

/** Groups the failed checks that the baseline expects: violations before warnings, then by requirement. */
export function groupExpected(
  checks: readonly FailedCheck[],
  order: readonly RequirementReport[],
): FailedRequirement[] {
  const known = new Map(
    groupBy(
      checks.filter((check) => check.known !== undefined),
      ({ requirement, outcome }) => `${outcome} ${requirement.id}`,
    ),
  );
  return (['violates', 'warns'] as const).flatMap((outcome) =>
    order.flatMap((requirement) => {
      const breaches = known.get(`${outcome} ${requirement.id}`) ?? [];
      return breaches.length > 0 ? [{ requirement, outcome, breaches, why: listReasons(breaches) }] : [];
    }),
  );
}

function listReasons(breaches: readonly FailedCheck[]): string[] {
  return [...new Set(breaches.flatMap(({ known }) => known ?? []))];
}

/**
 * Returns the rows of text that describe a failed check, as pairs of a name and a text. Rows without a text are
 * omitted. The row `received` has at most 300 characters of the response body.
 */
export function describeFailedCheck({
  requirement,
  severity,
  responses,
  found,
  lookAt,
  places,
  exchange,
}: FailedCheck): [string, string][] {
  const rows: [string, string | null | undefined][] = [
    ['says', requirement.says],
    ['clause', formatClauses(requirement).join('; ')],
    ['level', requirement.level],
    ['severity', labelOf(severity, responses)],
    ['expected', promised(requirement)],
    ['found', found],
    ['received', exchange && formatAnswer(exchange, longestExcerpt)],
    ['look at', lookAt],
    ['at', places.join(', ')],
    ['exchange', exchange?.id],
    ['time', exchange && knownStartOf(exchange)],
    ['trace ID', exchange?.traceId],
    ...(exchange ? formatSending(exchange) : []),
    ['curl', exchange && joinCurlLines(exchange.curl)],
  ];
  return rows.flatMap(([name, text]) => (text ? [[name, text]] : []));
}

/** Why checks were not judged, and how many. */
export interface NotJudgedGroup {
  readonly outcome: 'inconclusive' | 'not-applicable';
  readonly reason: string;
  /** The property to add to the profile so that the checks can be judged; undefined if no addition helps. */
  readonly add: string | undefined;
  readonly count: number;
  /** How many of these checks the baseline expects to be without a result. */
  readonly expected: number;
}

const asIs = (text: string): string => text;

/**
 * Formats the number of checks that were not judged, the reason, and the addition to the profile. `show` formats the
 * reason and the addition.
 */
export function formatNotJudged({ count, outcome, reason, add }: NotJudgedGroup, show = asIs): string {
  return `${pluralize(count, 'check')} ${outcomeLooks[outcome].word}: ${show(reason)}${formatRemedy(add, show)}`;
}

/**
 * Formats the addition to the profile as a sentence that follows the reason. Returns an empty string if no addition
 * helps.
 */
export function formatRemedy(add: string | undefined, show = asIs): string {
  return add === undefined ? '' : ` Add ${show(add)}.`;
}

/**
 * Returns the reasons why checks were not judged, each with the number of checks. The reasons of inconclusive checks
 * come before the reasons of checks that are not applicable, and the reasons of most checks first.
 */
export function collectNotJudged({ cases, models }: Pick<Report, 'cases' | 'models'>): NotJudgedGroup[] {
  // The report counts the cases of listed models separately.
  const own = cases.flatMap((item) => (item.model === undefined ? item.checks : []));
  const all = [
    ...own.map(({ expected, ...check }) => ({
      ...check,
      count: 1,
      expected: expected === undefined ? 0 : 1,
    })),
    ...(models?.notJudged ?? []).map((entry) => ({ ...entry, expected: 0 })),
  ];
  return (['inconclusive', 'not-applicable'] as const).flatMap((outcome) =>
    groupBy(
      all.filter((entry) => entry.outcome === outcome),
      ({ reason = '' }) => reason,
    )
      .map(([reason, entries]) => ({
        outcome,
        reason,
        add: entries[0]?.add,
        count: sum(entries.map(({ count }) => count)),
        expected: sum(entries.map(({ expected }) => expected)),
      }))
      .sort((a, b) => b.count - a.count),
  );
}

/** Returns the reasons without the checks that the baseline expects to be without a result. */
export function withoutExpected(groups: readonly NotJudgedGroup[]): NotJudgedGroup[] {
  return groups
    .map((group) => ({ ...group, count: group.count - group.expected, expected: 0 }))
    .filter(({ count }) => count > 0);
}
