/** Formats the end of a key, such as `…k3f9`; an empty text if it is not shown. */
export const formatEnding = (ending: string): string => (ending === '' ? '' : `…${ending}`);

/**
 * Formats a time in milliseconds since 1970-01-01 UTC, such as `2026-01-31 12:00:00 UTC`. Returns `never` for
 * undefined.
 */
export function formatUtcTime(time: number | undefined): string {
  return time === undefined ? 'never' : `${new Date(time).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}
