import type { RequestCondition } from './conditions.ts';

/** Matches requests that are refused because their body is malformed but not empty. */
export const isMalformed: RequestCondition = ({ failure }) =>
  failure?.kind === 'unparseable-body' && !failure.reason.includes('empty');
