import { pluralize } from '../../common/lists.ts';
import type { Pattern, Reproduction } from '../report/reproduction.ts';

interface Words {
  /** What follows the request in a title, with a space at the beginning. */
  readonly title: string;
  /** A sentence about the attempts, without its full stop. */
  readonly says: (attempts: string, failed: number) => string;
  /** The part of the gateway to check first; undefined if the failure does not depend on state. */
  readonly lookAt: string | undefined;
}

export const sharedState =
  'state that requests share, such as a variable for the current key, account or request';

/** The condition of a failure for which equal requests get different responses. */
export const sometimes = ' sometimes';

const words: Readonly<Record<Pattern, Words>> = {
  always: { title: '', says: () => '', lookAt: undefined },
  never: {
    title: ', but not when sent again',
    says: (attempts) =>
      `Sent again, alone and next to other requests, on new and on used connections, the request conformed in all ${attempts}`,
    lookAt:
      'what differs between equal requests: the requests before it, results that are stored for a time, and the start of a process',
  },
  sometimes: {
    title: sometimes,
    says: (attempts, failed) => `Sent again, the same request failed in ${failed} of ${attempts}`,
    lookAt:
      'what differs between equal requests: nodes of the gateway, counters, and results that are stored',
  },
  'new-connection': {
    title: ' at the start of a connection',
    says: () => 'Sent again, the request failed only as the first request of a connection',
    lookAt: 'what the gateway prepares with the first request of a connection',
  },
  'used-connection': {
    title: ' on a connection that was used before',
    says: () => 'Sent again, the request failed only on connections that carried another request before',
    lookAt: 'what the gateway keeps from one request to the next on the same connection',
  },
  'after-wrong-key': {
    title: ' on a connection that carried a wrong key',
    says: () =>
      'Sent again, the request failed only on connections that carried a request with a wrong key before',
    lookAt: 'what the gateway keeps on a connection, such as the result of the last authentication',
  },
  'after-previous': {
    title: ' after one other request on the same connection',
    says: () =>
      'Sent again, the request failed only on a connection that carried the request before it in the run',
    lookAt:
      'what the gateway keeps of a request on its connection, such as the account, the key or an unread body',
  },
  'at-once': {
    title: ' while other requests are under way',
    says: () =>
      'Sent again, the request conformed alone, and failed only while other requests were under way',
    lookAt: sharedState,
  },
  'same-text': {
    title: ' if an equal request succeeded before',
    says: () =>
      'Sent again with another text, the request was rejected: only requests equal to an earlier one succeed',
    lookAt: 'the cache of responses: a stored response may only be returned to the key that caused it',
  },
};

/** Returns what happened when the request was sent again, as a sentence without its full stop; empty if it always fails. */
export function formatReproduction(reproduction: Reproduction | undefined): string {
  if (!reproduction) return '';
  const { pattern, attempts } = reproduction;
  const failed = attempts.filter((attempt) => attempt.failed).length;
  return words[pattern].says(pluralize(attempts.length, 'attempt'), failed);
}

/** Returns the same without `Sent again` at the beginning, to follow a label. */
export function formatAttempts(reproduction: Reproduction | undefined): string {
  return formatReproduction(reproduction).replace(/^Sent again,? /, '');
}

/** Returns what a title adds to the request; empty if the state makes no difference, undefined if that is not known. */
export function formatCondition(reproduction: Reproduction | undefined): string | undefined {
  return reproduction && words[reproduction.pattern].title;
}

/** Returns the part of the gateway to check first; undefined if the failure does not depend on state. */
export function findSharedState(reproduction: Reproduction | undefined): string | undefined {
  return reproduction && words[reproduction.pattern].lookAt;
}
