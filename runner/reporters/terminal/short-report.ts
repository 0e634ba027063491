import { pluralize, sum } from '../../../common/lists.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { clip, wrapWords } from '../../../common/wrap.ts';
import { isGrave } from '../../judge/severity.ts';
import type { RequirementReport } from '../../report/report.ts';
import { type Cause, formatAccepted } from '../../view/causes.ts';
import { clausesOf, promised } from '../../view/clauses.ts';
import {
  formatBillable,
  formatCauseCount,
  formatCountsShort,
  formatCoverage,
  formatWhere,
} from '../../view/counts.ts';
import {
  formatNotJudged,
  formatRemedy,
  type NotJudgedGroup,
  withoutExpected,
} from '../../view/failed-checks.ts';
import { formatAnswer } from '../../view/format-answer.ts';
import { formatAttempts } from '../../view/reproduction.ts';
import { outcomeLooks } from '../../view/signs.ts';
import type { View } from '../../view/view.ts';
import { fitsTitle, formatTitleLines } from './cause-lines.ts';
import { formatFirstLines, type PageStyle, signOf } from './page.ts';
import { formatDeclared } from './summary.ts';

/** The maximum number of causes that a short report shows with an example. */
const shownCauses = 5;
/** The maximum width of a line of a cause after its label, in columns, even if the width of the page is infinite. */
const longestLine = 200;

/**
 * Formats the first 5 causes in a few lines each; empty if there are no causes. `hasIds` states whether to show the ID
 * of each example case, for use with `explain` and `--only`.
 */
export function formatFixFirstLines(page: PageStyle, view: View, hasIds: boolean): string[] {
  const { causes } = view;
  if (causes.length === 0) return [];
  const shown = chooseShown(view);
  const rest = causes.length - shown.length;
  const more =
    rest > 0 ? page.paint('dim', `  the ${shown.length} most severe of ${causes.length} causes`) : '';
  return [
    page.paint('bold', 'Fix first') + more,
    ...shown.flatMap((cause, index) => oneCause(page, cause, index + 1, hasIds)),
  ];
}

/** Returns the most severe causes. One that a headline names is among them, since a reader looks for it. */
function chooseShown({ causes, commonStatuses }: View): readonly Cause[] {
  const first = causes.slice(0, shownCauses);
  const named = commonStatuses.find(({ cause }) => !first.includes(cause));
  return named ? [...first.slice(0, -1), named.cause] : first;
}

function oneCause(page: PageStyle, cause: Cause, number: number, hasIds: boolean): string[] {
  const { paint } = page;
  const { example } = cause;
  const accepted = formatAccepted(cause);
  const requirement = example?.requirement ?? cause.requirements[0];
  const prefix = `${number}. ${signOf(page, cause.outcome)} `;
  const isSeverityShown = fitsTitle(page, prefix, cause) || !isGrave(cause.severity);
  const seen = [...(isSeverityShown ? [] : [cause.label]), formatWhere(cause)];
  const again = formatAttempts(cause.reproduction);
  const line = (label: string, text: string): string => {
    const prefix = `   ${label.padEnd(8)}  `;
    return paint('dim', prefix) + clip(text, Math.min(longestLine, page.width - prefix.length));
  };
  return [
    ...formatTitleLines(page, prefix, cause),
    line('where', seen.join(': ')),
    ...(again === '' ? [] : [line('again', again)]),
    ...(example
      ? [
          line('expected', promised(example.requirement)),
          line('received', formatAnswer(example.exchange, longestLine)),
        ]
      : []),
    ...(requirement ? [line('spec', formatSource(requirement))] : []),
    ...(accepted === undefined ? [] : [line('baseline', accepted)]),
    line('look at', cause.lookAt),
    ...(example && hasIds ? [line('case', example.case)] : []),
  ];
}

/**
 * Formats the ID of a requirement with its first clause that has a quote: `auth/x (5 rule 2): “…”`. If no clause has
 * a quote, uses the first clause.
 */
function formatSource(requirement: RequirementReport): string {
  const clauses = clausesOf(requirement);
  const { name = '', quote = '' } = clauses.find((clause) => clause.quote !== '') ?? clauses[0] ?? {};
  return `${requirement.id} (${name})${quote === '' ? '' : `: “${quote}”`}`;
}

/**
 * Formats the end of a short report: the counts, the titles of the other causes, and the place of the full report.
 * Also formats the most frequent reason why checks were not judged.
 */
export function formatClosingLines(page: PageStyle, view: View): string[] {
  const { report, expectedFailures: expected } = view;
  const shown = chooseShown(view);
  const rest = view.causes.filter((cause) => !shown.includes(cause));
  const titlesOf = (outcome: Cause['outcome']): string =>
    rest
      .filter((cause) => cause.outcome === outcome)
      .map((cause) => `${cause.title} (${formatCauseCount(cause)})`)
      .join('; ');
  return [
    ...row(page, 'Requirements', formatCountsShort(report.summary.requirements, expected.requirements), 1),
    ...row(page, 'Cases', formatCountsShort(report.summary.cases, expected.cases), 1),
    ...row(page, 'Declared', formatDeclared(view), 1),
    ...row(page, 'Coverage', formatCoverage(report), 1),
    ...row(page, 'Billable', formatBillable(report), 1),
    ...row(page, 'Also failed', titlesOf('violates'), 3),
    ...row(page, 'Warnings', titlesOf('warns'), 2),
    ...row(page, 'Not tested', formatNotTested(view), 2),
    ...row(page, 'Full report', formatFullReportPlace(page), 2),
  ];
}

/** Formats the most frequent reason why checks were not judged, and the number of other reasons. */
function formatNotTested({ notTested }: View): string {
  const open = withoutExpected(notTested).sort((a, b) => b.count - a.count);
  const [most] = open;
  if (!most) return '';
  const rest = open.length - 1;
  return (
    formatNotJudged(most) +
    (rest > 0 ? ` There ${rest === 1 ? 'is' : 'are'} ${pluralize(rest, 'more reason')}.` : '')
  );
}

function formatFullReportPlace({ files = [] }: PageStyle): string {
  const full = files.filter(({ name }) => name === 'html' || name === 'json');
  return full.length > 0
    ? full.map(({ file }) => file).join(', ')
    : '--verbose, or --reporter html=report.html (both have curl lines)';
}

function row(page: PageStyle, label: string, text: string, most: number): string[] {
  if (text === '') return [];
  const lines = wrapWords(page, page.paint('bold', label.padEnd(14)), formatOneLine(text, maxRowLength));
  const shown = lines.slice(0, most);
  const last = shown.at(-1) ?? '';
  return lines.length > most ? [...shown.slice(0, -1), `${last.replace(/\S+$/, '')}…`] : shown;
}

/** The maximum number of characters of a row at the end of a short report, without the label. */
const maxRowLength = 400;

const shownReasons = 6;

/**
 * Formats the reasons why checks were not judged, with the properties to add to the profile. Omits checks whose outcome
 * the baseline expects; empty if no other reason remains. If one reason prevents the whole run, formats only the number
 * of checks, unless `verbose` is set.
 */
export function formatNotTestedLines(page: PageStyle, { report, notTested }: View): string[] {
  const { paint, verbose } = page;
  const open = withoutExpected(notTested);
  if (open.length === 0) return [];
  const title = paint('bold', 'Not tested');
  // If one reason prevents the whole run, the other reasons do not help.
  const isBlocked = report.diagnosis.some(
    ({ kind, operation }) => !['stopped', 'left-changed'].includes(kind) && operation === undefined,
  );
  if (!verbose && isBlocked) {
    const count = sum(open.map((item) => item.count));
    return wrapWords(
      page,
      '',
      `${title}  ${pluralize(count, 'check')} for the reason above (--verbose shows all)`,
    );
  }
  return [
    `${title}  ${paint('dim', `checks: ${formatMeaning('inconclusive')}, ${formatMeaning('not-applicable')}`)}`,
    ...formatFirstLines(page, { items: largestFirst(open), most: shownReasons, noun: 'reason' }, (item) =>
      reasonLines(page, item),
    ),
  ];
}

/** Sorts reasons: first those of inconclusive checks, then by the number of checks. */
function largestFirst(reasons: readonly NotJudgedGroup[]): NotJudgedGroup[] {
  const isOpen = ({ outcome }: NotJudgedGroup): number => (outcome === 'inconclusive' ? 1 : 0);
  return reasons.toSorted((a, b) => isOpen(b) - isOpen(a) || b.count - a.count);
}

function formatMeaning(outcome: NotJudgedGroup['outcome']): string {
  const { sign, word } = outcomeLooks[outcome];
  return `${sign} ${word}`;
}

function reasonLines(page: PageStyle, { outcome, reason, add, count }: NotJudgedGroup): string[] {
  const { paint } = page;
  const remedy = formatRemedy(add);
  return wrapWords(
    page,
    `${signOf(page, outcome)} ${String(count).padStart(4)}  `,
    formatOneLine(reason) + (remedy && paint('cyan', remedy)),
  );
}
