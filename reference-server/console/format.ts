/** Formats an amount, such as `1,000,000 credits`. */
export function formatCredits(credits: number): string {
  return `${credits.toLocaleString('en')} ${credits === 1 ? 'credit' : 'credits'}`;
}

/**
 * Formats a time in milliseconds since 1970-01-01 UTC, such as `2026-01-31 12:00:00 UTC`. Returns `never` for
 * undefined.
 */
export function formatUtcTime(time: number | undefined): string {
  return time === undefined ? 'never' : `${new Date(time).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}
