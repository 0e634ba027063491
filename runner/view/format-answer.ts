import { formatOneLine } from '../../common/printable.ts';
import type { ExchangeReport } from '../report/report.ts';

/**
 * Formats a response on one line: the status and at most `longest` characters of the body, or the reason why no
 * response was received.
 */
export function formatAnswer(
  { response, failure }: Pick<ExchangeReport, 'response' | 'failure'>,
  longest: number,
): string {
  if (!response) return `no response: ${formatOneLine(failure?.detail ?? '', longest)}`;
  const body = formatOneLine(response.body.text.replace(/\s+/g, ' '), longest);
  return `${response.status} ${body || '(no body)'}`;
}
