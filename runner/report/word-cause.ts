import { type Cause, countOf } from './causes/causes.ts';
import { counted } from './counted.ts';

/** How many cases, of those that were judged, or how many requests show a cause. */
export function countCause(cause: Pick<Cause, 'cases' | 'judged' | 'requests' | 'isPooled'>): string {
  const { number, of } = countOf(cause);
  if (of === undefined) return counted(number, 'request');
  return of === number ? counted(number, 'case') : `${number} of ${counted(of, 'case')}`;
}
