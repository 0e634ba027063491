import { pluralize } from '../../common/lists.ts';
import type { Gate, OverallResult } from '../gate/exit-code.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { BaselineProblem } from '../report/report-sections.ts';
import { knownLook, type Look, outcomeLooks } from './signs.ts';

/** How the result of a report is shown. */
export interface ResultLook {
  /** The outcome with the same sign and colours in HTML. */
  readonly tone: Outcome;
  readonly look: Pick<Look, 'sign' | 'colour'>;
  /** The sign in Markdown, where it has no colour. */
  readonly emoji: string;
  /** The shortest name. */
  readonly name: string;
  readonly title: string;
  /** A sentence without its full stop. */
  readonly sentence: string;
  /** The phrase that follows the name of a gateway. */
  readonly phrase: string;
}

export const resultLooks: Readonly<Record<OverallResult, ResultLook>> = {
  conforms: {
    tone: 'conforms',
    look: outcomeLooks.conforms,
    emoji: '✅',
    name: 'Conforms',
    title: 'Conforms',
    sentence: 'The gateway conforms',
    phrase: 'conforms',
  },
  violates: {
    tone: 'violates',
    look: outcomeLooks.violates,
    emoji: '❌',
    name: 'Violates',
    title: 'Violates the specification',
    sentence: 'The gateway violates the specification',
    phrase: 'violates',
  },
  'as-expected': {
    tone: 'warns',
    look: { ...knownLook, colour: 'yellow' },
    emoji: '✅',
    name: 'Passed',
    title: 'Passed',
    sentence: 'The gateway passed',
    phrase: 'passed with expected violations (baseline)',
  },
  'baseline-outdated': {
    tone: 'violates',
    look: outcomeLooks.violates,
    emoji: '❌',
    name: 'Stale baseline',
    title: 'Stale baseline',
    sentence: 'The baseline of the gateway is stale',
    phrase: 'has a stale baseline',
  },
  inconclusive: {
    tone: 'inconclusive',
    look: outcomeLooks.inconclusive,
    emoji: '❔',
    name: 'Inconclusive',
    title: 'Inconclusive',
    sentence: 'The result is inconclusive',
    phrase: 'inconclusive',
  },
};

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
