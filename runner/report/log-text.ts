import { breakLogCommands } from './log-commands.ts';
import { showUnseen } from './unseen.ts';

const esc = '\u001b';
/** A sequence that changes the colour or the weight of what follows. */
const colour = new RegExp(`(${esc}\\[[0-9;]*m)`);

/** A text for a log or a terminal: nothing in it is a command to either, but for line ends, tabs and wanted colours. */
export function logText(text: string, { colours = false }: { readonly colours?: boolean } = {}): string {
  const parts = colours ? text.split(colour) : [text];
  return breakLogCommands(
    parts.map((part, index) => (index % 2 === 0 ? showUnseen(part, 'kept') : part)).join(''),
  );
}
