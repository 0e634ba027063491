import type { OverallResult } from '../gate/exit-code.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Severity } from '../judge/severity.ts';

/** How something is shown. Equal signs mean the same, so that a reader needs no colour. */
export interface Look {
  readonly sign: string;
  /** The colour in a terminal. */
  readonly colour: 'red' | 'yellow' | 'green' | 'dim';
  readonly word: string;
}

export const outcomeLooks: Readonly<Record<Outcome, Look>> = {
  violates: { sign: '✗', colour: 'red', word: 'failed' },
  warns: { sign: '▲', colour: 'yellow', word: 'warned' },
  inconclusive: { sign: '?', colour: 'yellow', word: 'inconclusive' },
  conforms: { sign: '✓', colour: 'green', word: 'passed' },
  'not-applicable': { sign: '–', colour: 'dim', word: 'not applicable' },
};

/** A remark on the run. */
export const noticeLook: Look = { sign: '!', colour: 'yellow', word: 'notice' };
/** A difference between targets. */
export const differingLook: Look = { sign: '≠', colour: 'red', word: 'differing' };
/** A failure that the baseline expects. */
export const knownLook: Look = { sign: '≈', colour: 'dim', word: 'expected (baseline)' };
/** A cell of a table that was not tried. */
export const untriedLook: Look = { sign: '·', colour: 'dim', word: 'not tried' };

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

export const severityLabels: Readonly<Record<Severity, string>> = {
  'unauthorized-access': 'Unauthorized access',
  'valid-request-fails': 'Valid request fails',
  'invalid-accepted': 'Invalid request accepted',
  'server-error': 'Server error',
  'wrong-status': 'Wrong status',
  'not-json': 'Body is not JSON',
  'wrong-type': 'Wrong error type',
  'wrong-detail': 'Wrong detail',
  recommendation: 'Recommendation',
};

/** The verb between a cause and its requirements, by outcome. */
export const outcomeVerbs = { violates: 'Violates', warns: 'Does not satisfy' } as const;
