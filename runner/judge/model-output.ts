import { list, mapping } from '../catalog/mapping.ts';
import { readMember } from '../catalog/pointer.ts';
import { readEvents } from './events.ts';

/** Where the protocols put a piece of the text that a model writes. */
const places = [
  '/choices/0/delta/content',
  '/choices/0/message/content',
  '/choices/0/text',
  '/delta/text',
  '/candidates/0/content/parts/0/text',
];

/** The text that a model wrote in a stream, in any of the documented protocols; undefined if none is found. */
export function outputText(body: string): string | undefined {
  const pieces = documentsOf(body).flatMap(pieceOf);
  return pieces.length === 0 ? undefined : pieces.join('');
}

/** Whether a text is so short that a model may write it at once. */
export function isOneWord(text: string): boolean {
  return text.length <= 12 && text.trim().split(/\s+/).length <= 1;
}

function pieceOf(document: unknown): string[] {
  const { type, delta } = mapping(document);
  if (type === 'response.output_text.delta' && typeof delta === 'string') return [delta];
  return places.flatMap((place) => {
    const text = readMember(document, place);
    return typeof text === 'string' ? [text] : [];
  });
}

/** The JSON documents of a streamed body: of its events, of its lines, or of the array that it is. */
function documentsOf(body: string): readonly unknown[] {
  const events = readEvents(body).filter(({ data }) => data !== '');
  if (events.length > 0) return events.flatMap(({ data }) => parse(data));
  const [whole] = parse(body);
  if (whole !== undefined) return Array.isArray(whole) ? list(whole) : [whole];
  return body.split('\n').flatMap(parse);
}

function parse(text: string): unknown[] {
  if (!/^\s*[{[]/.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
