import { frame, media, sections, theme } from '../../../common/page/style.ts';
import coverage from './browser/coverage.css.js';
import entries from './browser/entries.css.js';
import filter from './browser/filter.css.js';
import findings from './browser/findings.css.js';
import matrix from './browser/matrix.css.js';
import narrow from './browser/narrow.css.js';
import paper from './browser/paper.css.js';
import sdkTable from './browser/sdk-table.css.js';
import verdict from './browser/verdict.css.js';

/** Returns the styles of a page about exchanges and their outcomes, with the styles of its own parts. */
export function reportStyles(...parts: readonly string[]): string {
  const common = [theme, frame, verdict, sections, coverage, findings, matrix, filter];
  return [...common, ...parts, narrow, media, paper].join('');
}

export const styleSheet = reportStyles(sdkTable, entries);
