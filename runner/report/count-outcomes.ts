import type { Outcome } from '../judge/outcome.ts';
import type { Counts } from './report.ts';

/** How many items came to what. */
export function countOutcomes(items: readonly { readonly outcome: Outcome }[]): Counts {
  const of = (outcome: Outcome): number => items.filter((item) => item.outcome === outcome).length;
  return {
    planned: items.length,
    conforms: of('conforms'),
    violates: of('violates'),
    warns: of('warns'),
    inconclusive: of('inconclusive'),
    notApplicable: of('not-applicable'),
  };
}

/** The sum of several counts. */
export function addCounts(all: readonly Counts[]): Counts {
  const of = (name: keyof Counts): number => all.reduce((sum, counts) => sum + counts[name], 0);
  return {
    planned: of('planned'),
    conforms: of('conforms'),
    violates: of('violates'),
    warns: of('warns'),
    inconclusive: of('inconclusive'),
    notApplicable: of('notApplicable'),
  };
}

const members: readonly (readonly [Outcome, keyof Counts])[] = [
  ['violates', 'violates'],
  ['warns', 'warns'],
  ['inconclusive', 'inconclusive'],
  ['conforms', 'conforms'],
  ['not-applicable', 'notApplicable'],
];

/** The outcomes to which anything came. */
export function outcomesIn(counts: Counts): Outcome[] {
  return members.flatMap(([outcome, name]) => (counts[name] > 0 ? [outcome] : []));
}
