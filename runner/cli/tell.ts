import { logText } from '../report/log-text.ts';

/** What a message has of its own. */
interface Looks {
  readonly colours?: boolean;
}

/** Writes a message to stderr. Whatever it quotes is no command to a terminal or a CI system. */
export function tell(message: string, looks: Looks = {}): void {
  process.stderr.write(`${logText(message, looks)}\n`);
}

/** Writes a text to stdout, in the same way. */
export function print(text: string, looks: Looks = {}): void {
  process.stdout.write(logText(text, looks));
}
