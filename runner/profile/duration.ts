const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** The longest time that a timer can wait for, in milliseconds: almost 25 days. */
export const longestDuration = 2 ** 31 - 1;

/** The milliseconds of a duration such as `500ms`, `10s` or `1.5m`; undefined where it is none, or is too long. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text);
  const unit = units[match?.[2] ?? ''];
  const milliseconds = match && unit !== undefined ? Number(match[1]) * unit : Number.NaN;
  return milliseconds <= longestDuration ? milliseconds : undefined;
}
