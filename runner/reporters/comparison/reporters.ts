import type { Comparison } from '../../compare/comparison.ts';
import { writeJson } from '../../text/write-json.ts';
import type { TextStyle } from '../reporter.ts';

/** Formats a comparison as one text; pure. */
export type ComparisonReporter = (comparison: Comparison, style: TextStyle) => string;

/** The reporters of a comparison, which are loaded when they are chosen. They have the same names as the reporters of a report. */
export const comparisonReporters = {
  terminal: async () => (await import('./terminal.ts')).comparisonTerminal,
  html: async () => (await import('./html/page.tsx')).comparisonHtml,
  json: async () => writeJson,
  markdown: async () => (await import('./markdown.ts')).comparisonMarkdown,
} satisfies Readonly<Record<string, () => Promise<ComparisonReporter>>>;

export type ComparisonReporterName = keyof typeof comparisonReporters;

/** Their names, in the order in which they are offered. */
export const comparisonReporterNames: readonly string[] = Object.keys(comparisonReporters);

/** Whether a comparison can be written so. */
export function isComparisonReporterName(name: string): name is ComparisonReporterName {
  return Object.hasOwn(comparisonReporters, name);
}
