import { columnsOf, type Line } from '../../text/wrap.ts';

/**
 * Wraps a curl line that is too long. It continues on the next line before an option, so that a shell reads it as one command.
 */
export function wrapCurl({ width }: Line, indent: string, curl: string): string[] {
  const first = indent + curl;
  if (columnsOf(first) <= width) return [first];
  const parts = splitAtOptions(curl);
  return parts.map(
    (part, index) => `${indent}${index === 0 ? '' : '  '}${part}${index < parts.length - 1 ? ' \\' : ''}`,
  );
}

/** Splits a command before each option that is not within quotes. */
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
    else if (inside === undefined && isLongOption(command.slice(at, at + 4))) {
      parts.push(command.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, command.slice(start)];
}

/** Whether a text begins with a space and an option that has a value: `-H`, `--data-raw`. */
function isLongOption(text: string): boolean {
  return /^ (?:-H |--[a-z])/.test(text);
}
