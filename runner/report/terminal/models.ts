import { groupModels, wordModelCounts, wordModels } from '../group-models.ts';
import { oneLine } from '../one-line.ts';
import type { Report } from '../report.ts';
import { hang } from '../wrap.ts';
import { markOf } from './outcome-signs.ts';
import type { Page } from './page.ts';

/** How many requirements are named that the same models broke. */
const shownRequirements = 12;

/** Which listed models broke what: the requirements that the same models broke together, in some lines. */
export function modelLines(page: Page, report: Report): string[] {
  if (!report.models) return [];
  const { paint, verbose } = page;
  const groups = groupModels(report);
  return [
    ...hang(page, `${paint('bold', 'Models')}  `, oneLine(wordModelCounts(report.models))),
    ...groups.flatMap((group) => {
      const { outcome, known, requirements } = group;
      const shown = verbose ? requirements : requirements.slice(0, shownRequirements);
      const rest = requirements.length - shown.length;
      const mark = known ? paint('dim', '≈') : markOf(page, outcome);
      return [
        ...hang(page, `  ${mark} `, oneLine(wordModels(group))),
        ...hang(
          page,
          '      ',
          shown.join(', ') + (rest > 0 ? ` and ${rest} more (--verbose shows all)` : ''),
        ),
      ];
    }),
  ];
}
