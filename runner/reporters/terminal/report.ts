import { type Cause, causesOf } from '../../report/causes/causes.ts';
import { headlinesOf } from '../../report/causes/headlines.ts';
import { formatExpectedChecks, overallResultOf } from '../../report/exit-code.ts';
import { formatBillable, formatCounts, formatRequests, formatUndecided } from '../../report/format-counts.ts';
import type { Report } from '../../report/report.ts';
import { logText, oneLine } from '../../text/printable.ts';
import { hang } from '../../text/wrap.ts';
import type { TextStyle } from '../reporter.ts';
import { type CasesById, causeLines } from './cause-lines.ts';
import { gridLines } from './grid.ts';
import { briefLines, notTestedLines } from './in-brief.ts';
import { makePage, type Page, verdictText } from './page.ts';
import { clientLines, modelLines, recordingLines } from './recording.ts';
import { repairFirstLines, shownCauses } from './repair-first.ts';
import { sdkTableLines } from './sdk-table-lines.ts';
import { baselineProblemLines, knownLines, summaryLines, unstableLines } from './summary.ts';

/** A report in full that has more lines than this gives way to a shorter one, unless it was asked for. */
const mostLines = 60;

/** A report with what its sections share. */
interface Content {
  readonly report: Report;
  readonly cases: CasesById;
  readonly causes: readonly Cause[];
  readonly headlines: readonly string[];
}

/**
 * The report as text: every cause in full where that fits into a screen or two, else what to repair first, which
 * requirements fail, and how to see the rest. The verdict stands last, next to the prompt.
 */
export function terminal(report: Report, style: TextStyle): string {
  const page = makePage(style);
  const causes = causesOf(report);
  const content: Content = {
    report,
    cases: new Map(report.cases.map((item) => [item.id, item])),
    causes,
    headlines: headlinesOf(report, causes),
  };
  const full = fullSections(page, content);
  const isShort = page.verbose || causes.length === 0 || countLines(full) <= mostLines;
  // Any text can be foreign, those of the requirements too: a merged report may come from anybody.
  return logText(join(isShort ? full : shortSections(page, content)), { colours: page.colour });
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

function fullSections(page: Page, { report, cases, causes, headlines }: Content): Sections {
  return [
    diagnosisLines(page, report),
    baselineProblemLines(page, report),
    headlineLines(page, headlines),
    ...causes.map((cause) => causeLines(page, cases, cause)),
    unstableLines(page, report),
    notTestedLines(page, report),
    page.verbose ? observedLines(page, report) : [],
    knownLines(page, report),
    recordingLines(page, report),
    clientLines(page, report),
    gridLines(page, report),
    sdkTableLines(page, report),
    modelLines(page, report),
    summaryLines(page, report),
    coverageLines(page, report),
    verdictLines(page, report),
  ];
}

/** How many rows of the grid of credentials a short report has at most, and how few it may have. */
const gridRows = { most: 12, fewest: 2 };

function shortSections(page: Page, content: Content): Sections {
  const { report, cases, causes, headlines } = content;
  const before: Sections = [
    [...verdictLines(page, report).slice(-1), ...headlineLines(page, headlines)],
    diagnosisLines(page, report),
    baselineProblemLines(page, report),
    repairFirstLines(page, cases, causes),
  ];
  const after: Sections = [
    sdkTableLines(page, report),
    unstableLines(page, report),
    knownLines(page, report),
    recordingLines(page, report),
    clientLines(page, report),
    modelLines(page, report),
    briefLines(page, report, { shown: causes.slice(0, shownCauses), all: causes }),
    verdictLines(page, report),
  ];
  // The grid takes the room that is left, with a blank line before it.
  const room = mostLines - countLines([...before, ...after]) - 1;
  const most = Math.min(gridRows.most, room);
  for (let rows = most; rows >= gridRows.fewest; rows--) {
    const grid = gridLines(page, report, rows);
    if (grid.length <= room) return [...before, grid, ...after];
  }
  return [...before, ...after];
}

/** Why the run was stopped is told at its end. */
function diagnosisLines(page: Page, { diagnosis }: Report): string[] {
  return diagnosis
    .filter(({ kind }) => kind !== 'stopped')
    .flatMap(({ message }) => hang(page, `${page.paint('yellow', '!')} `, oneLine(message)));
}

function headlineLines(page: Page, headlines: readonly string[]): string[] {
  return headlines.flatMap((headline) => hang(page, '  ', page.paint('bold', oneLine(headline))));
}

function observedLines(page: Page, { observations }: Report): string[] {
  const lines = observations.flatMap((item) => hang(page, '  ', `${item.case}: ${oneLine(item.seen)}`));
  return lines.length === 0
    ? []
    : [page.paint('bold', 'Observed, where the specification is silent'), ...lines];
}

function coverageLines(page: Page, report: Report): string[] {
  const { summary } = report;
  const billable = formatBillable(report);
  return [
    ...hang(page, page.paint('bold', 'Requirements  '), formatCounts(summary.requirements)),
    ...hang(page, page.paint('bold', 'Cases         '), formatCounts(summary.cases)),
    ...(billable === '' ? [] : hang(page, page.paint('bold', 'Billable      '), billable)),
  ];
}

/** The `must`s that keep the verdict inconclusive. */
function undecidedLines(page: Page, report: Report): string[] {
  const text = formatUndecided(report);
  return text === '' ? [] : hang(page, page.paint('bold', 'Undecided     '), text);
}

function verdictLines(page: Page, report: Report): string[] {
  const { target, stopped, shard, durationMs } = report;
  const { paint } = page;
  const part = shard ? `  part ${shard.index} of ${shard.of}` : '';
  const over = report.recording ? 'over' : 'in';
  const took = paint('dim', `${formatRequests(report)} ${over} ${(durationMs / 1000).toFixed(1)} s`);
  // That nothing answered is the diagnosis, at the beginning.
  const why = stopped && stopped.kind !== 'unanswered' ? oneLine(stopped.reason) : '';
  return [
    ...(why === ''
      ? []
      : hang(page, `${paint('yellow', '!')} `, `${why} What was judged until then is above.`)),
    ...undecidedLines(page, report),
    ...hang(
      page,
      '',
      `${verdictText(page, overallResultOf(report), formatExpectedChecks(report))}${part}  ${oneLine(target.baseUrl)}  ${took}`,
    ),
  ];
}
