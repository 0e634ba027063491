import { inflateRawSync } from 'node:zlib';
import type { PackedEntry } from '../../common/page/packed-entry.ts';

/** Replaces the packed entries of an HTML report by their HTML. Returns any other text unchanged. */
export function unpackPage(html: string): string {
  return html.replaceAll(/<script type="text\/x-packed">([^<]*)<\/script>/g, (_, data: string) =>
    unpackEntries(data)
      .map(
        ([id, outcome, line, body]) =>
          `<details class="entry" data-outcome="${outcome}"><summary>${line}</summary><div class="entry-body" id="${escapeAttribute(id)}">${body}</div></details>`,
      )
      .join('\n'),
  );
}

/**
 * Returns a page with its packed entries, but without the style sheet, the script and the content security policy, and
 * with line breaks before most block elements.
 */
export function simplifyPage(html: string): string {
  return unpackPage(html)
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/content="default-src[^"]*"/, 'content=""')
    .replace(/(?=<(?:section|details|li|tr|dt|h\d|p|nav|main|figure)\b)/g, '\n');
}

function unpackEntries(data: string): readonly PackedEntry[] {
  return JSON.parse(inflateRawSync(Buffer.from(data, 'base64')).toString());
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
