import { escapeLogCommands } from './printable.ts';

/**
 * JSON for a file or a log: its texts are well-formed, as readers in other languages demand; letters that aren't seen, or
 * that change the order of others, are escaped; and nothing in it is a command to a CI system.
 */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const whole = mayBeIllFormed.test(text) ? JSON.stringify(value, wellFormed, 2) : text;
  return `${escapeLogCommands(whole.replace(unseen, escapeUnits), 'json')}\n`;
}

/** How a lone surrogate is written, which few texts have. */
const mayBeIllFormed = /\\ud[89a-f]/;

/** What isn't seen; controls up to U+001F are escaped already, and line breaks set out the document. */
const unseen = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeUnits(letter: string): string {
  return letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function wellFormed(_name: string, item: unknown): unknown {
  return typeof item === 'string' ? item.toWellFormed() : item;
}
