import { breakLogCommands } from './log-commands.ts';
import { showUnseen } from './unseen.ts';

/** A sequence that changes the colour or the weight of what follows. */
const colour = new RegExp(`(${'\u001b'}\\[[0-9;]*m)`);

/** A text for a log or a terminal: nothing in it is a command to either, but for colours, line ends and tabs. */
export function logText(text: string): string {
  const parts = text.split(colour);
  return breakLogCommands(
    parts.map((part, index) => (index % 2 === 0 ? showUnseen(part, 'kept') : part)).join(''),
  );
}
