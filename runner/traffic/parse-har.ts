import { JSONParser } from '@streamparser/json';

/** A value of a HAR's log, as soon as it is complete. */
export type HarValue =
  | { readonly kind: 'entry'; readonly value: unknown }
  | { readonly kind: 'about'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'broken'; readonly problem: string };

/** What is said of a whole log; this suite's own members begin with `_`. */
const about = ['version', 'creator', '_target', '_notJudged'];

/** The entries of a HAR while it is read; what is done with is forgotten. A text that breaks off or is no JSON ends it. */
export async function* parseHar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<HarValue> {
  const parser = new JSONParser({
    paths: ['$.log.entries.*', ...about.map((name) => `$.log.${name}`)],
    keepStack: false,
    // Bodies are long, and full of escapes: to put each letter of them together by itself takes longer.
    stringBufferSize: 64 * 1024,
    numberBufferSize: 64,
  });
  let found: HarValue[] = [];
  let problem: string | undefined;
  parser.onValue = ({ value, key }) => {
    found.push(
      typeof key === 'number' ? { kind: 'entry', value } : { kind: 'about', name: String(key), value },
    );
  };
  parser.onError = (error) => {
    const at = /absolute position "(\d+)"/.exec(error.message)?.[1];
    problem ??= `It is no JSON any more${at === undefined ? '' : ` at byte ${at}`}.`;
  };
  for await (const piece of bytes) {
    parser.write(piece);
    const ready = found;
    found = [];
    yield* ready;
    if (problem !== undefined) break;
    if (parser.isEnded) return;
  }
  yield { kind: 'broken', problem: problem ?? 'It ends in the middle; it may have been cut off.' };
}
