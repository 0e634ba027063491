import { escapeLogCommands } from './printable.ts';

/**
 * Writes JSON for a file or a log. Lone surrogates are replaced, since parsers in other languages reject them. Invisible
 * characters, changes of text direction and commands to CI systems are escaped.
 */
export function writeJson(value: unknown): string {
  const whole = JSON.stringify(value, null, 2).replace(loneSurrogates, '$1\ufffd');
  return `${escapeLogCommands(
    whole.replace(beyondAscii, (letters) => letters.replace(unseenInJson, escapeUnits)),
    'json',
  )}\n`;
}

/** The escapes of lone surrogates, but not an escaped backslash before the same letters. */
const loneSurrogates = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

const beyondAscii = /[\u007f-\uffff]+/g;

/** Invisible characters. Controls up to U+001F are escaped already, or are the line breaks of the document. */
const unseenInJson = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeUnits(letter: string): string {
  return letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
