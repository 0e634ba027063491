import { breachOf, describeBreach } from './collect-breaches.ts';
import { wordRemedy } from './collect-not-judged.ts';
import { oneLine } from './one-line.ts';
import type { CaseReport, ObligationReport, Report, RequirementReport } from './report.ts';

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
    ...(!breach && reason !== undefined ? [`→ ${outcome}: ${oneLine(reason + wordRemedy(add))}`] : []),
    ...rows.filter(([name]) => evidence.includes(name)).map(([name, text]) => `  ${name}: ${oneLine(text)}`),
    ...rows.filter(([name]) => name === 'curl').map(([, text]) => `  ${oneLine(text)}`),
  ];
}
