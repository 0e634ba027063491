import { breakLogCommands } from './log-commands.ts';
import { showUnseen } from './unseen.ts';

/**
 * A text from a gateway on one line, well-formed, with control characters, changes of direction and all else that is not
 * seen shown as escapes, and without commands to CI systems; of one longer than `longest` characters, its beginning.
 */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = breakLogCommands(showUnseen(text, 'spaces'));
  return line.length > longest ? `${line.slice(0, Math.max(0, longest - 1)).toWellFormed()}…` : line;
}
