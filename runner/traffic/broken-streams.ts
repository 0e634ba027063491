import { hasStreamEnd } from '../judge/events.ts';
import type { RecordedExchange } from '../recordings/recorded-exchange.ts';
import type { BrokenStreams, RecordingReport } from '../report/report.ts';
import { isSuccess } from '../transport/exchange.ts';

/** Counts streams that began and were broken off. */
export interface BrokenStreamCounter {
  readonly observe: (recorded: RecordedExchange) => void;
  /** Undefined if no stream was broken off. */
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
      // Families without an end mark close the stream after the last event, which ends with a blank line.
      if (!isStream || isWhole || hasStreamEnd(text) || (ended === undefined && /\n\s*$/.test(text))) return;
      const by = ended === 'cut-by-gateway' ? 'gateway' : ended === 'cut-by-client' ? 'client' : 'unknown';
      found[by] = { count: (found[by]?.count ?? 0) + 1, example: found[by]?.example ?? id };
    },
    report: () => (Object.keys(found).length > 0 ? found : undefined),
  };
}
