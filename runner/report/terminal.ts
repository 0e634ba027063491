import { counted } from './counted.ts';
import { oneLine } from './one-line.ts';
import type { Report } from './report.ts';
import type { TextStyle } from './reporters.ts';
import { standingOf } from './standing.ts';
import { brokenLines } from './terminal/broken.ts';
import { gridLines } from './terminal/grid.ts';
import { modelLines } from './terminal/models.ts';
import { notJudgedLines } from './terminal/not-judged.ts';
import { makePage, type Page } from './terminal/page.ts';
import { clientLines, recordingLines } from './terminal/recording.ts';
import { sdkTableLines } from './terminal/sdk-table-lines.ts';
import { baselineProblemLines, knownLines, summaryLines, unstableLines } from './terminal/summary.ts';
import { verdictText } from './terminal/verdict-text.ts';
import { wordCounts } from './word-counts.ts';
import { hang } from './wrap.ts';

/**
 * The report as text: what kept it from judging first, then what is broken in detail and what was not judged; last,
 * next to the prompt, what is broken at a glance, and the verdict.
 */
export function terminal(report: Report, style: TextStyle): string {
  const page = makePage(style);
  const sections = [
    diagnosisLines(page, report),
    baselineProblemLines(page, report),
    brokenLines(page, report, 'violates'),
    brokenLines(page, report, 'warns'),
    unstableLines(page, report),
    notJudgedLines(page, report),
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
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Why the run was stopped is told at its end. */
function diagnosisLines(page: Page, { diagnosis }: Report): string[] {
  return diagnosis
    .filter(({ kind }) => kind !== 'stopped')
    .flatMap(({ message }) => hang(page, `${page.paint('yellow', '!')} `, oneLine(message)));
}

function observedLines(page: Page, { observations }: Report): string[] {
  const lines = observations.flatMap((item) => hang(page, '  ', `${item.case}: ${oneLine(item.seen)}`));
  return lines.length === 0
    ? []
    : [page.paint('bold', 'Observed, where the specification is silent'), ...lines];
}

function coverageLines(page: Page, { summary }: Report): string[] {
  return [
    ...hang(page, page.paint('bold', 'Requirements  '), wordCounts(summary.requirements)),
    ...hang(page, page.paint('bold', 'Cases         '), wordCounts(summary.cases)),
  ];
}

function verdictLines(page: Page, report: Report): string[] {
  const { target, stopped, shard, requests, durationMs } = report;
  const { paint } = page;
  const part = shard ? `  part ${shard.index} of ${shard.of}` : '';
  const what = report.recording
    ? `${counted(requests.sent, 'exchange')} over`
    : `${counted(requests.sent, 'request')} in`;
  const took = paint('dim', `${what} ${(durationMs / 1000).toFixed(1)} s`);
  // That nothing answered is the diagnosis, at the beginning.
  const why = stopped && stopped.kind !== 'unanswered' ? oneLine(stopped.reason) : '';
  return [
    ...(why === ''
      ? []
      : hang(page, `${paint('yellow', '!')} `, `${why} What was judged until then is above.`)),
    ...hang(page, '', `${verdictText(page, standingOf(report))}${part}  ${target.baseUrl}  ${took}`),
  ];
}
