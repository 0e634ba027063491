/** The longest text of a value that a finding carries. */
const longest = 500;

/** A value as findings carry it: itself where it is small, else the beginning of its JSON; never too deep to be written. */
export function brief(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;
  }
  const text = asJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : value;
}

/** A text that is the same for the same value; values too deep to be written are told apart from others only. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '(nested too deep to be shown)'.padEnd(longest + 1);
  }
}
