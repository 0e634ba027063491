import { pluralize } from '../../common/lists.ts';
import type { Gate } from '../gate/exit-code.ts';
import type { BaselineProblem } from '../report/report-sections.ts';
import { resultLooks } from './signs.ts';

/** Formats the result of a report as a phrase, such as `passed with 3 expected violations (baseline)`. */
export function formatResult(gate: Gate): string {
  return gate.result === 'as-expected'
    ? `passed with ${formatExpected(gate)} (baseline)`
    : resultLooks[gate.result].phrase;
}

/**
 * Formats the number of expected violations, such as `3 expected violations`. If no violation is expected, formats
 * the number of expected inconclusive checks.
 */
export function formatExpected({ expected }: Gate): string {
  return expected.violates > 0
    ? pluralize(expected.violates, 'expected violation')
    : pluralize(expected.inconclusive, 'expected inconclusive check');
}

/** Formats the reason why a baseline entry fails the run as the first word of a title. Default: `Stale`. */
export function formatProblemStatus({ status = 'stale' }: BaselineProblem): string {
  return { stale: 'Stale', expired: 'Expired', 'matches-nothing': 'Unmatched' }[status];
}
