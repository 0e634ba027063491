import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { escapeInvisible, escapeLogCommands } from '../printable.ts';

/** The result of a component. Rendering escapes the texts of elements. */
export type Markup = VNode;

/** The children of a component: elements and texts. */
export type Content = ComponentChildren;

/** Returns the HTML of a document. Texts, attributes, invisible characters and log commands are escaped. */
export function renderDocument(document: Markup): string {
  return `<!doctype html>\n${render(document)}\n`;
}

/** Returns the HTML of an element, with the escapes of `renderDocument`. */
export function render(markup: Markup): string {
  return escapeLogCommands(escapeInvisibleText(renderToString(markup)), 'xml');
}

/** Returns the HTML of an element after a line break, so that two pieces together cannot contain a log command. */
export function renderPiece(element: Markup): string {
  return `\n${render(element)}`;
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

/** What the terms of the specification stand for. A page shows it when the pointer or the focus is on the term. */
const terms: Readonly<Record<string, string>> = {
  'family A': 'chat completions and responses, as in the APIs of OpenAI',
  'family B': 'messages, as in the API of Anthropic',
  'family C': 'the endpoints below /v1beta/models, as in the API of Gemini',
  'billing-type': 'the endpoints for the balance, the usage and request records',
};

/** Renders a sentence. The words between backticks become code, and terms of the specification are explained. */
export function Prose({ text }: { readonly text: string }): Markup {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? explain(part) : <code>{part}</code>))}</>;
}

function explain(text: string): Content {
  const parts = text.split(/(family [ABC]\b|billing-type)/);
  return parts.length === 1
    ? text
    : parts.map((part) => {
        const meaning = Object.hasOwn(terms, part) ? terms[part] : undefined;
        return meaning === undefined ? part : <abbr title={meaning}>{part}</abbr>;
      });
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

/** Returns the URL of the element with the given ID in the same page, such as `#case/auth/missing-key`. */
export function linkTo(anchor: string): string {
  return `#${encodeURIComponent(anchor).replaceAll('%2F', '/').replaceAll('%3D', '=')}`;
}

/**
 * Escapes invisible characters and characters that change the direction of text. CRLF becomes LF. Line feeds and tabs
 * are kept.
 */
export function escapeInvisibleText(text: string): string {
  return escapeInvisible(text.replaceAll('\r\n', '\n'), 'kept');
}
