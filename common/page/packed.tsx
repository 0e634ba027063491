import { deflateRawSync } from 'node:zlib';
import type { Markup } from './markup.tsx';
import type { PackedEntry } from './packed-entry.ts';

/**
 * Renders entries as compressed data, which `browser/packed.ts` reads. A page with thousands of entries is small and
 * opens quickly, since the browser makes elements only of those that are shown.
 */
export function Packed({ entries }: { readonly entries: readonly PackedEntry[] }): Markup {
  const data = deflateRawSync(JSON.stringify(entries)).toString('base64');
  return <script type="text/x-packed">{data}</script>;
}
