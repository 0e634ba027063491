import { collectNotJudged, type NotJudged, wordRemedy } from '../collect-not-judged.ts';
import { oneLine } from '../one-line.ts';
import type { Report } from '../report.ts';
import { hang } from '../wrap.ts';
import type { Page } from './page.ts';

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
  const remedy = wordRemedy(add);
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
