import type { Cause } from '../../report/causes/causes.ts';
import {
  collectNotJudged,
  formatNotJudged,
  formatRemedy,
  type NotJudged,
} from '../../report/failed-checks.ts';
import { formatBillable, formatCountsShort } from '../../report/format-counts.ts';
import type { Report } from '../../report/report.ts';
import { pluralize } from '../../text/lists.ts';
import { oneLine } from '../../text/printable.ts';
import { hang } from '../../text/wrap.ts';
import type { Page } from './page.ts';

/** What a short report says of everything that it does not show: counts, requirements, and where the rest is. */
export function briefLines(
  page: Page,
  report: Report,
  causes: { readonly shown: readonly Cause[]; readonly all: readonly Cause[] },
): string[] {
  const shown = new Set(causes.shown.flatMap(({ requirements }) => requirements));
  const others = (outcome: Cause['outcome']): string => {
    const own = new Set(
      causes.all.filter((cause) => cause.outcome === outcome).flatMap(({ requirements }) => requirements),
    );
    const rest = report.requirements.filter((item) => own.has(item) && !shown.has(item));
    return rest.map(({ id }) => id).join(', ');
  };
  return [
    ...row(page, 'Requirements', formatCountsShort(report.summary.requirements), 1),
    ...row(page, 'Cases', formatCountsShort(report.summary.cases), 1),
    ...row(page, 'Billable', formatBillable(report), 1),
    ...row(page, 'Also failed', others('violates'), 3),
    ...row(page, 'Warnings', others('warns'), 2),
    ...row(page, 'Not tested', notTested(report), 2),
    ...row(page, 'Full report', fullReport(page), 2),
  ];
}

/** The most frequent reason, and how many others there are. */
function notTested(report: Report): string {
  const open = [...collectNotJudged(withoutExpected(report))].sort((a, b) => b.count - a.count);
  const [most] = open;
  if (!most) return '';
  const rest = open.length - 1;
  return formatNotJudged(most) + (rest > 0 ? ` And for ${pluralize(rest, 'more reason')}.` : '');
}

function fullReport({ files = [] }: Page): string {
  const full = files.filter(({ name }) => name === 'html' || name === 'json');
  return full.length > 0
    ? full.map(({ file }) => file).join(', ')
    : '--verbose, or --reporter html=report.html';
}

/** A text behind its label, of so many lines at most. */
function row(page: Page, label: string, text: string, most: number): string[] {
  if (text === '') return [];
  const lines = hang(page, page.paint('bold', label.padEnd(14)), oneLine(text, longest));
  const shown = lines.slice(0, most);
  const last = shown.at(-1) ?? '';
  return lines.length > most ? [...shown.slice(0, -1), `${last.replace(/\S+$/, '')}…`] : shown;
}

/** Where nothing limits a line. */
const longest = 400;

/** What could not be tested, by the reason, and what to add to the profile. */
export function notTestedLines(page: Page, report: Report): string[] {
  const { paint, verbose } = page;
  const open = collectNotJudged(withoutExpected(report));
  if (open.length === 0) return [];
  const title = paint('bold', 'Not tested');
  // If one thing kept everything from being tested, the reasons of the rest are no help.
  const isBlocked = report.diagnosis.some(
    ({ kind, operation }) => kind !== 'stopped' && operation === undefined,
  );
  if (!verbose && isBlocked) {
    const count = open.reduce((sum, item) => sum + item.count, 0);
    return hang(page, '', `${title}  ${count} for the reason above (--verbose shows each)`);
  }
  return [
    `${title}  ${paint('dim', '? inconclusive, – not applicable')}`,
    ...open.flatMap((item) => reasonLines(page, item)),
  ];
}

function reasonLines(page: Page, { outcome, reason, add, count }: NotJudged): string[] {
  const { paint } = page;
  const sign = outcome === 'inconclusive' ? paint('yellow', '?') : paint('dim', '–');
  const remedy = formatRemedy(add);
  return hang(
    page,
    `${sign} ${String(count).padStart(4)}  `,
    oneLine(reason) + (remedy && paint('cyan', remedy)),
  );
}

/** What a baseline expects not to be applicable is known. */
export function withoutExpected({ cases, models }: Report): Parameters<typeof collectNotJudged>[0] {
  return {
    ...(models && { models }),
    cases: cases.map(({ model, obligations }) => ({
      ...(model !== undefined && { model }),
      obligations: obligations.filter(({ expected }) => expected === undefined),
    })),
  };
}
