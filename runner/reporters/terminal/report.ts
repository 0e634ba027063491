import { formatOneLine, logText } from '../../../common/printable.ts';
import { wrapWords } from '../../../common/wrap.ts';
import { failingResults } from '../../gate/exit-code.ts';
import type { Report } from '../../report/report.ts';
import {
  formatBillable,
  formatCounts,
  formatCoverage,
  formatInconclusiveIds,
  formatRequests,
} from '../../view/counts.ts';
import { formatRest, isOfSelection } from '../../view/result.ts';
import { noticeLook, outcomeLooks } from '../../view/signs.ts';
import type { View } from '../../view/view.ts';
import type { TextStyle } from '../reporter.ts';
import { formatCauseLines } from './cause-lines.ts';
import { formatGridLines } from './grid.ts';
import { createPageStyle, formatClientVerdict, formatVerdict, type PageStyle, paintSign } from './page.ts';
import { formatClientLines, formatModelLines, formatRecordingLines } from './recording.ts';
import { formatSdkTableLines } from './sdk-table-lines.ts';
import { formatClosingLines, formatFixFirstLines, formatNotTestedLines } from './short-report.ts';
import {
  formatDeclared,
  formatDeviationLines,
  formatKnownLines,
  formatProblemLines,
  formatRecoveredLines,
  formatSummaryLines,
  formatUnstableLines,
} from './summary.ts';

/**
 * The maximum number of lines of a full report that has causes, without `--verbose`. A short report replaces a longer
 * report.
 */
const mostLines = 60;

/**
 * Formats the report as text. The verdict is last, next to the prompt of the shell. Formats the full report with
 * `--verbose`, without causes, or if the full report has at most 60 lines. Otherwise, formats a short report with the
 * five most severe causes, the titles of other causes, and the place of the full report.
 */
export function terminal(view: View, style: TextStyle): string {
  const page = createPageStyle(style);
  if (!page.verbose && isBlocked(view))
    return logText(join([diagnosisLines(page, view.report), resultLines(page, view)]), {
      colours: page.colour,
    });
  const full = fullSections(page, view);
  const isComplete = page.verbose || view.causes.length === 0 || countLines(full) <= mostLines;
  // Every text is untrusted, even the text of a requirement: anyone may have written the reports from which this report
  // was merged.
  return logText(join(isComplete ? full : shortSections(page, view)), { colours: page.colour });
}

/**
 * Whether nothing could be judged for one reason, such as a wrong base URL. The report then ends after this reason,
 * since nothing else in it has a meaning.
 */
function isBlocked({ report, gate, expected }: View): boolean {
  const isBare = report.baseline === null && !report.recording && expected.length === 0;
  return (
    isBare &&
    gate.result === 'inconclusive' &&
    report.summary.requirements.violates === 0 &&
    report.diagnosis.some(({ kind }) => ['unreachable', 'wrong-path', 'key-refused'].includes(kind))
  );
}

type Sections = readonly (readonly string[])[];

function join(sections: Sections): string {
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return `${text}\n`;
}

function countLines(sections: Sections): number {
  return join(sections).split('\n').length - 1;
}

function fullSections(page: PageStyle, view: View): Sections {
  const { report } = view;
  return [
    diagnosisLines(page, report),
    headlineLines(page, view),
    ...view.causes.map((cause) => formatCauseLines(page, cause)),
    formatProblemLines(page, report),
    formatUnstableLines(page, report),
    formatNotTestedLines(page, view),
    page.verbose ? observedLines(page, report) : [],
    formatKnownLines(page, report),
    page.verbose ? formatDeviationLines(page, view) : [],
    formatRecordingLines(page, report),
    formatClientLines(page, report),
    formatGridLines(page, view),
    formatSdkTableLines(page, view.sdks),
    formatModelLines(page, view),
    formatSummaryLines(page, view),
    coverageLines(page, view),
    verdictLines(page, view),
  ];
}

/** The maximum numbers of baseline entries and of declared deviations that fail the run in a short report. */
const mostProblems = 5;

const gridRows = { most: 12, fewest: 2 };

function shortSections(page: PageStyle, view: View): Sections {
  const { report } = view;
  const before = (hasIds: boolean): Sections => [
    [...resultLines(page, view), ...headlineLines(page, view)],
    diagnosisLines(page, report),
    formatFixFirstLines(page, view, hasIds),
    formatProblemLines(page, report, mostProblems),
  ];
  const after: Sections = [
    formatSdkTableLines(page, view.sdks),
    formatUnstableLines(page, report),
    formatKnownLines(page, report),
    formatRecordingLines(page, report),
    formatClientLines(page, report),
    formatModelLines(page, view),
    formatClosingLines(page, view),
    verdictLines(page, view),
  ];
  // The grid gets the remaining lines, with a blank line before the grid. If too few lines remain, the case IDs are
  // omitted. If the grid does not fit either way, the case IDs are omitted only if the report then fits.
  for (const hasIds of [true, false]) {
    const room = mostLines - countLines([...before(hasIds), ...after]) - 1;
    for (let rows = Math.min(gridRows.most, room); rows >= gridRows.fewest; rows--) {
      const grid = formatGridLines(page, view, rows);
      if (grid.length <= room) return [...before(hasIds), grid, ...after];
    }
  }
  const withoutGrid = [true, false].map((hasIds) => [...before(hasIds), ...after]);
  return withoutGrid.find((sections) => countLines(sections) <= mostLines) ?? [...before(true), ...after];
}

/** Formats the diagnoses, except the reason for a stop, which is next to the verdict. */
function diagnosisLines(page: PageStyle, { diagnosis }: Report): string[] {
  return diagnosis
    .filter(({ kind }) => kind !== 'stopped')
    .flatMap(({ message }) => wrapWords(page, `${paintSign(page, noticeLook)} `, formatOneLine(message)));
}

function headlineLines(page: PageStyle, { headlines }: View): string[] {
  return headlines.flatMap((headline) => wrapWords(page, '  ', page.paint('bold', formatOneLine(headline))));
}

function observedLines(page: PageStyle, { observations }: Report): string[] {
  const lines = observations.flatMap((item) =>
    wrapWords(page, '  ', `${item.case}: ${formatOneLine(item.seen)}`),
  );
  return lines.length === 0 ? [] : [page.paint('bold', 'Observations (never fail a run)'), ...lines];
}

function coverageLines(page: PageStyle, view: View): string[] {
  const { report, expectedFailures: expected } = view;
  const { summary } = report;
  const billable = formatBillable(report);
  const coverage = formatCoverage(report);
  const declared = formatDeclared(view);
  return [
    ...wrapWords(
      page,
      page.paint('bold', 'Requirements  '),
      formatCounts(summary.requirements, expected.requirements),
    ),
    ...wrapWords(page, page.paint('bold', 'Cases         '), formatCounts(summary.cases, expected.cases)),
    ...(declared === '' || page.verbose
      ? []
      : wrapWords(page, page.paint('bold', 'Declared      '), declared)),
    ...(coverage === '' ? [] : wrapWords(page, page.paint('bold', 'Coverage      '), coverage)),
    ...(billable === '' ? [] : wrapWords(page, page.paint('bold', 'Billable      '), billable)),
  ];
}

function inconclusiveLines(page: PageStyle, view: View): string[] {
  const text = formatInconclusiveIds(view);
  return text === '' ? [] : wrapWords(page, page.paint('bold', 'Inconclusive  '), text);
}

function verdictLines(page: PageStyle, view: View): string[] {
  const { report } = view;
  const { stopped } = report;
  // The diagnosis at the top already states that the gateway did not respond.
  const why = stopped && stopped.kind !== 'unanswered' ? formatOneLine(stopped.reason) : '';
  return [
    ...(why === ''
      ? []
      : wrapWords(page, `${paintSign(page, noticeLook)} `, `${why} The other results are above.`)),
    ...formatRecoveredLines(page, report),
    ...inconclusiveLines(page, view),
    ...resultLines(page, view),
  ];
}

function resultLines(page: PageStyle, view: View): string[] {
  const { report } = view;
  const { target, shard, durationMs } = report;
  const part = shard ? `  shard ${shard.index} of ${shard.of}` : '';
  const over = report.recording ? 'over' : 'in';
  const took = page.paint('dim', `${formatRequests(report)} ${over} ${(durationMs / 1000).toFixed(1)} s`);
  return wrapWords(
    page,
    '',
    `${resultText(page, view)}${part}  ${formatOneLine(target.baseUrl)}  ${took}${clientText(page, view)}`,
  );
}

/** Formats the duties that clients violated, if they don't fail the command; empty without any. */
function clientText(page: PageStyle, { gate: { violatedDuties } }: View): string {
  const duties = violatedDuties.map(({ id }) => id).join(', ');
  return duties === '' || page.strictClient
    ? ''
    : `; ${page.paint('red', `${outcomeLooks.violates.sign} clients violate`)} ${duties} (fails only with --strict-client)`;
}

function resultText(page: PageStyle, view: View): string {
  const { result, violatedDuties } = view.gate;
  const duties = page.strictClient ? violatedDuties.map(({ id }) => id) : [];
  return duties.length === 0 || failingResults.includes(result)
    ? formatVerdict(page, result, {
        name: isOfSelection(view) ? 'Passed' : undefined,
        rest: formatRest(view),
      })
    : formatClientVerdict(page, view, duties);
}
