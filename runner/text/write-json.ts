import { escapeLogCommands } from './printable.ts';

/**
 * Formats a value as indented JSON with a line feed at the end. Lone surrogates become U+FFFD, because parsers in other
 * languages reject them. Invisible characters and log commands are escaped.
 */
export function writeJson(value: unknown): string {
  const whole = JSON.stringify(value, null, 2).replace(loneSurrogates, '$1\ufffd');
  return `${escapeLogCommands(
    whole.replace(beyondAscii, (letters) => letters.replace(unseenInJson, escapeUnits)),
    'json',
  )}\n`;
}

/** Matches the escape of a lone surrogate, but not an escaped backslash that is followed by the same letters. */
const loneSurrogates = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

const beyondAscii = /[\u007f-\uffff]+/g;

/**
 * Invisible characters. `JSON.stringify` escapes the control characters up to U+001F, except the line feeds between
 * lines.
 */
const unseenInJson = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeUnits(letter: string): string {
  return letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
