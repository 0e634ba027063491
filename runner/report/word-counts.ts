import type { Counts } from './report.ts';

/** Counts in words, those of none left out. */
export function wordCounts(counts: Counts): string {
  const parts: [number, string][] = [
    [counts.conforms, 'conform'],
    [counts.violates, 'violated'],
    [counts.warns, 'warned of'],
    [counts.inconclusive, 'inconclusive'],
    [counts.notApplicable, 'not applicable'],
  ];
  return `${counts.planned} planned: ${
    parts
      .filter(([number]) => number > 0)
      .map(([number, name]) => `${number} ${name}`)
      .join(', ') || 'none judged'
  }`;
}
