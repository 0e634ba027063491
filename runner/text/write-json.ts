import { escapeLogCommands } from './printable.ts';

/**
 * Writes JSON for a file or a log. Lone surrogates are replaced, since parsers in other languages reject them. Invisible
 * characters, changes of text direction and commands to CI systems are escaped.
 */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const whole = mayBeIllFormed.test(text) ? JSON.stringify(value, wellFormed, 2) : text;
  return `${escapeLogCommands(
    whole.replace(beyondAscii, (letters) => letters.replace(unseen, escapeUnits)),
    'json',
  )}\n`;
}

/** The escape of a lone surrogate. */
const mayBeIllFormed = /\\ud[89a-f]/;

const beyondAscii = /[\u007f-\uffff]+/g;

/** Invisible characters. Controls up to U+001F are escaped already, or are the line breaks of the document. */
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
