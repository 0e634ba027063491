import { groupFaultsByRequirement, listFailedRequirements } from './complaints.ts';
import type { Proof } from './prove.ts';

/** Formats the findings of the suite in each faulty gateway and each variant, as Markdown. */
export function formatProof(proof: Proof): string {
  const byRequirement = [...groupFaultsByRequirement(proof)];
  const fewest = Math.min(...byRequirement.map(([, faults]) => faults.length));
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return [
    '# What the suite finds',
    '',
    'Each gateway below is the reference gateway with one change. With `CI` set, all cases run against each gateway.',
    'Otherwise, only the cases that check the violated requirements run against a gateway with a fault.',
    'The suite must report exactly the requirements that a fault violates, and no violation of a conforming variant.',
    '`npm run prove` writes this file.',
    '',
    '| | |',
    '|---|---|',
    `| faults | ${proof.faults.length} |`,
    `| cells of the matrix | ${proof.cells.flatMap(({ gateway }) => gateway.cells).length} |`,
    `| conforming variants | ${proof.variants.length} |`,
    `| checked requirements | ${proof.requirements.length} |`,
    `| fewest faults that violate a requirement | ${fewest} |`,
    `| cases | ${proof.cases.length} |`,
    '',
    '## Faults',
    '',
    '| Fault | Behaviour of the gateway | Violated requirements |',
    '|---|---|---|',
    ...proof.faults.map(
      ({ gateway, judgement }) =>
        `| ${gateway.id} | ${cell(gateway.about)} | ${listFailedRequirements(judgement).join(', ')} |`,
    ),
    '',
    '## Cells of the matrix',
    '',
    '`conformance serve` shows a cell with its flags. A cell can also violate the requirements in brackets.',
    '',
    '| Cell | Flags | Violated requirements |',
    '|---|---|---|',
    ...proof.cells.flatMap(({ gateway: { cells } }) =>
      cells.map(
        ({ id, about, violates, mayViolate }) =>
          `| ${id} | ${cell(about)} | ${[...violates, ...mayViolate.map((may) => `(${may})`)].join(', ')} |`,
      ),
    ),
    '',
    '## Conforming variants',
    '',
    '| Variant | Behaviour of the gateway | Warnings |',
    '|---|---|---|',
    ...proof.variants.map(
      ({ gateway, judgement }) =>
        `| ${gateway.id} | ${cell(gateway.about)} | ${listFailedRequirements(judgement).join(', ')} |`,
    ),
    '',
    '## Requirements',
    '',
    '| Requirement | Faults that violate the requirement |',
    '|---|---|',
    ...byRequirement.map(([requirement, faults]) => `| ${requirement} | ${faults.join(', ')} |`),
    '',
  ].join('\n');
}
