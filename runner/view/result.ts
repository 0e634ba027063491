import { pluralize } from '../../common/lists.ts';
import type { Gate, OverallResult } from '../gate/exit-code.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Report } from '../report/report.ts';
import { countJudged } from '../report/summarize.ts';
import { formatCount, knownLook, type Look, outcomeLooks } from './signs.ts';

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
  'as-declared': {
    tone: 'deviates',
    look: outcomeLooks.conforms,
    emoji: '✅',
    name: 'As declared',
    title: 'As declared',
    sentence: 'The gateway does what its profile declares',
    phrase: 'as declared',
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
  'in-scope': {
    tone: 'warns',
    look: { ...knownLook, colour: 'yellow' },
    emoji: '✅',
    name: 'Passed',
    title: 'Passed in scope',
    sentence: 'The gateway passed in scope',
    phrase: 'passed in scope',
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
  'deviations-outdated': {
    tone: 'violates',
    look: outcomeLooks.violates,
    emoji: '❌',
    name: 'Stale deviations',
    title: 'Stale deviations',
    sentence: 'The declared deviations of the gateway are stale',
    phrase: 'has stale deviations',
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

/**
 * Formats the result of a report as a phrase, such as `conforms in 150 of 171 requirements` or `passed with 3 expected
 * violations (baseline)`.
 */
export function formatResult({ report, gate }: ReportWithGate): string {
  const phrase = gate.result === 'as-expected' ? 'passed' : resultLooks[gate.result].phrase;
  return phrase + formatRest({ report, gate });
}

/**
 * Formats what follows the name of the result: what the baseline expects, and how much was tested if nothing failed. A
 * selection doesn't show that the gateway conforms.
 */
export function formatRest({ report, gate }: ReportWithGate): string {
  if (gate.result === 'as-expected') return ` with ${formatExpected(gate)} (baseline)${formatShare(report)}`;
  if (gate.result === 'as-declared') return formatDeclared(report);
  if (gate.result === 'in-scope')
    return ` (--fail-on ${report.scope}): ${pluralize(gate.outOfScope, 'less severe violation')}${formatShare(report)}`;
  return gate.result === 'conforms' ? formatShare(report) : '';
}

/** Whether the result is only that of a selection, so that `conforms` would say too much. */
export function isOfSelection({ report, gate }: ReportWithGate): boolean {
  return (gate.result === 'conforms' || gate.result === 'as-declared') && report.suite?.isSelection === true;
}

type ReportWithGate = { readonly report: Pick<Report, 'summary' | 'suite' | 'scope'>; readonly gate: Gate };

function formatShare({ summary: { requirements }, suite }: ReportWithGate['report']): string {
  if (!suite) return '';
  const tested = countJudged(requirements);
  const share = `${tested} of ${pluralize(suite.requirements, 'requirement')}`;
  if (suite.isSelection) return ` in a selection: ${share}`;
  return tested === suite.requirements ? ` in all ${share.replace(/^.* of /, '')}` : ` in ${share}`;
}

/** Formats the numbers of requirements, as in `: 98 conform, 44 deviate as declared, 7 not tested`. */
function formatDeclared({ summary: { requirements }, suite }: ReportWithGate['report']): string {
  const { conforms, deviates, warns } = requirements;
  const kept = conforms + warns;
  const untested = suite ? Math.max(0, suite.requirements - kept - deviates) : 0;
  const selection = suite?.isSelection ? ' in a selection' : '';
  const rest = untested > 0 ? `, ${untested} not tested` : '';
  return `${selection}: ${kept} ${kept === 1 ? 'conforms' : 'conform'}, ${formatCount('deviates', deviates)}${rest}`;
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
