import type { TextStyle } from '../../report/reporters.ts';
import type { Comparison } from './comparison.ts';

/** Makes one text of a comparison; pure. */
export type ComparisonReporter = (comparison: Comparison, style: TextStyle) => string;

/** What a comparison can be written as, each loaded where it is chosen; they have the names of those of a report. */
export const comparisonReporters = {
  terminal: async () => (await import('./terminal.ts')).terminal,
  html: async () => (await import('./html/html.ts')).html,
  json: async () => (await import('./json.ts')).json,
  markdown: async () => (await import('./markdown.ts')).markdown,
} satisfies Readonly<Record<string, () => Promise<ComparisonReporter>>>;

export type ComparisonReporterName = keyof typeof comparisonReporters;

/** Their names, in the order in which they are offered. */
export const comparisonReporterNames: readonly string[] = Object.keys(comparisonReporters);

/** Whether a comparison can be written so. */
export function isComparisonReporterName(name: string): name is ComparisonReporterName {
  return Object.hasOwn(comparisonReporters, name);
}
