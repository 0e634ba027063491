import type { RequirementReport } from '../report/report.ts';

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

type Clauses = Pick<RequirementReport, 'clause' | 'quotes'>;
