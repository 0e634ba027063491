/**
 * How a failed request was sent again: as the first request of a connection, or after another request on the same
 * connection (a valid one, one with a wrong key, or the one that was before it in the run), with a text that no request
 * before had, or several times at once with other requests.
 */
export type Way =
  | 'new-connection'
  | 'used-connection'
  | 'after-wrong-key'
  | 'after-previous'
  | 'other-text'
  | 'at-once';

/**
 * On what a failure depends. `same-text`: the request fails if it is equal to an earlier one. `sometimes`: equal
 * requests get different responses. `never`: no attempt failed. The other patterns are the only ways in which the
 * request fails.
 */
export type Pattern =
  | 'always'
  | 'never'
  | 'sometimes'
  | 'new-connection'
  | 'used-connection'
  | 'after-wrong-key'
  | 'after-previous'
  | 'at-once'
  | 'same-text';

export interface Attempt {
  readonly way: Way;
  readonly failed: boolean;
  /** The status of the response; null if no response was received. */
  readonly status: number | null;
}

/** What happened when one failed request of a cause was sent again after the run. */
export interface Reproduction {
  /** The ID of the exchange whose request was sent again. */
  readonly exchange: string;
  /** The ID of the violated requirement. */
  readonly requirement: string;
  readonly pattern: Pattern;
  readonly attempts: readonly Attempt[];
  /** Shell commands that show the failure, if the curl line of the exchange alone may not show it. */
  readonly commands?: string;
}

/** Returns on what a failure depends; undefined without attempts. */
export function findPattern(attempts: readonly Attempt[]): Pattern | undefined {
  const results = (way: Way): boolean[] =>
    attempts.flatMap((attempt) => (attempt.way === way ? [attempt.failed] : []));
  const fresh = results('new-connection');
  const used = results('used-connection');
  const afterKey = results('after-wrong-key');
  const afterPrevious = results('after-previous');
  const atOnce = results('at-once');
  const otherText = results('other-text');
  const alone = [...fresh, ...used];
  if (alone.length === 0) return undefined;
  const all = (some: readonly boolean[]): boolean => some.length > 0 && some.every((failed) => failed);
  const none = (some: readonly boolean[]): boolean => some.every((failed) => !failed);
  if (all([...alone, ...afterKey, ...afterPrevious, ...atOnce]))
    return otherText.length > 0 && none(otherText) ? 'same-text' : 'always';
  if (none(alone) && all(afterKey)) return 'after-wrong-key';
  if (none([...alone, ...afterKey]) && all(afterPrevious)) return 'after-previous';
  if (none([...alone, ...afterKey, ...afterPrevious])) return none(atOnce) ? 'never' : 'at-once';
  // A single result of each kind may be a coincidence.
  if (fresh.length > 1 && none(fresh) && all(used)) return 'used-connection';
  if (used.length > 1 && all(fresh) && none(used)) return 'new-connection';
  return 'sometimes';
}
