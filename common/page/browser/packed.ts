// Reads the entries that `packed.tsx` has compressed.
import type { PackedEntry } from '../packed-entry.ts';

/** Reads the entries of a script element. */
export async function unpack(element: Element): Promise<readonly PackedEntry[]> {
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).json();
}
