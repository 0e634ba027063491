import { pluralize } from '../../../common/lists.ts';
import { formatCode, formatSection } from '../../../common/markdown-text.ts';
import { formatOneLine } from '../../../common/printable.ts';
import type { Change, ReportDiff, RequirementChange } from '../../compare/diff-reports.ts';
import { changeLooks, formatDiffSummary, groupChanges } from '../../view/changes.ts';

const shownCases = 5;

export function formatDiffAsText(diff: ReportDiff): string {
  const sections = groupChanges(diff).map(([change, items]) =>
    [
      changeLooks[change].title,
      ...items.flatMap((item) => [
        `${changeLooks[change].sign} ${formatOneLine(item.requirement)}  ${pluralize(item.cases.length, 'case')}`,
        ...(item.was === undefined ? [] : [`    before: ${formatOneLine(item.was)}`]),
        ...(item.is === undefined ? [] : [`    now:    ${formatOneLine(item.is)}`]),
        ...item.cases.slice(0, shownCases).map((id) => `      ${formatOneLine(id)}`),
        ...formatOmitted(item, (text) => `      ${text}`),
      ]),
    ].join('\n'),
  );
  const caveats = diff.caveats.map((text) => `! ${formatOneLine(text)}`).join('\n');
  return `${[caveats, ...sections, formatDiffSummary(diff)].filter(Boolean).join('\n\n')}\n`;
}

/** The maximum number of characters for each change. The sum is below GitHub's limit for a comment. */
const maxLengths: Readonly<Record<Change, number>> = {
  'newly-violated': 12_000,
  'more-severe': 6_000,
  'violated-not-judged-before': 6_000,
  'no-longer-judged': 6_000,
  'newly-warned': 6_000,
  'other-findings': 6_000,
  fixed: 4_000,
  'newly-judged': 4_000,
  added: 4_000,
  removed: 4_000,
};

/** Formats a diff as Markdown of fewer than 60,000 characters, for a comment on a pull request. */
export function formatDiffAsMarkdown(diff: ReportDiff): string {
  const sections = groupChanges(diff).flatMap(([change, items]) =>
    formatSection(
      `${changeLooks[change].sign} ${changeLooks[change].title}`,
      maxLengths[change],
      items.map(entry),
    ),
  );
  const caveats = diff.caveats.map((text) => `> ${formatCode(text)}`).join('\n>\n');
  return `${[`## ${formatDiffSummary(diff)}`, caveats, ...sections].filter(Boolean).join('\n\n')}\n`;
}

function entry(item: RequirementChange): string {
  return [
    `- ${formatCode(item.requirement)}, ${pluralize(item.cases.length, 'case')}`,
    ...(item.was === undefined ? [] : [`  - before: ${formatCode(item.was)}`]),
    ...(item.is === undefined ? [] : [`  - now: ${formatCode(item.is)}`]),
    ...item.cases.slice(0, shownCases).map((id) => `  - in ${formatCode(id)}`),
    ...formatOmitted(item, (text) => `  - ${text}`),
  ].join('\n');
}

function formatOmitted({ cases }: RequirementChange, line: (text: string) => string): string[] {
  const more = cases.length - shownCases;
  return more > 0 ? [line(`and ${more} more`)] : [];
}
