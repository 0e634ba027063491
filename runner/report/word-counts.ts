import type { Counts } from './report.ts';

/** Counts in words, those of none left out. */
export function wordCounts(counts: Counts): string {
  const parts: [number, string][] = [
    [counts.conforms, 'passed'],
    [counts.violates, 'failed'],
    [counts.warns, 'warned'],
    [counts.inconclusive, 'inconclusive'],
    [counts.notApplicable, 'not applicable'],
  ];
  return `${counts.planned} planned: ${
    parts
      .filter(([number]) => number > 0)
      .map(([number, name]) => `${number} ${name}`)
      .join(', ') || 'none tested'
  }`;
}

/** The same in less room. */
export function wordCountsShortly({
  planned,
  conforms,
  violates,
  warns,
  inconclusive,
  notApplicable,
}: Counts): string {
  const parts: [number, string][] = [
    [violates, 'failed'],
    [warns, 'warned'],
    [conforms, 'passed'],
    [inconclusive + notApplicable, 'not tested'],
  ];
  const shown = parts.filter(([number]) => number > 0).map(([number, name]) => `${number} ${name}`);
  return `${planned}: ${shown.join(', ')}`;
}
