import type { Comparison } from '../compare/comparison.ts';
import type { Reporter, TextStyle } from './reporter.ts';

/** The reporters by name. A reporter is loaded when the user selects it. */
export const reporters = {
  terminal: async () => (await import('./terminal/report.ts')).terminal,
  json: async () => (await import('./json.ts')).json,
  junit: async () => (await import('./junit.ts')).junit,
  html: async () => (await import('./html/page.tsx')).html,
  tap: async () => (await import('./tap.ts')).tap,
  markdown: async () => (await import('./markdown.ts')).markdown,
  github: async () => (await import('./github.ts')).github,
  sarif: async () => (await import('./sarif.ts')).sarif,
  har: async () => (await import('./har.ts')).har,
  badge: async () => (await import('./badge.ts')).badge,
} satisfies Readonly<Record<string, () => Promise<Reporter>>>;

export type ReporterName = keyof typeof reporters;

/** The reporters that show the exchanges, or their durations, of cases that conform. */
export const showAllExchanges: readonly ReporterName[] = ['json', 'junit', 'html', 'har'];

/** The names of the reporters, in the order in which they are offered. */
export const reporterNames: readonly string[] = Object.keys(reporters);

/** Whether a reporter has this name. */
export function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(reporters, name);
}

/** Formats a comparison as one text, without side effects. */
export type ComparisonReporter = (comparison: Comparison, style: TextStyle) => string;

/** The reporters of a comparison by name. A reporter is loaded when the user selects it. */
export const comparisonReporters = {
  terminal: async () => (await import('./comparison/terminal.ts')).comparisonTerminal,
  html: async () => (await import('./comparison/html/page.tsx')).comparisonHtml,
  json: async () => (await import('../text/write-json.ts')).writeJson,
  markdown: async () => (await import('./comparison/markdown.ts')).comparisonMarkdown,
} satisfies Readonly<Record<string, () => Promise<ComparisonReporter>>>;

export type ComparisonReporterName = keyof typeof comparisonReporters;

/** The names of the reporters of a comparison, in the order in which they are offered. */
export const comparisonReporterNames: readonly string[] = Object.keys(comparisonReporters);

/** Whether a reporter of comparisons has this name. */
export function isComparisonReporterName(name: string): name is ComparisonReporterName {
  return Object.hasOwn(comparisonReporters, name);
}
