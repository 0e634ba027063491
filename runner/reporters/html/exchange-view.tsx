import type { ExchangeReport, FindingReport, ObligationReport } from '../../report/report.ts';
import type { PlaceNotes } from './body-lines.ts';
import { anchors, linkTo, type Markup, OutcomeMark, Prose } from './elements.tsx';
import { differencesOf, ExpectedReceived } from './expected-received.tsx';
import { extents, RequestPane, ResponsePane } from './message-pane.tsx';

/** Renders an exchange with the findings of each check, and a curl line that repeats it. */
export function ExchangeView({
  exchange,
  obligations,
  title,
  says,
}: {
  readonly exchange: ExchangeReport;
  readonly obligations: readonly ObligationReport[];
  readonly title: string;
  /** The sentence of each requirement. */
  readonly says: ReadonlyMap<string, string>;
}): Markup {
  const broken = obligations
    .map((item) => ({ ...item, findings: item.findings.filter((entry) => entry.exchange === exchange.id) }))
    .filter(({ findings }) => findings.length > 0);
  const isEvidence = obligations.some(({ outcome }) => outcome !== 'conforms');
  const extent = isEvidence ? extents.evidence : extents.compact;
  return (
    <div class="exchange">
      <p class="exchange-title">
        {title && <strong>{title}</strong>}
        <span>{`${exchange.durationMs} ms`}</span>
        {exchange.traceId !== null && (
          <span>
            trace ID <code>{exchange.traceId}</code>
          </span>
        )}
        {exchange.earlier.length > 0 && (
          <span>{`Retried after ${exchange.earlier.map((status) => status ?? 'no response').join(', ')}`}</span>
        )}
      </p>
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

/** Renders a curl line; the page's script adds a button that copies it. */
export function CurlLine({ line }: { readonly line: string }): Markup {
  return (
    <div class="curl">
      <code>{line}</code>
    </div>
  );
}

/** Returns the notes at each place, without duplicates. */
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
