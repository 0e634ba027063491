import { counted } from './counted.ts';
import type { Report } from './report.ts';

/** How many requests were sent, or exchanges were read. */
export function wordRequests({ requests, recording }: Report): string {
  return counted(requests.sent, recording ? 'exchange' : 'request');
}

/** How many of the model calls may have been billed, against how many were announced; empty where it isn't known. */
export function wordBillable({ requests: { billed, billable } }: Report): string {
  return billed === undefined ? '' : `${counted(billed, 'call')}, ${billable} announced`;
}
