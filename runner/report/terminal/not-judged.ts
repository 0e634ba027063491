import { collectNotJudged, wordRemedy } from '../collect-not-judged.ts';
import { oneLine } from '../one-line.ts';
import type { Report } from '../report.ts';
import { hang } from '../wrap.ts';
import type { Page } from './page.ts';

/** What could not be judged, by the reason, and what to add to the profile. */
export function notJudgedLines(page: Page, report: Report): string[] {
  const { paint, verbose } = page;
  const open = collectNotJudged(withoutExpected(report));
  if (open.length === 0) return [];
  const title = paint('bold', 'Not judged');
  const signs = { inconclusive: paint('yellow', '?'), 'not-applicable': paint('dim', '–') };
  // Where one thing kept everything from being judged, what else might is no help.
  if (
    !verbose &&
    report.diagnosis.some(({ kind, operation }) => kind !== 'stopped' && operation === undefined)
  ) {
    const count = open.reduce((sum, item) => sum + item.count, 0);
    return hang(page, '', `${title}  ${count} for the reason above (--verbose shows each)`);
  }
  return [
    `${title}  ${paint('dim', '? inconclusive, – not applicable')}`,
    ...open.flatMap(({ outcome, reason, add, count }) => {
      const remedy = wordRemedy(add);
      return hang(
        page,
        `${signs[outcome]} ${String(count).padStart(4)}  `,
        oneLine(reason) + (remedy && paint('cyan', remedy)),
      );
    }),
  ];
}

/** What a baseline expects not to be applicable is known. */
function withoutExpected(report: Report): Report {
  const cases = report.cases.map((item) => ({
    ...item,
    obligations: item.obligations.filter(({ expected }) => expected === undefined),
  }));
  return { ...report, cases };
}
