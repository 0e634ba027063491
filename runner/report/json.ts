import type { Report } from './report.ts';

/** The report itself; `specs/schemas/report.schema.json` is its schema. */
export function json(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
