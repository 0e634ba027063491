import type { Report } from '../report/report.ts';

/** How a text for people is set; machine formats don't ask. */
export interface TextStyle {
  readonly colour: boolean;
  /** Shows every case of a finding, its exchange, and what was observed. */
  readonly verbose: boolean;
  /** Columns in a line; infinitely many where nothing is to be wrapped. */
  readonly width: number;
  /** The files to which other reports of the same run are written. */
  readonly files?: readonly { readonly name: ReporterName; readonly file: string }[];
}

/** Makes one text of a report; pure. */
export type Reporter = (report: Report, style: TextStyle) => string;

/** The reporters by name, each loaded where it is chosen. */
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

/** The names of the reporters, in the order in which they are offered. */
export const reporterNames: readonly string[] = Object.keys(reporters);

/** Whether there is a reporter of this name. */
export function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(reporters, name);
}
