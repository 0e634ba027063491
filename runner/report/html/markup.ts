import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { escapeLogCommands } from '../log-commands.ts';

/** What a component makes; every text in it is escaped when it is rendered. */
export type Markup = VNode;

/** What may stand between the tags of a component. */
export type Content = ComponentChildren;

/** The text of a document, with every text and attribute in it escaped. */
export function renderDocument(document: Markup): string {
  return `<!doctype html>\n${escapeLogCommands(renderToString(document), 'xml')}\n`;
}
