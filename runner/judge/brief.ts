/** The longest text of a value that a finding carries as it is. */
const longest = 500;

/** How much a finding carries of a longer one; more than is shown, so that keys are taken out before it is cut. */
const carried = 8 * longest;

/** A value as findings carry it: itself where it is small, else the beginning of its JSON; never too deep to be written. */
export function brief(value: unknown): unknown {
  const text = typeof value === 'string' ? value : asJson(value);
  return text.length > longest ? beginning(text) : value;
}

/** As much of a text as a finding carries. */
export function beginning(text: string): string {
  return text.slice(0, carried);
}

/** A text that is the same for the same value; values too deep to be written are told apart from others only. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '(nested too deep to be shown)'.padEnd(longest + 1);
  }
}
