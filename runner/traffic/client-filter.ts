import type { RecordedExchange } from '../recordings/recorded-exchange.ts';

/** The reason why an exchange of another client is not judged. */
export const otherClient = 'Sent by a client that --client does not name.';

/**
 * Creates the test whether a client sent an exchange: its header `user-agent` contains the text, regardless of case. Without
 * a text, every client did.
 */
export function createClientFilter(text: string | undefined): (recorded: RecordedExchange) => boolean {
  if (text === undefined) return () => true;
  const wanted = text.toLowerCase();
  return ({ request: { headers } }) =>
    headers.some(([name, value]) => name === 'user-agent' && value.toLowerCase().includes(wanted));
}
