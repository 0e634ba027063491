import type { Cause } from '../../report/causes/causes.ts';
import { countCause } from '../../report/format-counts.ts';
import { formatAnswer } from '../../report/format-value.ts';
import { oneLine } from '../../text/printable.ts';
import { clip } from '../../text/wrap.ts';
import { type CasesById, titleLines } from './cause-lines.ts';
import { markOf, type Page } from './page.ts';
import { where } from './where.ts';

/** How many causes are shown with an example. */
export const shownCauses = 5;
/** The longest line where nothing limits it. */
const longestLine = 200;

/** The gravest causes, each in a few lines with one example. */
export function repairFirstLines(page: Page, cases: CasesById, causes: readonly Cause[]): string[] {
  if (causes.length === 0) return [];
  const shown = causes.slice(0, shownCauses);
  const rest = causes.length - shown.length;
  const more = rest > 0 ? page.paint('dim', `  the gravest ${shown.length} of ${causes.length} causes`) : '';
  return [
    page.paint('bold', 'Repair first') + more,
    ...shown.flatMap((cause, index) => oneCause(page, cases, cause, index + 1)),
  ];
}

function oneCause(page: Page, cases: CasesById, cause: Cause, number: number): string[] {
  const { paint } = page;
  const known = (ids: readonly string[]) => ids.flatMap((id) => cases.get(id) ?? []);
  const { example } = cause;
  const seen = [countCause(cause), where(known(cause.cases), known(cause.judged))];
  const line = (label: string, text: string): string => {
    const prefix = `   ${label.padEnd(8)}  `;
    return paint('dim', prefix) + clip(text, Math.min(longestLine, page.width - prefix.length));
  };
  return [
    ...titleLines(page, `${number}. ${markOf(page, cause.outcome)} `, cause),
    line('where', seen.filter((text) => text !== '').join(': ')),
    ...(example
      ? [
          line('expected', example.requirement.expects),
          line('received', formatAnswer(example.exchange, longestLine)),
        ]
      : []),
    line('look at', cause.lookAt),
    ...(example ? [`   ${oneLine(example.exchange.curl)}`] : []),
  ];
}
