import { oneLine } from './one-line.ts';
import type { ExchangeReport } from './report.ts';

/** What came on a request, in a line: the status and at most `longest` characters of the body, or why nothing came. */
export function wordAnswer(
  { response, failure }: Pick<ExchangeReport, 'response' | 'failure'>,
  longest: number,
): string {
  if (!response) return `no answer: ${oneLine(failure?.detail ?? '', longest)}`;
  const body = oneLine(response.body.text.replace(/\s+/g, ' '), longest);
  return `${response.status} ${body || '(no body)'}`;
}
