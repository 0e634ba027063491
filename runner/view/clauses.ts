import { groupBy } from '../../common/lists.ts';
import type { Report, RequirementReport } from '../report/report.ts';

/**
 * Returns the name of each clause of a requirement, with the sentence of the clause. The sentence is empty if the
 * report does not contain the sentence.
 */
export function clausesOf({
  clause,
  quotes = [],
}: Clauses): { readonly name: string; readonly quote: string }[] {
  return clause.split('; ').map((name, index) => ({ name, quote: quotes[index] ?? '' }));
}

/** Returns the clauses of several requirements, each once: the first of each requirement, then the others. */
export function clausesOfAll(requirements: readonly Clauses[]): ReturnType<typeof clausesOf> {
  const clauses = requirements.map(clausesOf);
  const ordered = [...clauses.flatMap((own) => own.slice(0, 1)), ...clauses.flatMap((own) => own.slice(1))];
  return [...new Map(ordered.map((clause) => [clause.name, clause])).values()];
}

/** Formats a clause as its name, followed by its sentence (if known) in quotation marks. */
export function formatClause({ name, quote }: ReturnType<typeof clausesOf>[number]): string {
  return quote === '' ? name : `${name}: “${quote}”`;
}

export function formatClauses(requirement: Clauses): string[] {
  return clausesOf(requirement).map(formatClause);
}

/** A section of the specification, with the requirements whose first clause is in it. */
export interface SectionGroup<Item> {
  /** Such as `2.1`; the whole text of the clause if it does not begin with a number. */
  readonly number: string;
  readonly title: string;
  readonly requirements: readonly Item[];
}

/** Groups requirements by section, in the order of the specification. */
export function groupBySection<Item extends Pick<RequirementReport, 'clause'>>(
  requirements: readonly Item[],
  { sections }: Pick<Report['spec'], 'sections'>,
): SectionGroup<Item>[] {
  const titles = new Map(sections.map(({ number, title }) => [number, title]));
  return groupBy(requirements, ({ clause }) => sectionOf(clause))
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([number, own]) => ({ number, title: titles.get(number) ?? '', requirements: own }));
}

/** Returns the section number of the first clause, or the whole text if the text does not begin with a number. */
export function sectionOf(clause: string): string {
  return /^\d+(\.\d+)*/.exec(clause)?.[0] ?? clause;
}

type Clauses = Pick<RequirementReport, 'clause' | 'quotes'>;

/** Returns the response that a gateway promises: what its profile declares, or else what the requirement demands. */
export const promised = ({ declares, expects }: Pick<RequirementReport, 'declares' | 'expects'>): string =>
  declares ?? expects;
