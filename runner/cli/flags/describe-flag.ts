import type { Option } from '../../run/define-option.ts';

/** Formats the usage of a flag: `--base-url URL`, `--header 'NAME: VALUE'`, `--watch [PATH…]`. */
export function usageOf(flag: string): string {
  return flag
    .replace(/<([^>]*)>/, (_, value: string) => (value.includes(' ') ? `'${value}'` : value))
    .replace('...', '…');
}

/** Formats the arguments of a command for a usage line: ` <file...>` becomes ` FILE…`. */
export function formatArguments(args: string): string {
  return args.replace(/[<>]/g, '').replaceAll('...', '…').toUpperCase();
}

/** Returns the default of an option in words, in Markdown; an empty text without a default. */
export function formatDefault({ default: words, takes, initial }: Option): string {
  if (words !== undefined) return words;
  return typeof takes === 'object' && initial !== undefined ? (takes.format?.(initial) ?? '') : '';
}

/** Formats the description of a flag in the help. */
export function describeFlag(option: Option): string {
  const text = option.description.replace(/`([-.$A-Z][^`]*)`/g, '$1');
  const words = formatDefault(option).replaceAll('`', '');
  return words === '' ? text : `${text} Default: ${words}.`;
}
