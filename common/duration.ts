const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** Returns the milliseconds in a duration such as `500ms`, `10s` or `1.5m`; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const [, amount, name = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const unit = units[name];
  return unit === undefined ? undefined : Number(amount) * unit;
}

/** Formats a time in milliseconds as seconds with the unit: `1.5 s`. */
export function formatSeconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
