import { quotesOf } from '../catalog/clauses.ts';
import { formatExpectation } from '../judge/format-expectation.ts';
import { findWorstOutcome, nothingMatched, type Outcome, outcomes } from '../judge/outcome.ts';
import { promiseOf } from '../profile/deviations.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { CaseReport, ModelsReport, Report, RequirementReport } from './report.ts';
import type { Counts } from './report-sections.ts';

/** What the cases of a report say together. */
type Summary = Pick<Report, 'verdict' | 'summary' | 'requirements'> & {
  readonly suite: NonNullable<Report['suite']>;
};

/**
 * Returns the verdict for these cases, the counts, and the result of each requirement that the cases check. The
 * requirements are in the order of the ledger. `models` adds the results of listed models.
 */
export function summarize(
  promise: Pick<GatewayPromise, 'requirements' | 'clauses' | 'deviations'>,
  cases: readonly CaseReport[],
  models?: ModelsReport,
): Summary {
  const rules = promise.requirements.map((requirement) => {
    const { id, clause, level, says, then } = requirement;
    const promised = promiseOf(requirement, promise.deviations);
    return {
      id,
      clause: clause.join('; '),
      quotes: quotesOf(promise.clauses, clause),
      level,
      says,
      expects: formatExpectation(then),
      ...(promised && { declares: formatExpectation(promised) }),
    };
  });
  const summarized = summarizeRules(rules, cases, models);
  const vacuous = countVacuous(summarized.requirements, cases);
  // A selection may be known only to the caller.
  return { ...summarized, suite: { requirements: rules.length - vacuous, isSelection: false } };
}

/** Counts the requirements that are only about responses of a kind that the gateway never sent. */
function countVacuous(requirements: readonly RequirementReport[], cases: readonly CaseReport[]): number {
  const checked = cases.flatMap(({ checks }) => checks);
  const others = new Set(
    checked.flatMap(({ requirement, reason }) => (reason === nothingMatched ? [] : [requirement])),
  );
  return requirements.filter(({ id }) => !others.has(id)).length;
}

export type Rule = Omit<RequirementReport, 'outcome' | 'cases'>;

/** Returns the same as `summarize`, for requirements that may differ from those of the ledger. */
export function summarizeRules(
  rules: readonly Rule[],
  cases: readonly CaseReport[],
  models?: ModelsReport,
): Pick<Report, 'verdict' | 'summary' | 'requirements'> {
  const requirements = requirementReports(rules, cases, models);
  // `cases` contains only some of the cases of listed models. `models` counts all cases of these models.
  const own = cases.filter(({ model }) => model === undefined);
  const summary = {
    cases: addCounts([countOutcomes(own), ...(models?.items ?? []).map((item) => item.cases)]),
    requirements: countOutcomes(requirements),
  };
  return { verdict: verdictOf(summary.cases, requirements), summary, requirements };
}

function verdictOf(cases: Counts, requirements: readonly RequirementReport[]): Report['verdict'] {
  if (cases.violates > 0) return 'violates';
  const open = requirements.some((item) => item.level === 'must' && item.outcome === 'inconclusive');
  if (open || cases.conforms + cases.deviates + cases.warns === 0) return 'inconclusive';
  return cases.deviates > 0 ? 'as-declared' : 'conforms';
}

function requirementReports(
  rules: readonly Rule[],
  reports: readonly CaseReport[],
  models: ModelsReport | undefined,
): RequirementReport[] {
  const ofModels = new Map((models?.requirements ?? []).map((item) => [item.id, outcomesIn(item.models)]));
  const byRequirement = new Map<string, { outcomes: Outcome[]; cases: string[] }>();
  for (const { id, checks } of reports) {
    for (const { requirement, outcome } of checks) {
      const entry = byRequirement.get(requirement) ?? { outcomes: [], cases: [] };
      entry.outcomes.push(outcome);
      entry.cases.push(id);
      byRequirement.set(requirement, entry);
    }
  }
  return rules.flatMap((rule) => {
    const entry = byRequirement.get(rule.id);
    if (!entry) return [];
    const { outcomes, cases } = entry;
    return [{ ...rule, outcome: findWorstOutcome([...outcomes, ...(ofModels.get(rule.id) ?? [])]), cases }];
  });
}

export function countOutcomes(items: readonly { readonly outcome: Outcome }[]): Counts {
  const count = (outcome: Outcome): number => items.filter((item) => item.outcome === outcome).length;
  return {
    planned: items.length,
    conforms: count('conforms'),
    deviates: count('deviates'),
    violates: count('violates'),
    warns: count('warns'),
    inconclusive: count('inconclusive'),
    notApplicable: count('not-applicable'),
  };
}

export function addCounts(all: readonly Counts[]): Counts {
  const sumOf = (name: keyof Counts): number => all.reduce((sum, counts) => sum + counts[name], 0);
  return {
    planned: sumOf('planned'),
    conforms: sumOf('conforms'),
    deviates: sumOf('deviates'),
    violates: sumOf('violates'),
    warns: sumOf('warns'),
    inconclusive: sumOf('inconclusive'),
    notApplicable: sumOf('notApplicable'),
  };
}

/** Returns how many items were judged. */
export function countJudged({ conforms, deviates, violates, warns }: Counts): number {
  return conforms + deviates + violates + warns;
}

/** The member of counts for each outcome. */
export const memberOfOutcome: Readonly<Record<Outcome, Exclude<keyof Counts, 'planned'>>> = {
  violates: 'violates',
  warns: 'warns',
  inconclusive: 'inconclusive',
  deviates: 'deviates',
  conforms: 'conforms',
  'not-applicable': 'notApplicable',
};

/** Returns the outcomes with a count above zero, without duplicates. */
export function outcomesIn(counts: Counts): Outcome[] {
  return outcomes.filter((outcome) => counts[memberOfOutcome[outcome]] > 0);
}
