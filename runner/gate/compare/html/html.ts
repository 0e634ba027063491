import { renderDocument } from '../../../report/html/markup.ts';
import { visibleText } from '../../../report/html/visible-text.ts';
import { redactAll } from '../../../report/redact.ts';
import type { Comparison } from '../comparison.ts';
import { ComparisonPage } from './comparison-page.tsx';

/** The comparison as one page for people: a whole HTML document that needs nothing but itself. */
export function html(comparison: Comparison): string {
  // Once for every text there is, so that no component can forget one.
  return renderDocument(ComparisonPage({ comparison: redactAll(comparison, visibleText) }));
}
