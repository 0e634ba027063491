import type { Outcome } from '../judge/outcome.ts';
import type { Severity } from '../judge/severity.ts';

/**
 * How something is shown. Equal signs mean the same, so that a reader needs no colour: what shows a sign takes it from
 * here, and replaces at most its colour and its word.
 */
export interface Look {
  readonly sign: string;
  /** The colour in a terminal. */
  readonly colour: 'red' | 'yellow' | 'green' | 'dim';
  readonly word: string;
  /** What follows a number, of one and of several; default: the word. */
  readonly counted?: readonly [one: string, several: string];
}

export const outcomeLooks: Readonly<Record<Outcome, Look>> = {
  violates: { sign: '✗', colour: 'red', word: 'failed' },
  warns: { sign: '▲', colour: 'yellow', word: 'warned' },
  inconclusive: { sign: '?', colour: 'yellow', word: 'inconclusive' },
  deviates: {
    sign: '~',
    colour: 'green',
    word: 'as declared',
    counted: ['deviates as declared', 'deviate as declared'],
  },
  conforms: { sign: '✓', colour: 'green', word: 'passed' },
  'not-applicable': { sign: '–', colour: 'dim', word: 'not applicable' },
};

/** Formats a number of items with an outcome, such as `8 passed` or `1 deviates as declared`. */
export function formatCount(outcome: Outcome, count: number): string {
  const { word, counted: [one, several] = [word, word] } = outcomeLooks[outcome];
  return `${count} ${count === 1 ? one : several}`;
}

/** What to read first, such as a remark on the run. */
export const noticeLook: Look = { sign: '!', colour: 'yellow', word: 'notice' };
/** A request that had to be refused got through. */
export const letInLook: Look = { sign: '»', colour: 'red', word: 'wrongly accepted' };
/** A difference, such as between targets. */
export const differingLook: Look = { sign: '≠', colour: 'red', word: 'differing' };
/** Targets without a difference. */
export const equalLook: Look = { sign: '=', colour: 'green', word: 'equal' };
/** A failure that the baseline expects. */
export const knownLook: Look = { sign: '≈', colour: 'dim', word: 'expected (baseline)' };
/** A case with different results in several rounds. */
export const unstableLook: Look = { sign: '±', colour: 'yellow', word: 'unstable' };
/** An operation, or a cell of a table, that was not tried. */
export const untriedLook: Look = { sign: '·', colour: 'dim', word: 'not tried' };
/** What only the later of two reports has. */
export const addedLook: Look = { sign: '+', colour: 'green', word: 'added' };
/** What only the earlier of two reports has. */
export const removedLook: Look = { sign: '−', colour: 'green', word: 'removed' };

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
