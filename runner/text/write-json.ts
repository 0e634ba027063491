import { escapeLogCommands } from './printable.ts';

/**
 * JSON for a file or a log. Texts and member names are well-formed, as parsers in other languages require. Invisible
 * characters, and those that change the direction of text, are escaped, and so is what a CI system would run as a command.
 */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const whole = mayBeIllFormed.test(text) ? JSON.stringify(value, wellFormed, 2) : text;
  return `${escapeLogCommands(
    whole.replace(beyondAscii, (letters) => letters.replace(unseen, escapeUnits)),
    'json',
  )}\n`;
}

/** How a lone surrogate is written, which few texts have. */
const mayBeIllFormed = /\\ud[89a-f]/;

/** Letters among which there may be some that aren't seen. */
const beyondAscii = /[\u007f-\uffff]+/g;

/** What isn't seen; controls up to U+001F are escaped already, and line breaks set out the document. */
const unseen = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeUnits(letter: string): string {
  return letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function wellFormed(_name: string, item: unknown): unknown {
  if (typeof item === 'string') return item.toWellFormed();
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const members = Object.entries(item);
  if (members.every(([name]) => name.isWellFormed())) return item;
  return Object.fromEntries(members.map(([name, value]) => [name.toWellFormed(), value]));
}
