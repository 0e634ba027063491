import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { escapeInvisible, escapeLogCommands } from '../../../common/printable.ts';
import { type Outcome, outcomes } from '../../judge/outcome.ts';

/** Functions that return the element ID of a requirement or a case. The element IDs are the same in every run. */
export const anchors = {
  requirement: (id: string): string => `requirement/${escapeInvisibleText(id)}`,
  case: (id: string): string => `case/${escapeInvisibleText(id)}`,
};

/** Returns the URL of the element with the given ID in the same page, such as `#case/auth/missing-key`. */
export function linkTo(anchor: string): string {
  return `#${encodeURIComponent(anchor).replaceAll('%2F', '/').replaceAll('%3D', '=')}`;
}

/** The result of a component. Rendering escapes the texts of elements. */
export type Markup = VNode;

/** The children of a component: elements and texts. */
export type Content = ComponentChildren;

/** Returns the HTML of a document. Texts, attributes, invisible characters and log commands are escaped. */
export function renderDocument(document: Markup): string {
  return `<!doctype html>\n${render(document)}\n`;
}

/** Marks the place of pieces that are rendered separately. An element contains at most one slot. */
export function Slot(): Markup {
  return <div class="slot" />;
}

const slot = '<div class="slot"></div>';

/**
 * Yields the HTML of an element, with other pieces of HTML in place of its slot. The memory of each piece can be freed
 * before the next piece is rendered.
 */
export function* renderAround(element: Markup, pieces: Iterable<string>): Generator<string> {
  const [before = '', after = ''] = renderPiece(element).split(slot);
  yield before;
  yield* pieces;
  yield after;
}

/**
 * Renders the body of an entry separately, so that the memory of its elements can be freed before the next body
 * is rendered.
 */
export function EntryBody({ id, children }: { readonly id: string; readonly children: Content }): Markup {
  // biome-ignore lint/complexity/noUselessFragments: children may be a list
  return <div class="entry-body" id={id} dangerouslySetInnerHTML={{ __html: render(<>{children}</>) }} />;
}

/** Returns the HTML of an element after a line break, so that two pieces together cannot contain a log command. */
export function renderPiece(element: Markup): string {
  return `\n${render(element)}`;
}

/** Returns the HTML of an element, with the escapes of `renderDocument`. */
export function render(markup: Markup): string {
  return escapeLogCommands(escapeInvisibleText(renderToString(markup)), 'xml');
}

/** Renders a sentence. The words between backticks become code. */
export function Prose({ text }: { readonly text: string }): Markup {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}

/** Renders content that may be wider than the page, in a labelled element that scrolls horizontally. */
export function Scroller({
  label,
  children,
}: {
  readonly label: string;
  readonly children: Content;
}): Markup {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="scroller" aria-label={`${label}, scrolls horizontally`} tabIndex={0}>
      {children}
    </section>
  );
}

/**
 * Escapes invisible characters and characters that change the direction of text. CRLF becomes LF. Line feeds and tabs
 * are kept.
 */
export function escapeInvisibleText(text: string): string {
  return escapeInvisible(text.replaceAll('\r\n', '\n'), 'kept');
}

/** The sign and the word of each outcome, which represent the outcome without colour. */
export const outcomeLabels: Readonly<Record<Outcome, { readonly sign: string; readonly word: string }>> = {
  violates: { sign: '✗', word: 'failed' },
  warns: { sign: '▲', word: 'warned' },
  inconclusive: { sign: '?', word: 'inconclusive' },
  conforms: { sign: '✓', word: 'passed' },
  'not-applicable': { sign: '–', word: 'not applicable' },
};

/** Renders an outcome as a sign and a word. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }): Markup {
  const { sign, word } = outcomeLabels[outcome];
  return (
    <span class={`mark ${outcome}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

/** Renders the names of clauses with their text in the specification. */
export function ClauseList({
  clauses,
}: {
  readonly clauses: readonly { readonly name: string; readonly quote: string }[];
}): Markup {
  return (
    <ul class="clauses">
      {clauses.map(({ name, quote }) => (
        <li>
          <span class="clause">{name}</span>
          {quote !== '' && (
            <q>
              <Prose text={quote} />
            </q>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Renders the number of items with each outcome, as signs and numbers. Outcomes without items are omitted. */
export function Tally({ items }: { readonly items: readonly { readonly outcome: Outcome }[] }): Markup {
  const counts = outcomes
    .map((outcome) => ({ outcome, count: items.filter((item) => item.outcome === outcome).length }))
    .filter(({ count }) => count > 0);
  return (
    <span class="tally">
      {counts.map(({ outcome, count }) => (
        <span class={outcome}>
          <span aria-hidden="true">{outcomeLabels[outcome].sign}</span> {count}
          <span class="unseen"> {outcomeLabels[outcome].word} </span>
        </span>
      ))}
    </span>
  );
}
