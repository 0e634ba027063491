import { type Content, linkTo, type Markup, Prose } from '../../../common/page/markup.tsx';
import { type Finding, textsOf } from '../../judge/finding.ts';
import { isKept } from '../../judge/outcome.ts';
import { placeName } from '../../judge/words.ts';
import type { CheckReport, ExchangeReport, FindingReport } from '../../report/report.ts';
import type { PlaceNotes } from './body-lines.ts';
import { anchors, OutcomeMark } from './elements.tsx';
import { extents, RequestPane, ResponsePane } from './message-pane.tsx';

/**
 * Renders an exchange, the findings of each check in the exchange, and a curl line that repeats the request. The children
 * follow the findings.
 */
export function ExchangeView({
  exchange,
  checks,
  title,
  says,
  children,
}: {
  readonly exchange: ExchangeReport;
  readonly checks: readonly CheckReport[];
  readonly title: string;
  /** The text (`says`) of each requirement, by ID. */
  readonly says: ReadonlyMap<string, string>;
  readonly children?: Content;
}): Markup {
  const broken = checks
    .map((item) => ({ ...item, findings: item.findings.filter((entry) => entry.exchange === exchange.id) }))
    .filter(({ findings }) => findings.length > 0);
  const isEvidence = checks.some(({ outcome }) => !isKept(outcome));
  const extent = isEvidence ? extents.evidence : extents.compact;
  return (
    <div class="exchange">
      <ExchangeTitle exchange={exchange} title={title} />
      {broken.map(({ requirement, outcome, findings }) => (
        <div class="broken">
          <p>
            <OutcomeMark outcome={outcome} />{' '}
            <a href={linkTo(anchors.requirement(requirement))}>{requirement}</a>
            <span class="says">
              <Prose text={says.get(requirement) ?? ''} />
            </span>
          </p>
          <ul class="messages">
            {[...new Set(findings.map(({ message }) => message))].map((message) => (
              <li>{message}</li>
            ))}
          </ul>
          <ExpectedReceived findings={findings} />
        </div>
      ))}
      {children}
      <div class="panes">
        <RequestPane request={exchange.request} extent={extent} />
        <ResponsePane
          exchange={exchange}
          notes={notesOf(broken.flatMap(({ findings }) => findings))}
          extent={extent}
        />
      </div>
      <CurlLine line={exchange.curl} />
    </div>
  );
}

/**
 * Renders an exchange of a conforming case: the request as a curl line, and the response. A report can have thousands
 * of such exchanges, so the request is not shown in a second form.
 */
export function ConformingExchange({
  exchange,
  title,
}: {
  readonly exchange: ExchangeReport;
  readonly title: string;
}): Markup {
  return (
    <div class="exchange">
      <ExchangeTitle exchange={exchange} title={title} />
      <CurlLine line={exchange.curl} />
      <ResponsePane exchange={exchange} notes={new Map()} extent={extents.compact} />
    </div>
  );
}

function ExchangeTitle({
  exchange: { durationMs, traceId, earlier },
  title,
}: {
  readonly exchange: ExchangeReport;
  readonly title: string;
}): Markup {
  return (
    <p class="exchange-title">
      {title && <strong>{title}</strong>}
      <span>{`${durationMs} ms`}</span>
      {traceId !== null && (
        <span>
          trace ID <code>{traceId}</code>
        </span>
      )}
      {earlier.length > 0 && (
        <span>{`Retried after ${earlier.map((status) => status ?? 'no response').join(', ')}`}</span>
      )}
    </p>
  );
}

/** Renders a curl line. The script of a report adds a button that copies the line. */
export function CurlLine({ line }: { readonly line: string }): Markup {
  return (
    <div class="curl">
      <code>{line}</code>
    </div>
  );
}

/** Returns the notes of the findings by place, without duplicates. */
export function notesOf(findings: readonly FindingReport[]): PlaceNotes {
  const notes = new Map<string, string[]>();
  for (const { finding } of findings) {
    for (const { place, note } of differencesOf(finding)) {
      const said = notes.get(place) ?? [];
      if (!said.includes(note)) notes.set(place, [...said, note]);
    }
  }
  return notes;
}

function ExpectedReceived({ findings }: { readonly findings: readonly FindingReport[] }): Markup {
  const ways = findings.map(({ finding }) => alternativesOf(finding));
  const sets = ways.flatMap((choice) =>
    choice.map((differences, index) => ({
      title:
        choice.length > 1 ? `Differences from correct response ${index + 1} of ${choice.length}` : undefined,
      differences,
    })),
  );
  return (
    <table class="comparison">
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">Expected</th>
          <th scope="col">Received</th>
        </tr>
      </thead>
      {sets.map(({ title, differences }) => (
        <tbody>
          {title && (
            <tr>
              <th class="way" scope="colgroup" colSpan={3}>
                {title}
              </th>
            </tr>
          )}
          {differences.map(({ place, expected, received }) => (
            <tr>
              <th scope="row">{nameOf(place)}</th>
              <td class="expected">{expected}</td>
              <td class="received">{received}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Returns the name of a place in a response. Returns the label of any other place unchanged. */
function nameOf(place: string): string {
  const inAnswer =
    place === 'body' || place === 'status' || place.startsWith('header ') || place.startsWith('/');
  return inAnswer ? placeName(place).replace(/^the /, '') : place;
}

/**
 * A difference between the expected and the received value. `place` is `status`, `header NAME`, `body` or a JSON
 * pointer into the body. In a finding without such a place, `place` is a label.
 */
export interface Difference {
  readonly place: string;
  readonly expected: string;
  readonly received: string;
  readonly note: string;
}

/**
 * Returns the differences that a finding reports. For a finding with alternatives, returns the differences of all
 * alternatives.
 */
export function differencesOf(finding: Finding): Difference[] {
  if (finding.kind === 'none-of-several') return finding.alternatives.flat().flatMap(differencesOf);
  const { place, label = '', expected, received, note } = textsOf(finding);
  return [{ place: place ?? label, expected, received, note }];
}

/** Returns a list of differences for each correct response. Only a finding with alternatives has several lists. */
export function alternativesOf(finding: Finding): Difference[][] {
  return finding.kind === 'none-of-several'
    ? finding.alternatives.map((findings) => findings.flatMap(differencesOf))
    : [differencesOf(finding)];
}
