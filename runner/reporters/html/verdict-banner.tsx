import { pluralize } from '../../../common/lists.ts';
import { type Content, type Markup, Prose } from '../../../common/page/markup.tsx';
import type { Report } from '../../report/report.ts';
import { formatBillable, formatCoverage, formatInconclusiveIds } from '../../view/counts.ts';
import { knownStartOf } from '../../view/known-start.ts';
import { groupProblems } from '../../view/problems.ts';
import { formatRest, isOfSelection, resultLooks } from '../../view/result.ts';
import type { View } from '../../view/view.ts';
import { NoticeList } from './elements.tsx';

/**
 * Renders the result as a title, with the headlines and the data of the run, such as the base URL and the number of
 * requests. The counts follow in the bars, and the causes in the findings.
 */
export function VerdictBanner({ view }: { readonly view: View }): Markup {
  const { report, gate, headlines } = view;
  const { target, tool, spec, durationMs, requests, rounds } = report;
  const start = knownStartOf(report);
  const billable = formatBillable(report);
  const coverage = formatCoverage(report);
  const inconclusive = formatInconclusiveIds(view);
  const { look, tone, title } = resultLooks[gate.result];
  return (
    <header class={`banner ${tone}`}>
      <p class="kind">Model gateway conformance</p>
      <h1>
        <span class="seal" aria-hidden="true">
          {look.sign}
        </span>
        {(isOfSelection(view) ? 'Passed' : title) + formatRest(view)}
      </h1>
      <p class="target">{target.baseUrl}</p>
      {inconclusive !== '' && (
        <p class="lede">
          Inconclusive: <Prose text={inconclusive} />
        </p>
      )}
      {headlines.length > 0 && (
        <ul class="headlines">
          {headlines.map((headline) => (
            <li>
              <Prose text={headline} />
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        {start !== undefined && <Fact name="Started" value={`${start.slice(0, 16).replace('T', ' ')} UTC`} />}
        <Fact name="Duration" value={`${(durationMs / 1000).toFixed(1)} s`} />
        <Fact name="Requests" value={`${requests.sent}`} />
        {coverage !== '' && <Fact name="Coverage" value={coverage} />}
        {billable !== '' && <Fact name="Billable" value={billable} />}
        {rounds > 1 && <Fact name="Rounds" value={`${rounds}`} />}
        <Fact name="Tool" value={`${tool.name} ${tool.version}`} />
        <Fact name="Requirements revision" value={spec.revision} />
      </dl>
    </header>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): Markup {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/**
 * Renders the notices before the counts: the diagnoses, the reason why the run was stopped, the shard, and the number
 * of checks that the baseline expects. Returns null if no such notice exists.
 */
export function Notices({ report }: { readonly report: Report }): Markup | null {
  const { diagnosis, stopped, shard, baseline } = report;
  const notices: Content[] = [
    ...diagnosis.map(({ message }) => <Prose text={message} />),
    ...(stopped && !diagnosis.some(({ message }) => message.includes(stopped.reason))
      ? [
          `${stopped.kind === 'recording' ? 'Not everything could be read' : 'The run is incomplete'}. ${stopped.reason}`,
        ]
      : []),
    ...(shard ? [`This report covers shard ${shard.index} of ${shard.of} of a divided run.`] : []),
    ...(baseline
      ? [`The baseline ${baseline.file} expects the outcome of ${pluralize(baseline.expected, 'check')}.`]
      : []),
  ];
  return <NoticeList label="Notes on this run" items={notices} />;
}

/** Renders the baseline entries and declared deviations that fail the run. */
export function Problems({ report }: { readonly report: Report }): Markup {
  return (
    <>
      {groupProblems(report).map(({ title, problems }) => (
        <NoticeList
          label={title}
          items={problems.map(({ status, place, message }) => (
            <>
              {`${status}: ${place}: `}
              <Prose text={message} />
            </>
          ))}
        />
      ))}
    </>
  );
}
