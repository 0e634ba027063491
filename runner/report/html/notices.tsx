import type { Report } from '../report.ts';
import type { Content, Markup } from './markup.ts';

/** What a reader must know before the figures: what kept the run from judging, and with what it was compared. */
export function Notices({ report }: { readonly report: Report }): Markup | null {
  const { diagnosis, stopped, shard, baseline } = report;
  const notices: Content[] = [
    ...diagnosis.map(({ message }) => message),
    ...(stopped && !diagnosis.some(({ message }) => message.includes(stopped.reason))
      ? [
          `${stopped.kind === 'recording' || stopped.kind === 'missing' ? 'Not everything could be read' : 'The run was stopped'}: ${stopped.reason}`,
        ]
      : []),
    ...(shard ? [`This is part ${shard.index} of ${shard.of} of a divided run.`] : []),
    ...(baseline
      ? [
          `As the baseline ${baseline.file} expects: ${baseline.expected}.`,
          ...baseline.problems.map(({ line, message }) => `${baseline.file}, line ${line}: ${message}`),
        ]
      : []),
  ];
  return notices.length === 0 ? null : (
    <section class="notices" aria-label="What to know of this run">
      <ul>
        {notices.map((notice) => (
          <li>{notice}</li>
        ))}
      </ul>
    </section>
  );
}
