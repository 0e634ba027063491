import type { Finding } from '../judge/finding.ts';
import { type Redact, redactAll } from './redact.ts';
import type { FindingReport } from './report.ts';
import { wordFinding } from './wording.ts';

/** The longest text in a finding that a report shows. */
const longest = 500;

/** A finding as reports show it: redacted before anything of it is cut, so that no piece of a key stays at a cut. */
export function describeFinding(
  { exchange, finding }: { readonly exchange: string; readonly finding: Finding },
  redact: Redact,
): FindingReport {
  const shown = redactAll(finding, (text) => shorten(redact(text)));
  return { exchange, message: wordFinding(shown), finding: shown };
}

function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}
