import type { Markup } from './markup.ts';

/** A sentence of ours, in which the words between backticks are code. */
export function Prose({ text }: { readonly text: string }): Markup {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}
