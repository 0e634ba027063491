import type { Catalog } from '../catalog/catalog.ts';
import type { CaseReport, RecordingReport } from '../report/report.ts';

/** Counts the reasons why something was not judged. */
export interface ReasonCounter {
  /** `place` is where it occurred, such as `capture.har entry 3`. */
  readonly add: (reason: string, place: string) => void;
  /** Each reason with its count and its first place, the most frequent first. */
  readonly list: () => RecordingReport['notJudged'];
}

/** Maximum number of reasons that are counted separately. A hostile recording can have a different reason for each entry. */
const maxReasons = 50;
const otherReasons = 'Other reasons.';

export function createReasonCounter(): ReasonCounter {
  const counts = new Map<string, { count: number; readonly example: string }>();
  const add = (reason: string, place: string): void => {
    const known = counts.get(reason);
    if (known) known.count += 1;
    else if (counts.size < maxReasons || reason === otherReasons)
      counts.set(reason, { count: 1, example: place });
    else add(otherReasons, place);
  };
  return {
    add,
    list: () =>
      [...counts]
        .map(([reason, { count, example }]) => ({ reason, count, example }))
        .sort((a, b) => b.count - a.count),
  };
}

/** Counts, for each operation, the cases that are not judged because no response shows that the gateway offers it. */
export function countNotOffered(cases: readonly CaseReport[]): RecordingReport['notJudged'] {
  const operations = new Set(cases.map(({ facts }) => String(facts.operation)));
  return [...operations].map((operation) => ({
    reason: `No response shows that the gateway offers ${operation} at its default path. If it does, add operations.${operation} to the profile.`,
    count: cases.filter(({ facts }) => facts.operation === operation).length,
    example: operation,
  }));
}

/** Counts the accepted keys that are similar to another valid key. */
export function countSimilarKeys(examples: readonly string[]): RecordingReport['notJudged'] {
  const [example] = examples;
  const reason =
    'An accepted key differs from another valid key in one letter or in its length. Both may be valid, since they do not look random.';
  return example === undefined ? [] : [{ reason, count: examples.length, example }];
}

/** Counts the requirements that nothing in the traffic tests, so that a few successes are not mistaken for all. */
export function countUnmatched(
  { requirements }: Pick<Catalog, 'requirements'>,
  judged: readonly { readonly id: string }[],
): RecordingReport['notJudged'] {
  const ids = new Set(judged.map(({ id }) => id));
  const unmatched = requirements.filter(({ id }) => !ids.has(id));
  const [first] = unmatched;
  if (!first) return [];
  const reason = `Requirements that no exchange in this traffic can test, of ${requirements.length} in total.`;
  return [{ reason, count: unmatched.length, example: first.id }];
}
