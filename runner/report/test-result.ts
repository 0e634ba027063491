import { findWorstOutcome } from '../judge/outcome.ts';
import { formatModelSegment } from '../plan/model-cases.ts';
import { groupBy, pluralize } from '../text/lists.ts';
import { oneLine } from '../text/printable.ts';
import { type Breach, breachOf, describeBreach, formatRemedy } from './breaches.ts';
import { isJudged, modelBreaches } from './group-models.ts';
import type { CaseReport, ModelReport, ObligationReport, Report, RequirementReport } from './report.ts';

/** What a case is to those who read results of tests, and know nothing of levels and baselines. */
export interface TestResult {
  readonly kind: 'failed' | 'errored' | 'known' | 'warned' | 'skipped' | 'passed';
  /** The obligations that made it so; none of a case that passed. */
  readonly obligations: readonly ObligationReport[];
}

/** The result of a case: failed only where it broke something that no baseline expects. */
export function testResult({ obligations }: CaseReport): TestResult {
  const of = (outcome: ObligationReport['outcome']): ObligationReport[] =>
    obligations.filter((item) => item.outcome === outcome);
  const violated = of('violates');
  const unexpected = violated.filter(({ expected }) => expected === undefined);
  const skipped = of('not-applicable');
  const results: readonly TestResult[] = [
    { kind: 'failed', obligations: unexpected },
    { kind: 'errored', obligations: of('inconclusive') },
    { kind: 'known', obligations: violated },
    { kind: 'warned', obligations: of('warns') },
    { kind: 'skipped', obligations: skipped.length === obligations.length ? skipped : [] },
  ];
  return results.find((result) => result.obligations.length > 0) ?? { kind: 'passed', obligations: [] };
}

/** A case with its result, and the evidence of that result alone. */
export interface TestRow {
  readonly item: CaseReport;
  readonly result: TestResult;
  readonly breaches: readonly Breach[];
}

/** The cases of a report as results of tests, in its order; then each listed model as one. */
export function rowsOf(report: Report): TestRow[] {
  const known = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  const own = report.cases.filter(({ model }) => model === undefined);
  return [...own, ...modelRows(report)].map((item) => {
    const result = testResult(item);
    const breaches = result.obligations.flatMap((obligation) => {
      const requirement = known.get(obligation.requirement);
      return (requirement && breachOf(requirement, item, obligation)) ?? [];
    });
    return { item, result, breaches };
  });
}

/** Why a case came to its result, a line for each obligation, in which all is seen. */
export function reasons({ obligations }: TestResult): string[] {
  return obligations.map(({ requirement, findings, reason, add, expected }) => {
    const found = [...new Set(findings.map(({ message }) => message))].join('; ') || reason || '';
    const remedy = formatRemedy(add);
    return oneLine(
      `${requirement}: ${expected === undefined ? found : `known: ${expected} (${found})`}${remedy}`,
    );
  });
}

/** What the results of tests call all cases of a model. */
export const modelSuite = 'listed-models';

/**
 * Each listed model as one case, with all that it broke and the evidence that the report has of it; readers of tests are
 * not for a hundred thousand of them.
 */
export function modelRows(report: Report): CaseReport[] {
  const { models, cases } = report;
  if (!models) return [];
  const shown = new Map(groupBy(cases, ({ model = '' }) => model));
  const breaches = new Map(groupBy(modelBreaches(report), ({ model }) => model));
  return models.items.map((item) => {
    const own = shown.get(item.id) ?? [];
    const broken = (breaches.get(item.id) ?? []).map((breach): ObligationReport => {
      const { requirement, outcome, unshown, known } = breach;
      const alike = own.flatMap(({ obligations }) =>
        obligations.filter((one) => one.requirement === requirement && one.outcome === outcome),
      );
      return {
        requirement,
        outcome,
        findings: alike.flatMap(({ findings }) => findings),
        ...(unshown > 0 && {
          reason: `Broken in ${pluralize(unshown, 'case')} that the report does not show.`,
        }),
        ...(known !== undefined && { expected: known }),
      };
    });
    const obligations = [...broken, ...open(item)];
    return {
      id: `${modelSuite}/${formatModelSegment(item.id)}`,
      suite: modelSuite,
      about: 'What a model can vary, with this one.',
      facts: {},
      model: item.id,
      outcome:
        obligations.length > 0 ? findWorstOutcome(obligations.map(({ outcome }) => outcome)) : 'conforms',
      obligations,
      exchanges: own.flatMap(({ exchanges }) => exchanges),
    };
  });
}

/** What kept a model from being judged. */
function open(item: ModelReport): ObligationReport[] {
  const about = { requirement: modelSuite, findings: [] };
  const { inconclusive } = item.cases;
  if (inconclusive > 0)
    return [
      {
        ...about,
        outcome: 'inconclusive',
        reason: `${pluralize(inconclusive, 'case')} could not be judged.`,
      },
    ];
  if (isJudged(item)) return [];
  const reason =
    item.own.length > 0
      ? `The cases without a model's name are about it: ${item.own.join(', ')}.`
      : 'No good call of it succeeded, or its ID says that it is for something else.';
  return [{ ...about, outcome: 'not-applicable', reason }];
}

/** What is wrong with a case, or was not judged of it, for people: each requirement with its clause, what was expected and received, and the evidence. */
export function caseText(
  item: CaseReport,
  obligations: readonly ObligationReport[],
  { requirements }: Report,
): string {
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  return obligations
    .flatMap((obligation) => {
      const requirement = known.get(obligation.requirement);
      return requirement ? [paragraph(item, obligation, requirement).join('\n')] : [];
    })
    .join('\n\n');
}

/** What is told of a breach behind what was found. */
const evidence = ['received', 'at', 'trace id', 'drawn', 'again'];

function paragraph(item: CaseReport, obligation: ObligationReport, requirement: RequirementReport): string[] {
  const { outcome, reason, add } = obligation;
  const breach = breachOf(requirement, item, obligation);
  const rows = breach ? describeBreach(breach) : [];
  return [
    `${requirement.id} (${requirement.level} · ${requirement.clause})`,
    `  ${requirement.says}`,
    `  expected: ${requirement.expects}`,
    ...(breach ? [`→ ${oneLine(breach.found)}`] : []),
    ...(!breach && reason !== undefined ? [`→ ${outcome}: ${oneLine(reason + formatRemedy(add))}`] : []),
    ...rows.filter(([name]) => evidence.includes(name)).map(([name, text]) => `  ${name}: ${oneLine(text)}`),
    ...rows.filter(([name]) => name === 'curl').map(([, text]) => `  ${oneLine(text)}`),
  ];
}
