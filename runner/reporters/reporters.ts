import type { Comparison } from '../compare/comparison.ts';
import type { GatewayResults } from '../compare/gateway-results.ts';
import type { Reporter, TextStyle } from './reporter.ts';

/** Functions that load the reporters, by name. Each function imports the module of its reporter. */
export const reporters = {
  terminal: async () => (await import('./terminal/report.ts')).terminal,
  json: async () => (await import('./json.ts')).json,
  junit: async () => (await import('./junit.ts')).junit,
  html: async () => (await import('./html/page.tsx')).html,
  tap: async () => (await import('./tap.ts')).tap,
  ctrf: async () => (await import('./ctrf.ts')).ctrf,
  markdown: async () => (await import('./markdown.ts')).markdown,
  github: async () => (await import('./github.ts')).github,
  sarif: async () => (await import('./sarif.ts')).sarif,
  har: async () => (await import('./har.ts')).har,
  brief: async () => (await import('./brief.ts')).brief,
  badge: async () => (await import('./badge.ts')).badge,
} satisfies Readonly<Record<string, () => Promise<Reporter>>>;

export type ReporterName = keyof typeof reporters;

/**
 * The names of the reporters that show the exchanges of conforming cases. The other reporters need exchanges only with
 * `--verbose`, or if a case fails or is inconclusive.
 */
export const reportersWithAllExchanges: readonly ReporterName[] = ['json', 'html', 'har'];

/** The names of the reporters, in the order of the help. */
export const reporterNames: readonly string[] = Object.keys(reporters);

export function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(reporters, name);
}

/** A function without side effects that formats a comparison, or the results of gateways, as text. */
export type ComparisonReporter<Compared = Comparison> = (compared: Compared, style: TextStyle) => string;

/** Functions that load the reporters of a comparison, by name. Each function imports the module of its reporter. */
export const comparisonReporters = {
  terminal: async () => (await import('./comparison/terminal.ts')).comparisonTerminal,
  html: async () => (await import('./comparison/html/page.tsx')).comparisonHtml,
  json: async () => (await import('../../common/write-json.ts')).writeJson,
  markdown: async () => (await import('./comparison/markdown.ts')).comparisonMarkdown,
} satisfies Readonly<Record<string, () => Promise<ComparisonReporter>>>;

export type ComparisonReporterName = keyof typeof comparisonReporters;

/** Functions that load the reporters of the results of gateways, which have the same names. */
export const gatewaysReporters = {
  terminal: async () => (await import('./gateways/terminal.ts')).gatewaysTerminal,
  html: async () => (await import('./gateways/html/page.tsx')).gatewaysHtml,
  json: async () => (await import('../../common/write-json.ts')).writeJson,
  markdown: async () => (await import('./gateways/markdown.ts')).gatewaysMarkdown,
} satisfies Readonly<Record<ComparisonReporterName, () => Promise<ComparisonReporter<GatewayResults>>>>;

/** The names of the reporters of a comparison, in the order of the help. */
export const comparisonReporterNames: readonly string[] = Object.keys(comparisonReporters);

export function isComparisonReporterName(name: string): name is ComparisonReporterName {
  return Object.hasOwn(comparisonReporters, name);
}
