import { styleText } from 'node:util';
import { pluralize } from '../../../common/lists.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { columnsOf, type Line } from '../../../common/wrap.ts';
import type { OverallResult } from '../../gate/exit-code.ts';
import type { Outcome } from '../../judge/outcome.ts';
import { formatResult, resultLooks } from '../../view/result.ts';
import { type Look, outcomeLooks, untriedLook } from '../../view/signs.ts';
import type { View } from '../../view/view.ts';
import type { TextStyle } from '../reporter.ts';

/**
 * The style of a text, with a function that colours a part of the text. Without colours, the function returns the
 * text unchanged.
 */
export interface PageStyle extends TextStyle {
  readonly paint: (format: Parameters<typeof styleText>[0], text: string) => string;
}

export function createPageStyle(style: TextStyle): PageStyle {
  return {
    ...style,
    paint: (format, text) => (style.colour ? styleText(format, text, { validateStream: false }) : text),
  };
}

/** Returns the coloured sign of an outcome; `·` for null. */
export function signOf(page: PageStyle, outcome: Outcome | null): string {
  return paintSign(page, outcome === null ? untriedLook : outcomeLooks[outcome]);
}

export function paintSign({ paint }: PageStyle, { colour, sign }: Pick<Look, 'colour' | 'sign'>): string {
  return paint(colour, sign);
}

/**
 * Formats the first items, or all with `--verbose`, and a line with the number of the others. `beginning` is the
 * beginning of this line.
 */
export function formatFirstLines<Item>(
  page: PageStyle,
  {
    items,
    most,
    noun = '',
  }: { readonly items: readonly Item[]; readonly most: number; readonly noun?: string },
  format: (item: Item, index: number) => readonly string[],
  beginning = '  ',
): string[] {
  const shown = page.verbose ? items : items.slice(0, most);
  const rest = items.length - shown.length;
  const count = noun === '' ? `${rest} more` : pluralize(rest, `more ${noun}`);
  return [
    ...shown.flatMap(format),
    ...(rest > 0 ? [beginning + page.paint('dim', `and ${count} (--verbose shows all)`)] : []),
  ];
}

/**
 * Formats the result of a run, such as `✓ CONFORMS in all 171 requirements`, from the name of the result and what
 * follows it.
 */
export function formatVerdict(
  { paint }: PageStyle,
  result: OverallResult,
  {
    name = resultLooks[result].name,
    rest = result === 'as-expected' ? ' with expected violations (baseline)' : '',
  } = {},
): string {
  const { look } = resultLooks[result];
  return paint([look.colour, 'bold'], `${look.sign} ${name.toUpperCase()}`) + rest;
}

/** Formats the result for traffic in which clients violated duties, with the IDs of these duties. */
export function formatClientVerdict(
  { paint }: PageStyle,
  view: Pick<View, 'report' | 'gate'>,
  duties: readonly string[],
): string {
  const gateway = view.gate.result === 'inconclusive' ? 'could not be fully judged' : formatResult(view);
  return `${paint(['red', 'bold'], `${outcomeLooks.violates.sign} CLIENT VIOLATES`)} ${duties.join(', ')} (--strict-client); the gateway ${gateway}`;
}

/**
 * Returns the lines of shell commands that repeat a request. A command that is too wide is split before each `-H` and
 * each long option. Lines that continue end with a backslash.
 */
export function wrapCurl({ width }: Line, indent: string, curl: string): string[] {
  return curl.split('\n').flatMap((command) => {
    const line = formatOneLine(command);
    if (columnsOf(indent + line) <= width) return [indent + line];
    const parts = splitAtOptions(line);
    return parts.map(
      (part, index) => `${indent}${index === 0 ? '' : '  '}${part}${index < parts.length - 1 ? ' \\' : ''}`,
    );
  });
}

/** Splits a command before each `-H` and each long option that is not within quotes or `$()`. */
function splitAtOptions(command: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth: string[] = [];
  for (let at = 0; at < command.length; at++) {
    const letter = command[at];
    const inside = depth.at(-1);
    if (inside === "'") {
      if (letter === "'") depth = depth.slice(0, -1);
    } else if (letter === '\\') at += 1;
    else if (letter === "'" && inside !== '"') depth = [...depth, "'"];
    else if (letter === '"') depth = inside === '"' ? depth.slice(0, -1) : [...depth, '"'];
    else if (letter === '$' && command[at + 1] === '(') {
      depth = [...depth, '('];
      at += 1;
    } else if (letter === ')' && inside === '(') depth = depth.slice(0, -1);
    else if (inside === undefined && beginsWithOption(command.slice(at, at + 4))) {
      parts.push(command.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, command.slice(start)];
}

/** Whether a text begins with a space and `-H`, or with a space and a long option such as `--data-raw`. */
function beginsWithOption(text: string): boolean {
  return /^ (?:-H |--[a-z])/.test(text);
}
