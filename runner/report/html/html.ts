import { redactAll } from '../redact.ts';
import type { Report } from '../report.ts';
import { renderDocument } from './markup.ts';
import { Page } from './page.tsx';
import { visibleText } from './visible-text.ts';

/** The report as one page for people: a whole HTML document that needs nothing but itself. */
export function html(report: Report): string {
  // Once for every text there is, so that no component can forget one.
  return renderDocument(Page({ report: redactAll(report, visibleText) }));
}
