import { brokenIn, faultsByRequirement } from './complaints.ts';
import type { Proof } from './prove.ts';

/** The matrix of faults and requirements, as JSON text that is the same for the same findings. */
export function matrixJson(proof: Proof): string {
  const broken = (gateways: Proof['faults'] | Proof['variants']): [string, string[]][] =>
    gateways.map(({ gateway, judgement }) => [gateway.id, brokenIn(judgement)]);
  const members = [
    table('faults', broken(proof.faults)),
    table('variants', broken(proof.variants)),
    table('requirements', [...faultsByRequirement(proof)]),
  ];
  return `{\n${members.join(',\n')}\n}\n`;
}

// Laid out as the formatter of this project lays it out, so that it finds nothing to change.
function table(name: string, rows: readonly (readonly [string, readonly string[]])[]): string {
  const lines = rows.map(([id, items], index) => {
    const texts = items.map((item) => JSON.stringify(item));
    const short = `    ${JSON.stringify(id)}: [${texts.join(', ')}]`;
    const fits = short.length + (index < rows.length - 1 ? 1 : 0) <= 110;
    return fits ? short : `    ${JSON.stringify(id)}: [\n      ${texts.join(',\n      ')}\n    ]`;
  });
  return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`;
}

/** The same as Markdown for people. */
export function proofMarkdown(proof: Proof): string {
  const byRequirement = [...faultsByRequirement(proof)];
  const fewest = Math.min(...byRequirement.map(([, faults]) => faults.length));
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return [
    '# What the suite finds',
    '',
    'Every gateway below is the reference gateway with one thing changed, and the whole suite was run against it.',
    'A fault must be found to break exactly the requirements that it is known to break; a legal variant, nothing.',
    'This file is written by `UPDATE_PROOF=1 npx vitest run tests/proof/faults`; without the variable the test holds it.',
    '',
    '| | |',
    '|---|---|',
    `| faults, each found and reported for exactly the requirements that it violates | ${proof.faults.length} |`,
    `| legal variants, none blamed | ${proof.variants.length} |`,
    `| checked requirements | ${proof.requirements.length} |`,
    `| faults that break the least often broken requirement | ${fewest} |`,
    `| cases | ${proof.cases.length} |`,
    '',
    '## Faults',
    '',
    '| fault | what such a gateway does | found to break |',
    '|---|---|---|',
    ...proof.faults.map(
      ({ gateway, judgement }) =>
        `| ${gateway.id} | ${cell(gateway.about)} | ${brokenIn(judgement).join(', ')} |`,
    ),
    '',
    '## Legal variants',
    '',
    '| variant | what such a gateway does | warned of |',
    '|---|---|---|',
    ...proof.variants.map(
      ({ gateway, judgement }) =>
        `| ${gateway.id} | ${cell(gateway.about)} | ${brokenIn(judgement).join(', ')} |`,
    ),
    '',
    '## Requirements',
    '',
    '| requirement | faults that break it |',
    '|---|---|',
    ...byRequirement.map(([requirement, faults]) => `| ${requirement} | ${faults.join(', ')} |`),
    '',
  ].join('\n');
}
