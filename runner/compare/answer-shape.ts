import type { AnswerReport, Body } from '../report/report.ts';
import type { AnswerDifference } from './comparison.ts';

/** What stands at each place of answers: each value that was seen there, of bodies but the kind of it. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** What belongs to a connection, or is another in each answer. */
const passing = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'age'];
/** Members whose values the contract names. */
const named = ['/error/type', '/error/code'];
/** A body with more places than this, or deeper, has data for names, or is meant to do harm. */
const mostPlaces = 300;
const deepest = 20;

type Note = (place: string, value: string) => void;

/** The shape of answers taken together. */
export function shapeOf(answers: readonly AnswerReport[]): Shape {
  const shape = new Map<string, Set<string>>();
  const note: Note = (place, value) => {
    const values = shape.get(place);
    if (values) values.add(value);
    else if (shape.size < mostPlaces) shape.set(place, new Set([value]));
  };
  for (const { status, headers, body } of answers) {
    note('status', String(status));
    for (const [name, value] of Object.entries(headers)) {
      if (!passing.includes(name))
        note(`header ${name}`, name === 'content-type' ? value.toLowerCase() : 'present');
    }
    noteBody(body, note);
  }
  return shape;
}

function noteBody({ text, sha256 }: Body, note: Note): void {
  if (sha256 !== undefined) {
    note('body', 'too long for reports');
    return;
  }
  if (text === '') {
    note('body', 'empty');
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    note('body', 'not JSON');
    return;
  }
  note('body', kindOf(value));
  noteMembers(value, '', deepest, note);
}

function noteMembers(value: unknown, at: string, depth: number, note: Note): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const members: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => ['*', item])
    : Object.entries(value).map(([name, item]) => [name.replaceAll('~', '~0').replaceAll('/', '~1'), item]);
  for (const [name, item] of members) {
    const place = `${at}/${name}`;
    const telling = named.includes(place) && (typeof item === 'string' || typeof item === 'number');
    note(place, telling ? JSON.stringify(item) : kindOf(item));
    noteMembers(item, place, depth - 1, note);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Where shapes differ, each place once: not also what is within a member that not all have. Who has no shape, since no
 * answer came, differs in nothing, and has nothing anywhere.
 */
export function differencesOf(shapes: readonly (Shape | undefined)[]): AnswerDifference[] {
  const places = new Set(shapes.flatMap((shape) => [...(shape?.keys() ?? [])]));
  const found = new Map<string, AnswerDifference>();
  for (const place of places) {
    const values = shapes.map((shape) => {
      const own = shape?.get(place);
      return own ? [...own].sort().join(' or ') : null;
    });
    const told = new Set(values.filter((_, index) => shapes[index] !== undefined));
    const outer = place.startsWith('/') ? place.slice(0, place.lastIndexOf('/')) || 'body' : '';
    if (told.size > 1 && !isWithin(outer, found)) found.set(place, { place, values });
  }
  return [...found.values()];
}

/** Whether a difference was found at a place or around it. */
function isWithin(place: string, found: ReadonlyMap<string, unknown>): boolean {
  if (found.has(place)) return true;
  if (!place.startsWith('/')) return false;
  return isWithin(place.slice(0, place.lastIndexOf('/')) || 'body', found);
}
