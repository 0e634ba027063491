import type { Comparison } from '../gate/compare/comparison.ts';
import { comparisonReporters } from '../gate/compare/reporters.ts';
import type { TextStyle } from '../report/reporters.ts';
import type { ComparisonChoice } from './choose-for-targets.ts';
import { appendSummary, type Writing, writeTexts } from './write-reports.ts';

/** Writes a comparison, also behind the job summary of GitHub Actions; gives the complaints about what could not be written. */
export async function writeComparison(
  comparison: Comparison,
  choices: readonly ComparisonChoice[],
  style: TextStyle,
): Promise<string[]> {
  const writings = choices.map(({ name, file }): Writing => {
    const load = async (): ReturnType<Writing['load']> => {
      const render = await comparisonReporters[name]();
      return (own) => render(comparison, own);
    };
    return { what: `The ${name} comparison`, name, file, load };
  });
  const complaints = await writeTexts(writings, style);
  return [
    ...complaints,
    ...(await appendSummary(async () => (await comparisonReporters.markdown())(comparison))),
  ];
}
