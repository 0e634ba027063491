import type { TextBreak } from '../plan/drawing.ts';

/** The signs of the JSON syntax. */
const signs = '{}[]:,"';

/**
 * A JSON text of an object, broken in one place, so that no reader that asks for balanced brackets and whole strings
 * can take it for a value.
 */
export function breakText(text: string, broken: TextBreak): string {
  if (broken.kind === 'cut') return text.slice(0, Math.min(broken.at, text.length - 2) + 1).toWellFormed();
  // Behind its end, a text is left to those who read the first value only.
  const places = outsideOfStrings(text).filter(
    (place) => broken.kind === 'insert' || signs.includes(text[place] ?? ''),
  );
  const place = places[Math.min(broken.at, places.length - 1)] ?? 0;
  if (broken.kind === 'insert') return text.slice(0, place) + broken.sign + text.slice(place);
  const shorter = text.slice(0, place) + text.slice(place + 1);
  // Two numbers of a list that have lost their comma are one.
  return isJson(shorter) ? text.slice(0, -1) : shorter;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The places of a JSON text that are in no string; a quotation mark that opens one is outside of it. */
function outsideOfStrings(text: string): number[] {
  const places: number[] = [];
  for (const found of text.matchAll(/"(?:[^"\\]|\\.)*"|[^"]/gs)) places.push(found.index);
  return places;
}
