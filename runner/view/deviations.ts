import { pluralize } from '../../common/lists.ts';
import type { Report } from '../report/report.ts';
import type { DeclaredPartReport } from '../report/report-sections.ts';
import type { Table } from './table.ts';

/** A declared deviation: a name of an error, or another response to a requirement. */
export interface Deviation extends Omit<DeclaredPartReport, 'about' | 'judged'> {
  /** What is declared, with code between backticks. */
  readonly declares: string;
  readonly isRequirement: boolean;
}

/** A deviation that responses to a requirement need, with the number of checks. */
export interface NeededDeviation {
  readonly deviation: Deviation;
  readonly checks: number;
}

/** The declared deviations of a report, and those that each requirement needs, by its ID. */
export interface Deviations {
  readonly all: readonly Deviation[];
  readonly needed: ReadonlyMap<string, readonly NeededDeviation[]>;
}

/** Returns the declared deviations; undefined if the profile declares none. */
export function findDeviations({ deviations, requirements, cases }: Report): Deviations | undefined {
  if (!deviations) return undefined;
  const inWords = new Map(requirements.map(({ id, declares }) => [id, declares]));
  const all = deviations.parts.map(({ about, judged: _, ...part }) => ({
    ...part,
    declares: inWords.get(part.id) ?? `\`${about}\``,
    isRequirement: inWords.has(part.id),
  }));
  const counts = new Map<string, Map<string, number>>();
  for (const { checks } of cases)
    for (const { requirement, declared = [] } of checks)
      for (const id of declared) {
        const own = counts.get(requirement) ?? new Map<string, number>();
        counts.set(requirement, own.set(id, (own.get(id) ?? 0) + 1));
      }
  const needed = [...counts].map(([requirement, own]) => {
    const found = all.flatMap((deviation) => {
      const checks = own.get(deviation.id);
      return checks === undefined ? [] : [{ deviation, checks }];
    });
    return [requirement, found] as const;
  });
  return { all, needed: new Map(needed) };
}

/** Formats the numbers of deviations and of the requirements that need them: `6 deviations in 40 requirements`. */
export function formatDeviationCount({ all, needed }: Deviations): string {
  return `${pluralize(all.length, 'deviation')} in ${pluralize(needed.size, 'requirement')}`;
}

/** Formats how often a deviation is needed, and how long it is declared: `12 checks, until 2027-06-30`. `show` formats the date. */
export function formatExtent({ used, until }: Deviation, show = (date: string): string => date): string {
  return pluralize(used, 'check') + (until === undefined ? '' : `, until ${show(until)}`);
}

/** Formats what is declared, as plain text: `types.invalid_api_key: authentication_error (OpenAI's names)`. */
export function formatDeviation({ id, declares, reason }: Deviation): string {
  return `${id}: ${declares.replaceAll('`', '')}${reason === undefined ? '' : ` (${reason})`}`;
}

/** Lays out the declared deviations. */
export function layOutDeviations({ all }: Deviations): Table {
  return {
    title: 'Declared deviations',
    corner: 'Deviation',
    columns: [
      { name: 'Declared', kind: 'prose' },
      { name: 'Reason', kind: 'code' },
      { name: 'Until', kind: 'word' },
      { name: 'Checks', kind: 'word', align: 'right' },
    ],
    rows: all.map(({ id, declares, reason = '', until = '', used }) => ({
      label: id,
      kind: 'code',
      cells: [
        { text: declares, kind: 'prose' },
        { text: reason, kind: 'code', ...(isLink(reason) && { link: reason }) },
        { text: until },
        { text: String(used) },
      ],
    })),
  };
}

/** Whether a whole text is the URL of a page. */
function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
}
