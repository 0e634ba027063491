import type { Outcome } from '../../judge/outcome.ts';
import type { Page } from './page.ts';

/** A sign and its colour. */
export type Sign = readonly [sign: string, colour: 'red' | 'yellow' | 'green' | 'dim'];

/** How each outcome is marked; the sign tells it without colour. */
export const outcomeSigns: Readonly<Record<Outcome, Sign>> = {
  violates: ['✗', 'red'],
  warns: ['▲', 'yellow'],
  inconclusive: ['?', 'yellow'],
  conforms: ['✓', 'green'],
  'not-applicable': ['–', 'dim'],
};

/** The sign of an outcome; a dot where there is none. */
export function signOf({ paint }: Page, outcome: Outcome | null): string {
  const [sign, colour] = outcome === null ? (['·', 'dim'] as const) : outcomeSigns[outcome];
  return paint(colour, sign);
}

/** The sign of a failure. */
export function markOf({ paint }: Page, outcome: 'violates' | 'warns'): string {
  const [sign, colour] = outcomeSigns[outcome];
  return paint(colour, sign);
}
