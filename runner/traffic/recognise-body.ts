import type { Facts } from '../catalog/condition.ts';
import { mapping } from '../catalog/mapping.ts';
import { readMember } from '../catalog/pointer.ts';
import type { JsonSchema, SchemaProblem, Schemas } from '../catalog/schemas.ts';

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
export function recogniseBody(
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
  const { [streamParameter]: _, ...rest } = mapping(value);
  const plain = problems.length === 0 && isPlain(schemas.resolved(name), rest);
  if (definite.length > 1) return { facts: {}, value, plain: false };
  const [fault] = definite;
  if (fault) return { facts: faultOf(fault, value), value, plain: plainBut(problems) };
  if (hasImage(value)) return { facts: { ...none, fault: 'image' }, value, plain: false };
  return { facts: problems.length > 0 ? {} : none, value, plain };
}

/** Beside its one fault a body may have left-open points, and then what is due is not known. */
function plainBut(problems: readonly SchemaProblem[]): boolean {
  return problems.length === 1;
}

/** A `content` that is null or a list of parts, of which the specification does not speak. */
function isLeftOpen({ pointer }: SchemaProblem, value: unknown): boolean {
  if (!/^\/messages\/\d+\/content$/.test(pointer)) return false;
  const given = readMember(value, pointer);
  return given === null || Array.isArray(given);
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

/** Whether a value has no member that its schema doesn't show, and no list that is empty. */
function isPlain(schema: JsonSchema, value: unknown): boolean {
  if (Array.isArray(value)) {
    const items = mapping(schema.items);
    return value.length > 0 && Object.keys(items).length > 0 && value.every((item) => isPlain(items, item));
  }
  if (typeof value !== 'object' || value === null) return true;
  const properties = mapping(schema.properties);
  return Object.entries(value).every(([name, item]) => {
    if (name === 'role' && !knownRoles.includes(String(item))) return false;
    return Object.hasOwn(properties, name) && isPlain(mapping(properties[name]), item);
  });
}

const knownRoles = ['system', 'user', 'assistant', 'model'];
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
