import type { Attributes } from '../catalog/condition.ts';
import { hasStreamEnd } from '../exchange/events.ts';
import { isSuccess } from '../exchange/exchange.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { BrokenStreams, CaseReport, RecordingReport } from '../report/report.ts';
import type { RecordedExchange } from './recordings/recorded-exchange.ts';

/** Counts the reasons why exchanges or checks were not judged. */
export interface ReasonCounter {
  /** Counts a reason. `place` is the place where the reason occurred, such as `capture.har entry 3`. */
  readonly add: (reason: string, place: string) => void;
  /** Returns the reasons with their counts and first places, the most frequent reason first. */
  readonly list: () => RecordingReport['notJudged'];
}

/** The maximum number of reasons counted separately. In a hostile recording, each entry can have a different reason. */
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

/** Counts the cases of each operation that does not count as offered. The report omits these cases. */
export function countNotOffered(cases: readonly CaseReport[]): RecordingReport['notJudged'] {
  const operations = new Set(cases.map(({ attributes }) => String(attributes.operation)));
  return [...operations].map((operation) => ({
    reason: `No response shows that the gateway offers ${operation} at its default path. If the gateway offers ${operation}, add operations.${operation} to the profile.`,
    count: cases.filter(({ attributes }) => attributes.operation === operation).length,
    example: operation,
  }));
}

/**
 * Counts the accepted keys that are similar to another valid key. `examples` are the IDs of exchanges with similar
 * keys.
 */
export function countSimilarKeys(examples: readonly string[]): RecordingReport['notJudged'] {
  const [example] = examples;
  const reason =
    'An accepted key differs only slightly from another valid key. Both keys may be valid, or be wrong copies of a third key.';
  return example === undefined ? [] : [{ reason, count: examples.length, example }];
}

/**
 * Counts the requirements that no exchange tests, so that a reader does not mistake a few successes for full
 * coverage.
 */
export function countUnmatched(
  { requirements }: Pick<GatewayPromise, 'requirements'>,
  judged: readonly { readonly id: string }[],
): RecordingReport['notJudged'] {
  const ids = new Set(judged.map(({ id }) => id));
  const unmatched = requirements.filter(({ id }) => !ids.has(id));
  const [first] = unmatched;
  if (!first) return [];
  const reason = `Requirements that no exchange in this traffic tests, of ${requirements.length} in total.`;
  return [{ reason, count: unmatched.length, example: first.id }];
}

/** Counts the streams that were broken off after their start. */
export interface BrokenStreamCounter {
  readonly observe: (recorded: RecordedExchange) => void;
  /**
   * Returns the number of broken streams by the side that broke off the streams (or `unknown`); undefined if no stream
   * was broken off.
   */
  readonly report: () => RecordingReport['brokenStreams'];
}

export function createBrokenStreamCounter(): BrokenStreamCounter {
  const found: Partial<Record<'gateway' | 'client' | 'unknown', BrokenStreams>> = {};
  return {
    observe({ id, result, ended }) {
      if (result.kind !== 'answer' || !isSuccess(result.answer.status)) return;
      const { headers, text, content } = result.answer;
      const isWhole = ended === 'whole' || ended === 'cut-by-proxy' || content.kind === 'unreadable';
      const isStream = headers['content-type']?.includes('text/event-stream') === true;
      // In families without an end mark, a complete stream ends with the blank line of its last event.
      if (!isStream || isWhole || hasStreamEnd(text) || (ended === undefined && /\n\s*$/.test(text))) return;
      const by = ended === 'cut-by-gateway' ? 'gateway' : ended === 'cut-by-client' ? 'client' : 'unknown';
      found[by] = { count: (found[by]?.count ?? 0) + 1, example: found[by]?.example ?? id };
    },
    report: () => (Object.keys(found).length > 0 ? found : undefined),
  };
}

/** Explains why no requirement could be applied to an exchange with these attributes. */
export function explainNotJudged({ operation, header, key, request }: Attributes): string {
  if (operation === 'none' || operation === undefined)
    return 'The method and path match no operation of the specification or the profile.';
  if (header === undefined)
    return 'The credential is not in the recording: the recorder may have removed the credential.';
  if (key === undefined)
    return 'The validity of the key is unknown: the profile does not list the key, and the response does not show whether the key is valid.';
  if (request === undefined)
    return 'The validity of the request is unknown: a part of the request is not recorded or not defined by the specification.';
  return 'No requirement applies to this exchange.';
}
