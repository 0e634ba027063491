import { pluralize } from '../../common/lists.ts';
import { formatCode, formatSection } from '../../common/markdown-text.ts';
import { formatOneLine } from '../../common/printable.ts';
import { checkKey } from '../gate/apply-baseline.ts';
import type { CheckResults } from '../gate/baseline.ts';
import type { CheckReport } from '../report/report.ts';
import { type Change, changeOf, changes, type ReportDiff, type RequirementChange } from './diff-reports.ts';

const shownCases = 5;

const titles: Readonly<Record<Change, string>> = {
  'newly-violated': 'Newly violated',
  'more-severe': 'Violated more severely',
  'violated-not-judged-before': 'Violated, not judged before',
  'no-longer-judged': 'No longer judged',
  'newly-warned': 'New warnings',
  'other-findings': 'Violated as before, with different findings',
  fixed: 'Fixed',
  'newly-judged': 'Newly judged',
  added: 'New in this version',
  removed: 'Removed in this version',
};

const marks: Readonly<Record<Change, string>> = {
  'newly-violated': '✗',
  'more-severe': '✗',
  'violated-not-judged-before': '✗',
  'no-longer-judged': '?',
  'newly-warned': '▲',
  'other-findings': '≠',
  fixed: '✓',
  'newly-judged': '+',
  added: '+',
  removed: '−',
};

export function formatDiffAsText(diff: ReportDiff): string {
  const sections = sectionsOf(diff).map(([change, items]) =>
    [
      titles[change],
      ...items.flatMap((item) => [
        `${marks[change]} ${formatOneLine(item.requirement)}  ${pluralize(item.cases.length, 'case')}`,
        ...(item.was === undefined ? [] : [`    before: ${formatOneLine(item.was)}`]),
        ...(item.is === undefined ? [] : [`    now:    ${formatOneLine(item.is)}`]),
        ...item.cases.slice(0, shownCases).map((id) => `      ${formatOneLine(id)}`),
        ...formatOmitted(item, (text) => `      ${text}`),
      ]),
    ].join('\n'),
  );
  const caveats = diff.caveats.map((text) => `! ${formatOneLine(text)}`).join('\n');
  return `${[caveats, ...sections, summary(diff)].filter(Boolean).join('\n\n')}\n`;
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
  const sections = sectionsOf(diff).flatMap(([change, items]) =>
    formatSection(`${marks[change]} ${titles[change]}`, maxLengths[change], items.map(entry)),
  );
  const caveats = diff.caveats.map((text) => `> ${formatCode(text)}`).join('\n>\n');
  return `${[`## ${summary(diff)}`, caveats, ...sections].filter(Boolean).join('\n\n')}\n`;
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

function sectionsOf({ changes }: ReportDiff): [Change, RequirementChange[]][] {
  const kinds = [...new Set(changes.map(({ change }) => change))];
  return kinds.map((kind) => [kind, changes.filter(({ change }) => change === kind)]);
}

function summary({ was, is, changes }: ReportDiff): string {
  const verdict = was.verdict === is.verdict ? `${is.verdict}, as before` : `${was.verdict} → ${is.verdict}`;
  if (changes.length === 0) return `No check changed: ${verdict}.`;
  const counts = sectionsOf({ was, is, caveats: [], changes }).map(
    ([change, items]) => `${items.length} ${titles[change].toLowerCase()}`,
  );
  return `${verdict}: ${counts.join(', ')}`;
}

function formatOmitted({ cases }: RequirementChange, line: (text: string) => string): string[] {
  const more = cases.length - shownCases;
  return more > 0 ? [line(`and ${more} more`)] : [];
}

/** The latest result of each check over several runs, including partial runs. */
export type LatestResults = ReadonlyMap<string, CheckReport>;

export function addReport(latest: LatestResults, report: CheckResults): LatestResults {
  return new Map([...latest, ...listChecks(report).map(({ key, check }) => [key, check] as const)]);
}

const words: Readonly<Record<Change, string>> = {
  'newly-violated': 'newly violated',
  'more-severe': 'violated more severely',
  'violated-not-judged-before': 'violated, not judged before',
  'no-longer-judged': 'no longer judged',
  'newly-warned': 'new warning',
  'other-findings': 'different findings',
  fixed: 'fixed',
  'newly-judged': 'newly judged',
  added: 'added',
  removed: 'removed',
};

/** The maximum number of requirements to name for each change. All other requirements are only counted. */
const maxNames = 3;

/**
 * Summarizes the changes since the latest results in one sentence, with at most three requirements for each change.
 */
export function formatChange(latest: LatestResults, report: CheckResults): string {
  const found = new Map<Change, Map<string, number>>();
  for (const { key, check } of listChecks(report)) {
    const before = latest.get(key);
    const change = before && changeOf(before, check, true);
    if (change === undefined) continue;
    const list = found.get(change) ?? new Map<string, number>();
    list.set(check.requirement, (list.get(check.requirement) ?? 0) + 1);
    found.set(change, list);
  }
  const parts = changes.flatMap((change) => {
    const list = found.get(change);
    return list ? [`${words[change]} ${formatRequirements(list)}`] : [];
  });
  return `Since the last run: ${parts.length === 0 ? 'no change' : parts.join('; ')}.`;
}

function formatRequirements(list: ReadonlyMap<string, number>): string {
  const names = [...list].map(
    ([requirement, cases]) => `${requirement}${cases > 1 ? ` (${cases} cases)` : ''}`,
  );
  const rest = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function listChecks({ cases }: CheckResults): { readonly key: string; readonly check: CheckReport }[] {
  return cases.flatMap(({ id, checks }) =>
    checks.map((check) => ({
      key: checkKey({ requirement: check.requirement, case: id }),
      check,
    })),
  );
}
