import type { Comparison } from '../../compare/comparison.ts';
import { writeJson } from '../../text/write-json.ts';
import type { TextStyle } from '../reporter.ts';

/** Makes one text of a comparison; pure. */
export type ComparisonReporter = (comparison: Comparison, style: TextStyle) => string;

/** What a comparison can be written as, each loaded where it is chosen; they have the names of those of a report. */
export const comparisonReporters = {
  terminal: async () => (await import('./terminal.ts')).terminal,
  html: async () => (await import('./html/page.tsx')).html,
  json: async () => writeJson,
  markdown: async () => (await import('./markdown.ts')).markdown,
} satisfies Readonly<Record<string, () => Promise<ComparisonReporter>>>;

export type ComparisonReporterName = keyof typeof comparisonReporters;

/** Their names, in the order in which they are offered. */
export const comparisonReporterNames: readonly string[] = Object.keys(comparisonReporters);

/** Whether a comparison can be written so. */
export function isComparisonReporterName(name: string): name is ComparisonReporterName {
  return Object.hasOwn(comparisonReporters, name);
}
