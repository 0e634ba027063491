import { pluralize } from '../../../common/lists.ts';
import { type Content, linkTo, type Markup, Prose } from '../../../common/page/markup.tsx';
import type { Report } from '../../report/report.ts';
import { formatBillable, formatCoverage, formatInconclusiveIds, formatParts } from '../../view/counts.ts';
import { knownStartOf } from '../../view/known-start.ts';
import { groupProblems } from '../../view/problems.ts';
import { formatRest, isOfSelection, resultLooks } from '../../view/result.ts';
import type { View } from '../../view/view.ts';
import { anchors, NoticeList } from './elements.tsx';

/**
 * Renders the result as a title and a sentence, with the headlines and the data of the run, such as the base URL and
 * the number of requests.
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
      {gate.result !== 'as-declared' && <p class="lede">{sentence(report)}</p>}
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
      <WorstCauses causes={view.causes} />
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

const shownWorst = 3;

function WorstCauses({ causes }: Pick<View, 'causes'>): Markup | null {
  const worst = causes.filter(({ outcome }) => outcome === 'violates').slice(0, shownWorst);
  return worst.length === 0 ? null : (
    <ol class="worst" aria-label="The worst causes">
      {worst.map(({ id, title, label }) => (
        <li>
          <span class="mark violates">{label}</span>{' '}
          <a href={linkTo(anchors.cause(id))}>
            <Prose text={title} />
          </a>
        </li>
      ))}
    </ol>
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

function sentence({ summary: { requirements } }: Report): string {
  const { planned, conforms } = requirements;
  if (conforms === planned && planned > 0) return `All ${planned} requirements pass.`;
  const order = ['violates', 'warns', 'conforms', 'deviates', 'inconclusive', 'not-applicable'] as const;
  return planned === 0
    ? 'No requirement was planned.'
    : `Of ${planned} requirements: ${formatParts(requirements, 0, order)}.`;
}

/**
 * Renders the notices before the counts: the diagnoses, the reason why the run was stopped, the shard, and the number
 * of checks that the baseline expects. Returns null if no such notice exists.
 */
export function Notices({ report }: { readonly report: Report }): Markup | null {
  const { diagnosis, stopped, shard, baseline } = report;
  const notices: Content[] = [
    ...diagnosis.map(({ message }) => message),
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
          items={problems.map(({ status, place, message }) => `${status}: ${place}: ${message}`)}
        />
      ))}
    </>
  );
}
