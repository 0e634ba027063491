import { hasValueInside, toList, toMapping } from '../../common/mapping.ts';
import type { CatalogData } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { NamedThing } from '../catalog/expectation.ts';
import type { Fixtures } from '../catalog/fixtures.ts';
import { isOperationId } from '../catalog/operations.ts';
import type { Answer, Exchange, WireRequest } from '../exchange/exchange.ts';
import { readValueAt } from './locate.ts';

/** JSON pointers to the members that show, in common kinds of paging, that a list has more pages. */
const morePages = [
  '/has_more',
  '/hasMore',
  '/next',
  '/next_page',
  '/nextPage',
  '/next_page_token',
  '/nextPageToken',
  '/next_cursor',
  '/nextCursor',
  '/next_url',
  '/links/next',
  '/_links/next',
  '/paging/next',
  '/pagination/next',
  '/pagination/has_more',
  '/pagination/next_cursor',
  '/meta/next',
  '/meta/next_page',
  '/meta/next_cursor',
];
const totals = ['/total', '/total_count', '/totalCount', '/count', '/meta/total', '/pagination/total'];

/** Whether the response shows that a model list has more pages. */
export function isPagedList(answer: Answer): boolean {
  const [length] = ['/data', '/models', '/items'].flatMap((at) => {
    const items = readValueAt(answer, at);
    return Array.isArray(items) ? [items.length] : [];
  });
  return (
    /\brel="?next\b/i.test(answer.headers.link ?? '') ||
    morePages.some((at) => Boolean(readValueAt(answer, at))) ||
    totals.some((at) => Number(readValueAt(answer, at)) > (length ?? Number.POSITIVE_INFINITY))
  );
}

/** The data from which the names of an invalid member are derived. */
type NamingData = Pick<CatalogData, 'fixtures' | 'operations' | 'schemas'>;

/**
 * Returns a text with the names that an error message lacks: the names of the model, or of the invalid member and its
 * type. Returns undefined if the message contains one of these names.
 */
export function findMissingName(
  what: NamedThing,
  message: string,
  exchange: Pick<Exchange, 'attributes' | 'model' | 'request'>,
  data: NamingData,
): string | undefined {
  const { attributes, model } = exchange;
  if (what === 'model')
    return namesModel(message, model)
      ? undefined
      : `\`model\` or ${model === undefined ? 'its ID' : `\`${model}\``}`;
  if (what === 'cause') return namesCause(message, data.fixtures.genericWords) ? undefined : 'the cause';
  const { place = 'none', member = 'none' } = attributes;
  return listMemberNames(message, exchange, data).length > 0
    ? undefined
    : `\`${place === 'none' ? member : place}\` or its type`;
}

/** Returns the names of the invalid member, and of its types, that a message contains. */
export function listMemberNames(
  message: string,
  exchange: Pick<Exchange, 'attributes' | 'request'>,
  data: NamingData,
): string[] {
  const { place = 'none', member = 'none' } = exchange.attributes;
  const faulty = describeWrongMember(place === 'none' ? member : place, exchange, data);
  return listNames(message, faulty, data.fixtures.typeWords);
}

/** Whether a message has a word that says more than that the request is invalid. */
function namesCause(message: string, generic: ReadonlySet<string>): boolean {
  return (
    /(?!\p{Script=Latin})\p{L}/u.test(message) ||
    wordsOf(message).some((word) => word !== '' && !generic.has(word))
  );
}

/** An invalid member of a request, and the JSON types that an error message about the member may name. */
export interface FaultyMember {
  /** The path of the member, such as `messages[0].role`. */
  readonly place: string;
  readonly types: readonly string[];
}

/**
 * Returns the names of a member that a message contains: any name in its path, singular or plural and in any notation,
 * and any of its types in the words of `typeWords`. The types are named as in JSON Schema.
 */
export function listNames(
  message: string,
  { place, types }: FaultyMember,
  typeWords: Fixtures['typeWords'],
): string[] {
  const segments = namesOf(place).filter((segment) => namesSegment(message, segment));
  // Some types contain digits, such as `u32`, or are one word in camel case, such as `CharSequence`.
  const words = [
    ...everyWordOf(message),
    ...removeAccents(message)
      .toLowerCase()
      .split(/[^a-z0-9]/),
  ];
  const named = types.filter((type) => {
    const names = typeWords.get(type);
    return names !== undefined && words.some((word) => names.has(word) || names.has(word.replace(/s$/, '')));
  });
  return [...segments, ...named];
}

/**
 * Returns the member at a place with the types that a message may name: the types that the specification states or
 * leaves open, and the type that was sent. If the body or its schema is unknown, returns all types.
 */
export function describeWrongMember(
  place: string,
  { attributes, request }: { readonly attributes: Attributes; readonly request: Pick<WireRequest, 'body'> },
  { fixtures, operations, schemas }: NamingData,
): FaultyMember {
  const { operation = 'none' } = attributes;
  const schema = isOperationId(operation) ? `${operations[operation].plain}-request` : undefined;
  const body = parseJson(request.body);
  if (schema === undefined || !schemas.names.includes(schema) || body === undefined)
    return { place, types: [...fixtures.typeWords.keys()] };
  const open = Object.values(fixtures.leftOpen)
    .filter(
      ({ path }) => path?.filter((segment) => typeof segment === 'string').join() === namesOf(place).join(),
    )
    .map(({ value }) => typeOf(value));
  const stated = findStatedTypes(schemas.resolved(schema), place);
  return { place, types: [...stated, ...open, ...findGivenTypes(body, place)] };
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findStatedTypes(schema: unknown, place: string): string[] {
  let found = [schema];
  for (const segment of segmentsOf(place)) {
    found = found.flatMap((item) => {
      const { properties, items, anyOf, oneOf } = toMapping(item);
      const options = [...toList(anyOf), ...toList(oneOf)].map(toMapping);
      return [{ properties, items }, ...options].flatMap((option) => {
        const next = isIndex(segment) ? option.items : toMapping(option.properties)[segment];
        return next === undefined ? [] : [next];
      });
    });
  }
  return found
    .flatMap((item) => [item, ...toList(toMapping(item).anyOf), ...toList(toMapping(item).oneOf)])
    .flatMap((item) => toMapping(item).type ?? [])
    .map((type) => (type === 'integer' ? 'number' : String(type)));
}

/**
 * Returns the types of the values at a place. An absent value has the type `null`. Empty brackets (`[]`) stand for
 * every item.
 */
function findGivenTypes(body: unknown, place: string): string[] {
  let found = [body];
  for (const segment of segmentsOf(place)) {
    found = found.flatMap((item) => {
      if (!isIndex(segment)) return [toMapping(item)[segment]];
      return segment === '' ? toList(item) : [toList(item)[Number(segment)]];
    });
  }
  return found.map(typeOf);
}

function typeOf(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Splits a path: `messages[0].role` into `messages`, `0` and `role`, and `messages[]` into `messages` and an empty
 * index.
 */
function segmentsOf(place: string): string[] {
  return place.replaceAll('[', '.').replaceAll(']', '').split('.');
}

function namesOf(place: string): string[] {
  return segmentsOf(place).filter((segment) => !isIndex(segment));
}

function isIndex(segment: string): boolean {
  return /^\d*$/.test(segment);
}

/** Whether a message contains `model` or the ID of the requested model, ignoring case. */
export function namesModel(message: string, id: string | undefined): boolean {
  const lower = message.toLowerCase();
  return lower.includes('model') || (id !== undefined && id !== '' && lower.includes(id.toLowerCase()));
}

/**
 * Whether a message contains a name, singular or plural. A name of one word must be a whole word of the message. A
 * name of several words matches in any notation.
 */
function namesSegment(message: string, segment: string): boolean {
  const one = segment.toLowerCase().replace(/s$/, '');
  return wordsOf(segment).length === 1
    ? everyWordOf(message).some((word) => word === segment.toLowerCase() || word.replace(/s$/, '') === one)
    : removeSeparators(message).includes(removeSeparators(one));
}

/**
 * Returns a text in lower case and without separators, so that `max_tokens`, `maxTokens` and `max-tokens` are equal.
 */
function removeSeparators(text: string): string {
  return text.toLowerCase().replace(/[_\-\s]/g, '');
}

function everyWordOf(message: string): string[] {
  const plain = message.replace(escapes, ' ');
  return plain === message ? wordsOf(message) : [...wordsOf(message), ...wordsOf(plain)];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Colours of a terminal begin with a control character.
const escapes = /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[abfnrtv])|\u001b\[[0-9;]*m/gi;

function removeAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

function wordsOf(text: string): string[] {
  return removeAccents(text)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]/);
}

/**
 * Whether a text in a model list is the ID of the model. Either ID can have a prefix that ends with a slash, such as
 * `models/`.
 */
export function matchesModelId(text: string, model: string): boolean {
  return text === model || text.endsWith(`/${model}`) || model.endsWith(`/${text}`);
}

/** Whether `test` returns true for any string in a JSON value, at any depth, including the names of members. */
export function hasTextInside(value: unknown, test: (text: string) => boolean): boolean {
  return hasValueInside(value, (item) =>
    typeof item === 'string' ? test(item) : Object.keys(toMapping(item)).some(test),
  );
}
