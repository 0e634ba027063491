import { styleText } from 'node:util';
import type { Outcome } from '../../judge/outcome.ts';
import { type OverallResult, overallResultWords } from '../../report/exit-code.ts';
import type { TextStyle } from '../reporter.ts';

/** The width and colours of a text, with a function that colours a part of it. */
export interface PageStyle extends TextStyle {
  readonly paint: (format: Parameters<typeof styleText>[0], text: string) => string;
}

/** Adds the function that colours a text to a style. */
export function createPageStyle(style: TextStyle): PageStyle {
  return {
    ...style,
    paint: (format, text) => (style.colour ? styleText(format, text, { validateStream: false }) : text),
  };
}

/** A sign and its colour. */
export type Sign = readonly [sign: string, colour: 'red' | 'yellow' | 'green' | 'dim'];

/** The sign of each outcome, which is clear without colour. */
export const outcomeSigns: Readonly<Record<Outcome, Sign>> = {
  violates: ['✗', 'red'],
  warns: ['▲', 'yellow'],
  inconclusive: ['?', 'yellow'],
  conforms: ['✓', 'green'],
  'not-applicable': ['–', 'dim'],
};

/** Returns the sign of an outcome, or a dot without an outcome. */
export function signOf({ paint }: PageStyle, outcome: Outcome | null): string {
  const [sign, colour] = outcome === null ? (['·', 'dim'] as const) : outcomeSigns[outcome];
  return paint(colour, sign);
}

/** Returns the sign of a failure. */
export function markOf({ paint }: PageStyle, outcome: 'violates' | 'warns'): string {
  const [sign, colour] = outcomeSigns[outcome];
  return paint(colour, sign);
}

const verdicts: Readonly<Record<OverallResult, readonly ['green' | 'red' | 'yellow', string]>> = {
  conforms: ['green', '✓ CONFORMS'],
  violates: ['red', '✗ VIOLATES'],
  'as-expected': ['yellow', '≈ PASSED'],
  'baseline-outdated': ['red', '✗ STALE BASELINE'],
  inconclusive: ['yellow', '? INCONCLUSIVE'],
};

/**
 * Formats the result for the last line. `expected` counts the failures that the baseline expects, such as `3 expected
 * violations`.
 */
export function verdictText(
  { paint }: PageStyle,
  result: OverallResult,
  expected = 'expected violations',
): string {
  const [colour, text] = verdicts[result];
  return paint([colour, 'bold'], text) + (result === 'as-expected' ? ` with ${expected} (baseline)` : '');
}

/** The result if only a client fails the command, with the ids of the violated duties. */
export function clientVerdictText(
  { paint }: PageStyle,
  result: OverallResult,
  { duties, expected }: { readonly duties: readonly string[]; readonly expected: string },
): string {
  const gateway = {
    ...overallResultWords,
    'as-expected': `passed with ${expected} (baseline)`,
    inconclusive: 'could not be fully judged',
  }[result];
  return `${paint(['red', 'bold'], '✗ CLIENT VIOLATES')} ${duties.join(', ')} (--strict-client); the gateway ${gateway}`;
}
