import { list, mapping } from '../../contract/mapping.ts';
import { readMember } from '../../contract/pointer.ts';
import type { Fixtures } from '../catalog/fixtures.ts';
import { readEvents } from './events.ts';
import { hasValueInside } from './locate.ts';

/**
 * Whether a message names a member: one of the named segments of its path in any notation, or a type in the words of
 * common runtimes.
 */
export function namesPlace(message: string, place: string, words: Fixtures['typeWords']): boolean {
  const segments = place.split(/[.[\]]/).filter((segment) => segment !== '' && !/^\d+$/.test(segment));
  if (segments.some((segment) => namesSegment(message, segment)) || namesItem(message, place)) return true;
  if (
    everyWordOf(message).some((word) => words.english.has(word) || words.english.has(word.replace(/s$/, '')))
  )
    return true;
  const lower = message.toLowerCase();
  return words.translated.some((word) => containsWord(lower, word.toLowerCase()));
}

/** Whether a message contains the word `model` or the ID of the requested model. */
export function namesModel(message: string, id: string | undefined): boolean {
  const lower = message.toLowerCase();
  return lower.includes('model') || (id !== undefined && id !== '' && lower.includes(id.toLowerCase()));
}

/**
 * Whether a message contains the name of a segment. A name of one word must be a whole word of the message; other names match
 * in any notation.
 */
function namesSegment(message: string, segment: string): boolean {
  const words = wordsOf(segment);
  return words.length === 1
    ? everyWordOf(message).includes(segment.toLowerCase())
    : squeeze(message).includes(squeeze(segment));
}

/** Whether a message names an item of `messages` by its number: `message 0`, `message at index 0`, `Message #1`. */
function namesItem(message: string, place: string): boolean {
  return [...place.matchAll(/(?<![a-z])([a-z]+)s\[\d*\]/gi)].some(([, one = '']) =>
    new RegExp(`(?<![a-z])${one}\\W{1,3}(?:(?:at|in|index|position|number|no)\\W{1,2})*\\d`, 'i').test(
      message,
    ),
  );
}

/** Makes `max_tokens`, `maxTokens` and `max-tokens` equal. */
function squeeze(text: string): string {
  return text.toLowerCase().replace(/[_\-\s]/g, '');
}

function everyWordOf(message: string): string[] {
  const plain = message.replace(escapes, ' ');
  return plain === message ? wordsOf(message) : [...wordsOf(message), ...wordsOf(plain)];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Colours of a terminal begin with a control character.
const escapes = /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[abfnrtv])|\u001b\[[0-9;]*m/gi;

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]/);
}

/** Whether a text contains a word: as a whole word for Latin and Cyrillic, anywhere for scripts without spaces. */
function containsWord(text: string, word: string): boolean {
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u.test(word)) return text.includes(word);
  return text.split(/[^\p{Letter}]/u).includes(word);
}

/** Whether a text of a model list is the model's ID, also if one of them has a path before it. */
export function matchesModelId(text: string, model: string): boolean {
  return text === model || text.endsWith(`/${model}`) || model.endsWith(`/${text}`);
}

/** Whether any text in a JSON value at any depth, names of members included, passes the test. */
export function hasTextInside(value: unknown, test: (text: string) => boolean): boolean {
  return hasValueInside(value, (item) =>
    typeof item === 'string' ? test(item) : Object.keys(mapping(item)).some(test),
  );
}

/** Where the protocols have a piece of the text that a model writes. */
const places = [
  '/choices/0/delta/content',
  '/choices/0/message/content',
  '/choices/0/text',
  '/delta/text',
  '/candidates/0/content/parts/0/text',
];

/** Extracts the text that a model wrote in a stream, in any of the documented protocols. */
export function extractOutputText(body: string): string | undefined {
  const pieces = documentsOf(body).flatMap(pieceOf);
  return pieces.length === 0 ? undefined : pieces.join('');
}

/** Whether a text is so short that a model may write it in one piece. */
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
