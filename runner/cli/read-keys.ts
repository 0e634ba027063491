import type { ReadStream } from 'node:tty';

/** Calls back for each key that is pressed, without waiting for enter; gives what puts the terminal back. */
export function readKeys(terminal: ReadStream, onKey: (key: string) => void): () => void {
  const read = (piece: Buffer): void => {
    for (const key of piece.toString()) onKey(key);
  };
  terminal.setRawMode(true);
  terminal.on('data', read).resume();
  return () => {
    terminal.off('data', read).pause();
    terminal.setRawMode(false);
  };
}
