import type { ObligationReport } from '../report/report.ts';
import { type Change, changeOf, changes } from './diff-reports.ts';
import { type Judged, keyOf } from './hold-baseline.ts';

/** What last became of each requirement in each case, over runs of which some were partial. */
export type Latest = ReadonlyMap<string, ObligationReport>;

/** What is known after one more report. */
export function remember(latest: Latest, report: Judged): Latest {
  return new Map([...latest, ...entries(report).map(({ key, obligation }) => [key, obligation] as const)]);
}

const words: Readonly<Record<Change, string>> = {
  'newly-violated': 'newly violated',
  'violated-not-judged-before': 'violated, not judged before',
  'no-longer-judged': 'no longer judged',
  'newly-warned': 'newly warned of',
  'found-otherwise': 'found otherwise',
  'newly-kept': 'newly kept',
  'newly-judged': 'newly judged',
  added: 'added',
  removed: 'removed',
};

/** How many requirements are named before the rest is counted. */
const named = 3;

/** What became otherwise than it was known to be, as a sentence: each requirement with how many cases it is about. */
export function wordChange(latest: Latest, report: Judged): string {
  const found = new Map<Change, Map<string, number>>();
  for (const { key, obligation } of entries(report)) {
    const before = latest.get(key);
    const change = before && changeOf(before, obligation, true);
    if (change === undefined) continue;
    const list = found.get(change) ?? new Map<string, number>();
    list.set(obligation.requirement, (list.get(obligation.requirement) ?? 0) + 1);
    found.set(change, list);
  }
  const parts = changes.flatMap((change) => {
    const list = found.get(change);
    return list ? [`${words[change]} ${wordList(list)}`] : [];
  });
  return `Since the last run: ${parts.length === 0 ? 'no change' : parts.join('; ')}.`;
}

function wordList(list: ReadonlyMap<string, number>): string {
  const names = [...list].map(
    ([requirement, cases]) => `${requirement}${cases > 1 ? ` (${cases} cases)` : ''}`,
  );
  const rest = names.length - named;
  return `${names.slice(0, named).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function entries({ cases }: Judged): { readonly key: string; readonly obligation: ObligationReport }[] {
  return cases.flatMap(({ id, obligations }) =>
    obligations.map((obligation) => ({
      key: keyOf({ requirement: obligation.requirement, case: id }),
      obligation,
    })),
  );
}
