import type { Standing } from '../standing.ts';
import type { Page } from './page.ts';

const verdicts: Readonly<Record<Standing, readonly ['green' | 'red' | 'yellow', string]>> = {
  conforms: ['green', '✓ CONFORMS'],
  violates: ['red', '✗ VIOLATES'],
  'as-expected': ['yellow', '≈ VIOLATES as expected'],
  'baseline-outdated': ['red', '✗ STALE BASELINE'],
  inconclusive: ['yellow', '? INCONCLUSIVE'],
};

/** How a gateway stands, as it is called at the end of a text. */
export function verdictText({ paint }: Page, standing: Standing): string {
  const [colour, text] = verdicts[standing];
  return paint([colour, 'bold'], text);
}
