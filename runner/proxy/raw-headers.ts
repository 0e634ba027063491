import type { HeaderLine } from '../traffic/recorded.ts';

/** Headers in the order and case in which they were sent: name, value, name, value. */
export type RawHeaders = readonly string[];

/** The lines of raw headers, in order and in their case. */
export function headerLines(raw: RawHeaders): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) lines.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return lines;
}

/** The lines with their names in lower case. */
export function inLowerCase(lines: readonly HeaderLine[]): HeaderLine[] {
  return lines.map(([name, value]) => [name.toLowerCase(), value]);
}

/** The values of a header, one for each of its lines; `wanted` is in lower case. */
export function valuesOf(raw: RawHeaders, wanted: string): string[] {
  return headerLines(raw).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

/** The value of a header in lower case, its lines joined with commas; undefined if it was not sent. */
export function lowerValue(raw: RawHeaders, wanted: string): string | undefined {
  const values = valuesOf(raw, wanted);
  return values.length === 0 ? undefined : values.join(',').toLowerCase();
}

/** Headers by lower-case name; different values of one name are joined with commas, equal ones are listed once. */
export function joined(lines: readonly HeaderLine[]): Record<string, string> {
  const byName = new Map<string, Set<string>>();
  for (const [name, value] of inLowerCase(lines))
    byName.set(name, (byName.get(name) ?? new Set()).add(value));
  return Object.fromEntries([...byName].map(([name, values]) => [name, [...values].join(', ')]));
}
