import { readLenientJson } from '../../common/lenient-json.ts';
import { toMapping } from '../../common/mapping.ts';
import { readMember } from '../../common/pointer.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { wrappedForms } from '../catalog/fixture-names.ts';
import type { Fixtures } from '../catalog/fixtures.ts';
import type { Operation } from '../catalog/operations.ts';
import type { GeneratedParts, Layout, TextBreak } from '../exchange/generation.ts';
import type { Profile } from '../profile/profile.ts';

export interface BodyContext {
  readonly fixtures: Fixtures;
  readonly profile: Profile;
  readonly operation: Operation;
  readonly model: string;
  readonly generated?: GeneratedParts | undefined;
}

/**
 * Builds the body that the attributes describe: a valid body with the members that the profile adds, and at most one
 * invalid part. Throws an `Error` for an unknown body or value of `fault`, or for an unknown value of `given` of the
 * faults `left-open` and `unparseable`.
 */
export function buildBody(
  attributes: Attributes,
  { fixtures, profile, operation, model, generated }: BodyContext,
): string {
  const kind = operation.body ?? '';
  const { fault = 'none', given = 'none' } = attributes;
  const named = attributes.body === undefined || attributes.body === 'none' ? kind : attributes.body;
  const name = fault === 'image' ? `${kind}-image${given === 'none' ? '' : `-${given}`}` : named;
  const template = generated && 'body' in generated ? generated.body : fixtures.bodies[name];
  if (template === undefined)
    throw new Error(
      `fixtures/bodies.yaml has no body "${name}". Add the body, or correct the attribute \`body\`.`,
    );
  const writeUsual = given === 'escaped' ? writeUnusually : writers.plain;
  const write = generated && 'layout' in generated ? writers[generated.layout] : writeUsual;
  const filled = fillBody(template, { model, image: fixtures.image, jpeg: fixtures.jpeg, filler });
  const merged = merge(filled, profile.bodies[operation.id] ?? profile.bodies[operation.plain] ?? {});
  const needsStreamParameter = attributes.streamed === 'true' && operation.streams === 'parameter';
  const valid = needsStreamParameter ? merge(merged, { [profile.streamParameter]: true }) : merged;
  switch (fault) {
    case 'none':
    case 'image':
      return write(valid);
    case 'missing': {
      const path = parsePlace(placeOf(attributes));
      const changed = changeAt(valid, path, undefined);
      const value = readMember(valid, `/${path.join('/')}`);
      return write(given === 'other-case' ? changeAt(changed, capitalize(path), { value }) : changed);
    }
    case 'wrong-type': {
      const value =
        generated?.kind === 'body'
          ? fill(generated.given, { model })
          : fill(fixtures.types[given], { model });
      return write(changeAt(valid, parsePlace(placeOf(attributes)), { value }));
    }
    case 'empty':
      return write(changeAt(valid, parsePlace(placeOf(attributes)), { value: '' }));
    case 'left-open': {
      const open = fixtures.leftOpen[given];
      if (!open)
        throw new Error(
          `fixtures/faults.yaml has no left-open value "${given}". Add the value to \`left-open\`.`,
        );
      return (
        (open.prepend ?? '') +
        JSON.stringify(open.path ? changeAt(valid, open.path, { value: open.value }) : valid)
      );
    }
    case 'empty-body':
      return '';
    case 'non-object':
      if (generated?.kind === 'value') return JSON.stringify(fill(generated.value, { model }));
      return JSON.stringify(wrappers[given]?.(valid) ?? fixtures.types[given]);
    case 'unparseable':
      if (generated?.kind === 'malformed') return breakText(JSON.stringify(valid), generated.broken);
      return buildUnparseable(JSON.stringify(valid), given, fixtures, model);
    default:
      throw new Error(
        `Unknown value of the attribute "fault": "${fault}". Use a value of \`fault\` in specs/attributes.yaml.`,
      );
  }
}

/** Returns the path of the member whose name is that of the member at `path`, but with an upper-case first letter. */
function capitalize(path: readonly (string | number)[]): (string | number)[] {
  const name = String(path.at(-1));
  return [...path.slice(0, -1), name.charAt(0).toUpperCase() + name.slice(1)];
}

type Wrap = (valid: unknown) => unknown;

const wrappers: Readonly<Record<string, Wrap>> = {
  'body-in-list': (valid) => [valid],
  'body-as-text': (valid) => JSON.stringify(valid),
} satisfies Record<(typeof wrappedForms)[number], Wrap>;

const writers: Readonly<Record<Layout, (value: unknown) => string>> = {
  plain: (value) => JSON.stringify(value),
  escaped: (value) => JSON.stringify(value).replace(/[^\x20-\x7e]/g, escapeCharacter),
  lines: (value) => JSON.stringify(value, null, 2),
};

/**
 * Returns a JSON text with members in reverse order, escaped non-ASCII characters, and white space around and between
 * the tokens. In each name of only letters, digits and underscores, the first character is escaped.
 */
function writeUnusually(value: unknown): string {
  const text = JSON.stringify(reverseMembers(value), null, '\t')
    .replace(/[^\t\n\x20-\x7e]/g, escapeCharacter)
    .replace(/"(\w)(?=\w*":)/g, (_, letter: string) => `"${escapeCharacter(letter)}`);
  return `\r\n ${text} \r\n`;
}

function escapeCharacter(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => [name, reverseMembers(item)] as const);
  return Object.fromEntries(members.reverse());
}

/**
 * Splits the path of a member into names and indexes: `messages[0].role` into `messages`, 0 and `role`. Returns an
 * empty list for undefined.
 */
export function parsePlace(place: string | undefined): (string | number)[] {
  return [...(place ?? '').matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map((match) => match[1] ?? Number(match[2]));
}

/**
 * Returns a copy of a JSON value with the value of `put` at the path. If `put` is undefined, the copy lacks the member
 * at the path. Without `put`, the path must not end with the index of a list item, since the item would become `null`
 * in the JSON text.
 */
export function changeAt(
  value: unknown,
  path: readonly (string | number)[],
  put: { readonly value: unknown } | undefined,
): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return put?.value;
  if (Array.isArray(value)) {
    const copy = [...value];
    copy[Number(head)] = changeAt(copy[Number(head)], rest, put);
    return copy;
  }
  const copy: Record<string, unknown> = { ...toMapping(value) };
  if (rest.length === 0 && !put) delete copy[head];
  else copy[head] = changeAt(copy[head], rest, put);
  return copy;
}

function buildUnparseable(valid: string, given: string, fixtures: Fixtures, model: string): string {
  const form = fixtures.unparseable[given];
  if (!form)
    throw new Error(
      `fixtures/faults.yaml has no unparseable body "${given}". Add the body to \`unparseable\`.`,
    );
  const { text, cut = 0, times = 1, pad = 0 } = form;
  if (text !== undefined) return text.replaceAll('{model}', model).repeat(times);
  const padded = pad > 0 ? `${valid.slice(0, -1)},"padding":"${'x'.repeat(pad)}"}` : valid;
  const kept = padded.slice(0, padded.length - cut).repeat(times);
  const named = form.bareNames ? kept.replace(/"(\w+)":/g, '$1:') : kept;
  const quoted = named.replaceAll('"', form.quote ?? '"');
  const spread = form.between === undefined ? quoted : quoted.replace(/./gs, `$&${form.between}`);
  return (form.prepend ?? '') + spread + (form.append ?? '');
}

// More than the usual limits of 100 KB, such as that of Express.
const filler = 'lorem ipsum '.repeat(10_000);

/**
 * The filled bodies by template and model ID, because most cases send the same valid body. These bodies are never
 * changed.
 */
const filledBodies = new WeakMap<object, Map<string, unknown>>();

function fillBody(
  template: unknown,
  values: Readonly<Record<'model' | 'image' | 'jpeg' | 'filler', string>>,
): unknown {
  if (typeof template !== 'object' || template === null) return fill(template, values);
  const byModel = filledBodies.get(template) ?? new Map<string, unknown>();
  filledBodies.set(template, byModel);
  const filled = byModel.get(values.model) ?? fill(template, values);
  byModel.set(values.model, filled);
  return filled;
}

function fill(value: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return value.replace(/\{(model|image|jpeg|filler)\}/g, (_, name: string) => values[name] ?? '');
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, values)]));
}

function merge(base: unknown, over: Readonly<Record<string, unknown>>): unknown {
  const merged: Record<string, unknown> = { ...toMapping(base) };
  for (const [name, value] of Object.entries(over)) {
    const plain = typeof value === 'object' && value !== null && !Array.isArray(value);
    merged[name] = plain ? merge(merged[name], toMapping(value)) : value;
  }
  return merged;
}

/**
 * Returns the path of the invalid member, such as `messages[0].role`. Without the attribute `place`, the path leads
 * to the first item of each list.
 */
function placeOf(attributes: Attributes): string {
  const { place = 'none', member = '' } = attributes;
  return place === 'none' ? member.replaceAll('[]', '[0]') : place;
}

const punctuation = '{}[]:,"';

/** Adds one syntax error to the JSON text of an object. Not even a lenient parser reads the result as JSON. */
export function breakText(text: string, broken: TextBreak): string {
  if (broken.kind === 'cut') return text.slice(0, Math.min(broken.at, text.length - 2) + 1).toWellFormed();
  // Some parsers read only the first value and ignore the text after this value, so the error must be inside the value.
  const places = indexesOutsideStrings(text).filter(
    (place) => broken.kind === 'insert' || punctuation.includes(text[place] ?? ''),
  );
  const place = places[Math.min(broken.at, places.length - 1)] ?? 0;
  const changed =
    text.slice(0, place) +
    (broken.kind === 'insert' ? broken.sign : '') +
    text.slice(broken.kind === 'insert' ? place : place + 1);
  // An additional comma, a name without quotes, or text after an early end is JSON for some parsers.
  return readLenientJson(changed) ? text.slice(0, -1) : changed;
}

/** Returns the indexes of the characters outside of strings. An opening quotation mark counts as outside. */
function indexesOutsideStrings(text: string): number[] {
  const places: number[] = [];
  for (const found of text.matchAll(/"(?:[^"\\]|\\.)*"|[^"]/gs)) places.push(found.index);
  return places;
}

/**
 * Returns a body with members added at the start of its JSON object. Returns undefined, or a body that does not begin
 * with `{`, unchanged.
 */
export function addMembers(
  body: string | undefined,
  members: Readonly<Record<string, string>> = {},
): string | undefined {
  if (!body?.startsWith('{') || Object.keys(members).length === 0) return body;
  const rest = body.slice(1);
  return `${JSON.stringify(members).slice(0, -1)}${/^\s*\}/.test(rest) ? '' : ','}${rest}`;
}
