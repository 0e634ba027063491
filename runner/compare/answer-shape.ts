import type { AnswerReport, Body } from '../report/report.ts';
import type { AnswerDifference } from './comparison.ts';

/**
 * The values at each place of several responses. Instead of a value, most body members have their JSON type, and most
 * headers have `present`.
 */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** Headers that belong to a connection, or that usually differ from response to response. */
const ignoredHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'age'];
/** Members that have their value in a shape instead of their type, because the specification defines the values. */
const valueMembers = ['/error/type', '/error/code'];
/**
 * The maximum number of places of a shape, and the maximum depth of a member. A body may be malicious, or use data as
 * member names.
 */
const maxPlaces = 300;
const maxDepth = 20;

type Note = (place: string, value: string) => void;

/**
 * Returns the shape of several responses: all values at each place. Omits headers such as `date`, members below a
 * depth of 20, and all places after the first 300.
 */
export function shapeOf(answers: readonly AnswerReport[]): Shape {
  const shape = new Map<string, Set<string>>();
  const note: Note = (place, value) => {
    const values = shape.get(place);
    if (values) values.add(value);
    else if (shape.size < maxPlaces) shape.set(place, new Set([value]));
  };
  for (const { status, headers, body } of answers) {
    note('status', String(status));
    for (const [name, value] of Object.entries(headers)) {
      if (!ignoredHeaders.includes(name))
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
  noteMembers(value, '', maxDepth, note);
}

function noteMembers(value: unknown, at: string, depth: number, note: Note): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const members: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => ['*', item])
    : Object.entries(value).map(([name, item]) => [name.replaceAll('~', '~0').replaceAll('/', '~1'), item]);
  for (const [name, item] of members) {
    const place = `${at}/${name}`;
    const showsValue = valueMembers.includes(place) && (typeof item === 'string' || typeof item === 'number');
    note(place, showsValue ? JSON.stringify(item) : kindOf(item));
    noteMembers(item, place, depth - 1, note);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Returns the places where shapes differ. If a place differs, its members are not listed. A target without a shape,
 * for example without a response, does not count as different.
 */
export function compareShapes(shapes: readonly (Shape | undefined)[]): AnswerDifference[] {
  const places = new Set(shapes.flatMap((shape) => [...(shape?.keys() ?? [])]));
  const found = new Map<string, AnswerDifference>();
  for (const place of places) {
    const values = shapes.map((shape) => {
      const own = shape?.get(place);
      return own ? [...own].sort().join(' or ') : null;
    });
    const distinct = new Set(values.filter((_, index) => shapes[index] !== undefined));
    const outer = place.startsWith('/') ? place.slice(0, place.lastIndexOf('/')) || 'body' : '';
    if (distinct.size > 1 && !isWithin(outer, found)) found.set(place, { place, values });
  }
  return [...found.values()];
}

function isWithin(place: string, found: ReadonlyMap<string, unknown>): boolean {
  if (found.has(place)) return true;
  if (!place.startsWith('/')) return false;
  return isWithin(place.slice(0, place.lastIndexOf('/')) || 'body', found);
}
