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

function unpackEntries(data: string): readonly PackedEntry[] {
  return JSON.parse(inflateRawSync(Buffer.from(data, 'base64')).toString());
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
