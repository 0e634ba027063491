import { escapeLogCommands } from './printable.ts';

/**
 * Formats a value as indented JSON with a line feed at the end. Lone surrogates, which some parsers reject, become
 * U+FFFD. Invisible characters and log commands are escaped.
 */
export function writeJson(value: unknown): string {
  return `${format(value)}\n`;
}

/**
 * Formats a value as `writeJson` does, in pieces, so that the whole text need not fit into memory. Down to `depth`
 * levels, each property and each element is formatted separately. At these levels, a list can be any iterable, whose
 * elements are read one after another.
 */
export function* writeJsonPieces(value: unknown, depth: number): Generator<string> {
  yield* piecesBelow(value, depth, '');
  yield '\n';
}

function* piecesBelow(value: unknown, depth: number, indent: string): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield format(value).replaceAll('\n', `\n${indent}`);
    return;
  }
  const isList = isIterable(value);
  const [open, close] = isList ? '[]' : '{}';
  const inner = `${indent}  `;
  let separator = open;
  for (const [name, item] of isList ? listEntries(value) : Object.entries(value)) {
    if (item === undefined && !isList) continue;
    yield `${separator}\n${inner}${name === undefined ? '' : `${format(name)}: `}`;
    yield* piecesBelow(item ?? null, depth - 1, inner);
    separator = ',';
  }
  yield separator === open ? `${open}${close}` : `\n${indent}${close}`;
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

function* listEntries(list: Iterable<unknown>): Generator<readonly [undefined, unknown]> {
  for (const item of list) yield [undefined, item];
}

function format(value: unknown): string {
  const whole = JSON.stringify(value, null, 2).replace(loneSurrogates, '$1\ufffd');
  return escapeLogCommands(
    whole.replace(beyondAscii, (letters) => letters.replace(unseenInJson, escapeUnits)),
    'json',
  );
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
