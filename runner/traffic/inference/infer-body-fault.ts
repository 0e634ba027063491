import { readLenientJson } from '../../../common/lenient-json.ts';
import { toList, toMapping } from '../../../common/mapping.ts';
import { readMember } from '../../../common/pointer.ts';
import type { JsonSchema, SchemaProblem, Schemas } from '../../../common/schemas.ts';
import type { Attributes } from '../../catalog/condition.ts';

/** The content of a request body, with the attributes of its invalid part. */
export interface ParsedBody {
  /** The known attributes among `fault`, `member`, `place` and `given`, and `body` if `member` names a member. */
  readonly attributes: Attributes;
  /** The parsed body; undefined if the body is not a JSON object, or begins with a byte order mark. */
  readonly value: unknown;
  /**
   * Whether a gateway has no reason to refuse the body except its invalid part: the specification defines all other
   * parts of the body. Gateways must also be unlikely to refuse a body without an invalid part (see `isHarmless`).
   */
  readonly isPlain: boolean;
}

/** The attributes of a body without an invalid part. */
export const noFault: Attributes = { fault: 'none', member: 'none', place: 'none', given: 'none' };

const createFaulty = (fault: string, given = 'none'): ParsedBody => ({
  attributes: { ...noFault, fault, given },
  value: undefined,
  isPlain: true,
});

/** Parses a request body, and finds its invalid part with the request schema of `kind`, such as `chat`. */
export function inferBodyFault(
  text: string | undefined,
  kind: string,
  schemas: Schemas,
  streamParameter: string,
): ParsedBody {
  if (text === undefined || text === '') return createFaulty('empty-body');
  // RFC 8259 allows parsers to ignore a byte order mark.
  if (text.startsWith('\uFEFF')) return { attributes: {}, value: undefined, isPlain: false };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return createFaulty('unparseable', readLenientJson(text) ? 'lenient' : 'none');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return createFaulty('non-object');
  const name = `${kind}-request`;
  const problems = schemas.problems(name, value);
  const definite = problems.filter((problem) => !isUnspecified(problem, value));
  const rest = removeMember(streamParameter, toMapping(value));
  // If the body also contains a member or value that the specification leaves open, the required response is not known.
  const isKnown =
    problems.length <= 1 && hasOnlySpecifiedMembers(schemas.resolved(name), rest, problems[0]?.pointer);
  const isPlain = isKnown && (problems.length > 0 || isHarmless(rest, text));
  if (definite.length > 1) return { attributes: {}, value, isPlain: false };
  const [fault] = definite;
  // The specification defines only the body of chat. In other bodies, an unknown member may replace a missing member.
  if (fault && kind !== 'chat' && !isKnown) return { attributes: {}, value, isPlain: false };
  if (fault) return { attributes: describeFault(fault, value), value, isPlain };
  if (sendsImage(rest)) return { attributes: { ...noFault, fault: 'image' }, value, isPlain: false };
  // The specification does not state how a gateway treats images in other messages or in the data of tools.
  if (promptMembers.some((name) => mayContainImage(rest[name])))
    return { attributes: {}, value, isPlain: false };
  if (problems.length > 0) return { attributes: {}, value, isPlain };
  const isOpen = kind === 'chat' && isLeftOpen(rest);
  return { attributes: isOpen ? { ...noFault, fault: 'left-open' } : noFault, value, isPlain };
}

/** Whether a chat body has no messages, or a message with a role that no protocol defines. */
function isLeftOpen({ messages }: Readonly<Record<string, unknown>>): boolean {
  const items = toList(messages);
  return items.length === 0 || items.some((item) => !usedRoles.includes(String(toMapping(item).role)));
}

function removeMember(
  name: string,
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!Object.hasOwn(members, name)) return members;
  const { [name]: _, ...rest } = members;
  return rest;
}

/** Limits above which a model may refuse a request: the length of the body in characters, and `max_tokens`. */
const [maxTextLength, maxTokens] = [4_000, 4_096];

/**
 * Whether gateways are unlikely to refuse the body. The length and `max_tokens` must be within the limits, and no
 * member may be an empty text. No two successive messages may have the same role, and the last message must be from
 * the user.
 */
function isHarmless(body: Readonly<Record<string, unknown>>, text: string): boolean {
  const items = toList(body.messages ?? body.contents).map((item) => String(toMapping(item).role ?? 'user'));
  const isInOrder = items.every((role, index) => items[index + 1] !== role);
  return (
    text.length <= maxTextLength &&
    !/:\s*""/.test(text) &&
    Number(body.max_tokens ?? 1) <= maxTokens &&
    (items.length === 0 || (items.at(-1) === 'user' && isInOrder))
  );
}

/** Whether the specification leaves a problem open and similar interfaces accept a body with this problem. */
function isUnspecified({ pointer, keyword, params }: SchemaProblem, value: unknown): boolean {
  const given = readMember(value, pointer);
  const [message] = /^\/messages\/\d+(?=\/content$)/.exec(pointer) ?? [];
  // In a message of another role, `content` may be null, for example if the message calls tools.
  if (message !== undefined)
    return Array.isArray(given) || (given === null && readMember(value, `${message}/role`) !== 'user');
  // A message that calls tools may have no content.
  if (keyword === 'required' && params.missingProperty === 'content')
    return Object.keys(toMapping(given)).some((name) => !['role', 'content', 'name'].includes(name));
  // Some interfaces accept a single item instead of a list.
  return /^\/contents(\/\d+\/parts)?$/.test(pointer) && Object.keys(toMapping(given)).length > 0;
}

function describeFault({ pointer, keyword, params }: SchemaProblem, value: unknown): Attributes {
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
  const given = typeOf(readMember(value, pointer));
  // Elsewhere, a `content` that is null is no definite fault.
  const isOfUser = at.member === 'messages[].content' && given === 'null';
  return { ...at, fault: 'wrong-type', given: isOfUser ? 'null-of-user' : given };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Whether a value, apart from its invalid part, has only members of its schema, known roles, and no empty array. */
function hasOnlySpecifiedMembers(schema: JsonSchema, value: unknown, fault?: string, pointer = ''): boolean {
  if (pointer !== '' && pointer === fault) return true;
  if (Array.isArray(value)) {
    const items = toMapping(schema.items);
    const isSpecified = value.length > 0 && Object.keys(items).length > 0;
    return (
      isSpecified &&
      value.every((item, index) => hasOnlySpecifiedMembers(items, item, fault, `${pointer}/${index}`))
    );
  }
  if (typeof value !== 'object' || value === null) return true;
  const properties = toMapping(schema.properties);
  for (const [name, item] of Object.entries(value)) {
    const at = `${pointer}/${name}`;
    if (name === 'role' && at !== fault && !knownRoles.includes(String(item))) return false;
    if (
      !Object.hasOwn(properties, name) ||
      !hasOnlySpecifiedMembers(toMapping(properties[name]), item, fault, at)
    )
      return false;
  }
  return true;
}

const knownRoles = ['system', 'user', 'assistant', 'model'];
/** The roles of messages in any known protocol. */
const usedRoles = [...knownRoles, 'developer', 'tool', 'function'];
/** The members that can contain images for the model. */
const promptMembers = ['messages', 'input', 'contents'];
const imageParts = ['image', 'image_url', 'input_image'];
/** The maximum depth of the search for images. No request of a known protocol nests images deeper. */
const maxDepth = 12;

/** Whether a user message has an image part. */
function sendsImage(body: Readonly<Record<string, unknown>>): boolean {
  return promptMembers.some((name) =>
    toList(body[name])
      .map(toMapping)
      .filter(({ role = 'user' }) => role === 'user')
      .some(({ content, parts }) => [...toList(content), ...toList(parts)].map(toMapping).some(isImage)),
  );
}

function mayContainImage(value: unknown, depth = 0): boolean {
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) return value.some((item) => mayContainImage(item, depth + 1));
  const members = toMapping(value);
  if (isImage(members)) return true;
  return Object.values(members).some((item) => typeof item === 'object' && mayContainImage(item, depth + 1));
}

function isImage(part: Readonly<Record<string, unknown>>): boolean {
  const inline = toMapping(part.inlineData ?? part.inline_data);
  const mimeType = String(inline.mimeType ?? inline.mime_type ?? '');
  return imageParts.includes(String(part.type)) || mimeType.startsWith('image/');
}
