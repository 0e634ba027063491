import type { ExchangeReport } from '../report.ts';
import { curlLine } from './curl-line.ts';
import type { KeyVariables } from './shell-key.ts';

/** An exchange whose curl line is made of its request, whatever line it had. */
export function remakeCurl(exchange: ExchangeReport, variables: KeyVariables): ExchangeReport {
  return { ...exchange, curl: curlLine(exchange.request, variables) };
}
