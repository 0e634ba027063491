import type { Content, Markup } from '../../../common/page/markup.tsx';
import type { Body, ExchangeReport } from '../../report/report.ts';
import { outcomeLooks } from '../../view/signs.ts';
import { type Extent, formatBodyLines, type PlaceNotes, type ShownLine } from './body-lines.ts';

/**
 * The limits of a body. `evidence` applies to a case with a check that does not conform, `nextTo` to an example and to
 * the responses of several targets, and `compact` to all other messages.
 */
export const extents = {
  evidence: { lines: 80, width: 500, letters: 4000 },
  nextTo: { lines: 24, width: 300, letters: 2500 },
  compact: { lines: 14, width: 240, letters: 1500 },
} satisfies Record<string, Extent>;

/** Renders the request line, the headers and the body of a request. */
export function RequestPane({
  request,
  extent,
}: {
  readonly request: ExchangeReport['request'];
  readonly extent: Extent;
}): Markup {
  return (
    <Pane title="Request">
      <Lines lines={[{ text: `${request.method} ${request.url}`, notes: [] }]} />
      <Headers headers={request.headers} notes={nothing} />
      {request.body && <BodyText body={request.body} notes={nothing} extent={extent} />}
    </Pane>
  );
}

/**
 * Renders the status, the headers and the body of a response, with notes at the places that differ. If no response
 * was received, renders the reason.
 */
export function ResponsePane({
  exchange,
  notes,
  extent,
  title = 'Response, as received',
  hidesHeaders = false,
}: {
  readonly exchange: ExchangeReport;
  readonly notes: PlaceNotes;
  readonly extent: Extent;
  readonly title?: string;
  readonly hidesHeaders?: boolean;
}): Markup {
  const { response, failure } = exchange;
  return (
    <Pane title={title}>
      {response ? (
        <>
          <Lines lines={[{ text: `HTTP ${response.status}`, notes: notes.get('status') ?? [] }]} />
          {!hidesHeaders && <Headers headers={response.headers} notes={notes} />}
          <BodyText body={response.body} notes={bodyNotes(notes)} extent={extent} />
        </>
      ) : (
        <Lines
          lines={[
            {
              text: 'No response',
              notes: [failure ? `${failure.reason}: ${failure.detail}` : 'no response was received'],
            },
          ]}
        />
      )}
    </Pane>
  );
}

/** Renders the headers of a response; empty if no response was received. */
export function HeaderPane({
  exchange: { response },
  title,
}: {
  readonly exchange: ExchangeReport;
  readonly title: string;
}): Markup {
  return (
    <Pane title={title}>
      <Headers headers={response?.headers ?? {}} notes={nothing} />
    </Pane>
  );
}

const nothing: PlaceNotes = new Map();

function bodyNotes(notes: PlaceNotes): PlaceNotes {
  return new Map([...notes].filter(([place]) => place === 'body' || place.startsWith('/')));
}

function Pane({ title, children }: { readonly title: string; readonly children: Content }): Markup {
  return (
    <figure class="pane">
      <figcaption>{title}</figcaption>
      <pre>{children}</pre>
    </figure>
  );
}

function Headers({
  headers,
  notes,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly notes: PlaceNotes;
}): Markup {
  const shown = Object.entries(headers).map(([name, value]) => ({
    text: `${name}: ${value}`,
    notes: notes.get(`header ${name}`) ?? [],
  }));
  const absent = [...notes]
    .filter(
      ([place]) => place.startsWith('header ') && !Object.hasOwn(headers, place.slice('header '.length)),
    )
    .map(([place, said]) => ({ text: `(no ${place})`, notes: said }));
  return <Lines lines={[...shown, ...absent]} />;
}

function BodyText({
  body,
  notes,
  extent,
}: {
  readonly body: Body;
  readonly notes: PlaceNotes;
  readonly extent: Extent;
}): Markup {
  const cut = body.sha256 !== undefined;
  const lines = formatBodyLines(body.text === '' ? '(empty body)' : body.text, notes, extent);
  const blank = { text: '', notes: [] };
  const rest = cut
    ? [blank, { text: `⋯ the body has ${body.bytes} bytes, SHA-256 ${body.sha256}`, notes: [] }]
    : [];
  return <Lines lines={[blank, ...lines, ...rest]} />;
}

function Lines({ lines }: { readonly lines: readonly ShownLine[] }): Markup {
  const parts: Content[] = [];
  let plain = '';
  for (const { text, notes } of lines) {
    if (notes.length === 0) {
      plain += `${text}\n`;
      continue;
    }
    parts.push(plain, <Marked text={text} notes={notes} />);
    plain = '';
  }
  return (
    <>
      {parts}
      {plain}
    </>
  );
}

function Marked({ text, notes }: ShownLine): Markup {
  return (
    <mark>
      {`${text}\n`}
      {notes.map((note) => (
        <span class="note">{`${outcomeLooks.violates.sign} ${note}\n`}</span>
      ))}
    </mark>
  );
}
