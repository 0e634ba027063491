import { mapping } from '../../contract/mapping.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { Fixtures } from '../catalog/fixtures.ts';
import type { Operation } from '../catalog/operations.ts';
import type { GeneratedParts, Layout, TextBreak } from '../plan/generation.ts';
import type { Profile } from '../profile/profile.ts';

/** What a body is made of. */
export interface BodyContext {
  readonly fixtures: Fixtures;
  readonly profile: Profile;
  readonly operation: Operation;
  readonly model: string;
  /** What was drawn of the request. */
  readonly drawing?: GeneratedParts | undefined;
}

/** The body that the facts describe: a valid one, with the profile's members, and its one fault. */
export function makeBody(
  facts: Attributes,
  { fixtures, profile, operation, model, drawing }: BodyContext,
): string {
  const kind = operation.body ?? '';
  const { fault = 'none', given = 'none' } = facts;
  const named = facts.body === undefined || facts.body === 'none' ? kind : facts.body;
  const name = fault === 'image' ? `${kind}-image${given === 'earlier' ? '-earlier' : ''}` : named;
  const template = drawing && 'body' in drawing ? drawing.body : fixtures.bodies[name];
  const write = writers[drawing && 'layout' in drawing ? drawing.layout : 'plain'];
  const filled = fill(template, { model, image: fixtures.image });
  const merged = merge(filled, profile.bodies[operation.id] ?? profile.bodies[operation.plain] ?? {});
  const wantsSwitch = facts.streamed === 'true' && operation.streams === 'parameter';
  const valid = wantsSwitch ? merge(merged, { [profile.streamParameter]: true }) : merged;
  switch (fault) {
    case 'none':
    case 'image':
      return write(valid);
    case 'missing':
      return write(change(valid, parsePlace(placeOf(facts)), undefined));
    case 'wrong-type': {
      const value =
        drawing?.kind === 'body' ? fill(drawing.given, { model }) : fill(fixtures.types[given], { model });
      return write(change(valid, parsePlace(placeOf(facts)), { value }));
    }
    case 'empty':
      return write(change(valid, parsePlace(placeOf(facts)), { value: '' }));
    case 'left-open': {
      const open = fixtures.leftOpen[given];
      if (!open) throw new Error(`fixtures/faults.yaml has no left-open value "${given}"`);
      return JSON.stringify(change(valid, open.path, { value: open.value }));
    }
    case 'empty-body':
      return '';
    case 'non-object':
      if (drawing?.kind === 'value') return JSON.stringify(fill(drawing.value, { model }));
      return JSON.stringify(wrappers[given]?.(valid) ?? fixtures.types[given]);
    case 'unparseable':
      if (drawing?.kind === 'malformed') return breakText(JSON.stringify(valid), drawing.broken);
      return unparseable(JSON.stringify(valid), given, fixtures, model);
    default:
      throw new Error(`There is no fault "${fault}" of a body.`);
  }
}

/** A valid body within something that is no object. */
const wrappers: Readonly<Record<string, (valid: unknown) => unknown>> = {
  'body-in-list': (valid) => [valid],
  'body-as-text': (valid) => JSON.stringify(valid),
};

const writers: Readonly<Record<Layout, (value: unknown) => string>> = {
  plain: (value) => JSON.stringify(value),
  escaped: (value) =>
    JSON.stringify(value).replace(
      /[^\x20-\x7e]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  lines: (value) => JSON.stringify(value, null, 2),
};

/** The steps to a place: `messages[0].role` → `messages`, 0, `role`. */
export function parsePlace(place: string | undefined): (string | number)[] {
  return [...(place ?? '').matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map((match) => match[1] ?? Number(match[2]));
}

/** A copy of the value with another value, or none, at the path. */
export function change(
  value: unknown,
  path: readonly (string | number)[],
  put: { readonly value: unknown } | undefined,
): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return put?.value;
  if (Array.isArray(value)) {
    const copy = [...value];
    copy[Number(head)] = change(copy[Number(head)], rest, put);
    return copy;
  }
  const copy: Record<string, unknown> = { ...mapping(value) };
  if (rest.length === 0 && !put) delete copy[head];
  else copy[head] = change(copy[head], rest, put);
  return copy;
}

function unparseable(valid: string, given: string, fixtures: Fixtures, model: string): string {
  const form = fixtures.unparseable[given];
  if (!form) throw new Error(`fixtures/faults.yaml has no unparseable body "${given}"`);
  if (form.text !== undefined) return form.text.replaceAll('{model}', model);
  const kept = valid.slice(0, valid.length - (form.cut ?? 0)).repeat(form.times ?? 1);
  const named = form.bareNames ? kept.replace(/"(\w+)":/g, '$1:') : kept;
  return (form.prepend ?? '') + named.replaceAll('"', form.quote ?? '"') + (form.append ?? '');
}

function fill(value: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return value.replace(/\{(model|image)\}/g, (_, name: string) => values[name] ?? '');
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, values)]));
}

function merge(base: unknown, over: Readonly<Record<string, unknown>>): unknown {
  const merged: Record<string, unknown> = { ...mapping(base) };
  for (const [name, value] of Object.entries(over)) {
    const plain = typeof value === 'object' && value !== null && !Array.isArray(value);
    merged[name] = plain ? merge(merged[name], mapping(value)) : value;
  }
  return merged;
}

/** A scenario that names a member without its place means the first item. */
function placeOf(facts: Attributes): string {
  const { place = 'none', member = '' } = facts;
  return place === 'none' ? member.replaceAll('[]', '[0]') : place;
}

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
