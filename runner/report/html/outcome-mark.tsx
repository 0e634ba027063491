import type { Outcome } from '../../judge/outcome.ts';
import type { Markup } from './markup.ts';

/** How each outcome is marked and called; the sign and the word tell it without colour. */
export const outcomeLooks: Readonly<Record<Outcome, { readonly sign: string; readonly word: string }>> = {
  violates: { sign: '✗', word: 'failed' },
  warns: { sign: '▲', word: 'warning' },
  inconclusive: { sign: '?', word: 'inconclusive' },
  conforms: { sign: '✓', word: 'passed' },
  'not-applicable': { sign: '–', word: 'not applicable' },
};

/** An outcome as a sign and a word. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }): Markup {
  const { sign, word } = outcomeLooks[outcome];
  return (
    <span class={`mark ${outcome}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}
