import { list, mapping } from '../../contract/mapping.ts';
import { readMember } from '../../contract/pointer.ts';
import type { JsonSchema, SchemaProblem, Schemas } from '../../contract/schemas.ts';
import type { Facts } from '../catalog/condition.ts';

/** What a body says of its request. */
export interface BodySeen {
  /** `fault` with its place, as far as they are known. */
  readonly facts: Facts;
  /** Undefined where the body is no JSON. */
  readonly value: unknown;
  /** Whether it has nothing of which the specification does not speak, so that nothing in it can be wrong. */
  readonly plain: boolean;
}

const none: Facts = { fault: 'none', member: 'none', place: 'none', given: 'none' };
const faulty = (fault: string, given = 'none'): BodySeen => ({
  facts: { ...none, fault, given },
  value: undefined,
  plain: true,
});

/** What is wrong with the body of a request of that kind, as its schema has it; total over any text. */
export function inferBody(
  text: string | undefined,
  kind: string,
  schemas: Schemas,
  streamParameter: string,
): BodySeen {
  if (text === undefined || text === '') return faulty('empty-body');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return faulty('unparseable');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return faulty('non-object');
  const name = `${kind}-request`;
  const problems = schemas.problems(name, value);
  const definite = problems.filter((problem) => !isLeftOpen(problem, value));
  const rest = without(streamParameter, mapping(value));
  // Beside its one fault a body may have left-open points, and then what is due is not known.
  const isKnown = problems.length <= 1 && isPlain(schemas.resolved(name), rest, problems[0]?.pointer);
  const plain = isKnown && (problems.length > 0 || isHarmless(rest, text));
  if (definite.length > 1) return { facts: {}, value, plain: false };
  const [fault] = definite;
  // Of other bodies than those of chat, the specification shows nothing: what a member adds may make up for another.
  if (fault && kind !== 'chat' && !isKnown) return { facts: {}, value, plain: false };
  if (fault) return { facts: faultOf(fault, value), value, plain };
  if (prompts.some((name) => hasImage(rest[name])))
    return { facts: { ...none, fault: 'image' }, value, plain: false };
  return { facts: problems.length > 0 ? {} : none, value, plain };
}

function without(
  name: string,
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!Object.hasOwn(members, name)) return members;
  const { [name]: _, ...rest } = members;
  return rest;
}

/** Longer prompts, and more tokens, may be more than a model takes. */
const [shortText, fewTokens] = [4_000, 4_096];

/** Whether there is nothing in a body that a gateway might refuse by a rule of its own: too long, empty, in a wrong order. */
function isHarmless(body: Readonly<Record<string, unknown>>, text: string): boolean {
  const items = list(body.messages ?? body.contents).map((item) => String(mapping(item).role ?? 'user'));
  const isInOrder = items.every((role, index) => items[index + 1] !== role);
  return (
    text.length <= shortText &&
    !/:\s*""/.test(text) &&
    Number(body.max_tokens ?? 1) <= fewTokens &&
    (items.length === 0 || (items.at(-1) === 'user' && isInOrder))
  );
}

/** What the specification does not speak of, and interfaces of that kind take. */
function isLeftOpen({ pointer, keyword, params }: SchemaProblem, value: unknown): boolean {
  const given = readMember(value, pointer);
  if (/^\/messages\/\d+\/content$/.test(pointer)) return given === null || Array.isArray(given);
  // A message that calls tools has no content.
  if (keyword === 'required' && params.missingProperty === 'content')
    return Object.keys(mapping(given)).some((name) => !['role', 'content', 'name'].includes(name));
  // One item may stand for a list of one.
  return /^\/contents(\/\d+\/parts)?$/.test(pointer) && Object.keys(mapping(given)).length > 0;
}

function faultOf({ pointer, keyword, params }: SchemaProblem, value: unknown): Facts {
  const missing = keyword === 'required' ? `/${String(params.missingProperty)}` : '';
  const steps = `${pointer}${missing}`.split('/').slice(1);
  const place = steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
  const at = { place, member: place.replace(/\[\d+\]/g, '[]'), body: 'none' };
  if (keyword === 'required') return { ...at, fault: 'missing', given: 'nothing' };
  if (keyword === 'minLength') return { ...at, fault: 'empty', given: 'empty-string' };
  if (keyword !== 'type') return {};
  return { ...at, fault: 'wrong-type', given: typeOf(readMember(value, pointer)) };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Whether a value has no member that its schema doesn't show, and no list that is empty, but for what is at fault. */
function isPlain(schema: JsonSchema, value: unknown, fault?: string, pointer = ''): boolean {
  if (pointer !== '' && pointer === fault) return true;
  if (Array.isArray(value)) {
    const items = mapping(schema.items);
    const isShown = value.length > 0 && Object.keys(items).length > 0;
    return isShown && value.every((item, index) => isPlain(items, item, fault, `${pointer}/${index}`));
  }
  if (typeof value !== 'object' || value === null) return true;
  const properties = mapping(schema.properties);
  for (const [name, item] of Object.entries(value)) {
    const at = `${pointer}/${name}`;
    if (name === 'role' && at !== fault && !knownRoles.includes(String(item))) return false;
    if (!Object.hasOwn(properties, name) || !isPlain(mapping(properties[name]), item, fault, at))
      return false;
  }
  return true;
}

const knownRoles = ['system', 'user', 'assistant', 'model'];
/** Where prompts stand; an image elsewhere, as in the description of a tool, is none that is sent. */
const prompts = ['messages', 'input', 'contents'];
const imageParts = ['image', 'image_url', 'input_image'];
/** No request of a known protocol nests its images deeper. */
const deepest = 12;

/** Whether there is an image in it, in the form of any family. */
function hasImage(value: unknown, depth = 0): boolean {
  if (depth > deepest) return false;
  if (Array.isArray(value)) return value.some((item) => hasImage(item, depth + 1));
  const members = mapping(value);
  if (imageParts.includes(String(members.type))) return true;
  const inline = mapping(members.inlineData ?? members.inline_data);
  if (String(inline.mimeType ?? inline.mime_type ?? '').startsWith('image/')) return true;
  return Object.values(members).some((item) => typeof item === 'object' && hasImage(item, depth + 1));
}
