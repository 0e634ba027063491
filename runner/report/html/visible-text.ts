import { showUnseen } from '../unseen.ts';

/**
 * A text with what a reader could not see, or would see out of order, written as its code: control characters, lone
 * surrogates, invisible letters, and those that turn the direction of writing. Line ends stay, as `\n`.
 */
export function visibleText(text: string): string {
  return showUnseen(text.replaceAll('\r\n', '\n'), 'kept');
}
