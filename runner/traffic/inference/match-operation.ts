import { toMapping } from '../../../common/mapping.ts';
import { readMember } from '../../../common/pointer.ts';
import type { CatalogData } from '../../catalog/catalog.ts';
import { isOperationId, type OperationId, type Operations, operationIds } from '../../catalog/operations.ts';
import { answerOf, type Exchange, succeeded } from '../../exchange/exchange.ts';
import { readValueAt } from '../../judge/locate.ts';
import type { Profile } from '../../profile/profile.ts';

export interface OperationMatch {
  readonly operation: OperationId;
  /** The path and the query, relative to the base URL. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  /** The names of the placeholders in the path. */
  readonly inPath: readonly string[];
  /** The names of the query parameters that the operation does not define, including a parameter with a key. */
  readonly extraParameters: readonly string[];
}

/** Returns the operation that a request calls; undefined if no operation matches. */
export type MatchOperation = (
  request: {
    readonly method: string;
    readonly url: string;
    readonly parsed: URL | undefined;
  },
  readBody: () => unknown,
) => OperationMatch | undefined;

interface Template {
  readonly operation: OperationId;
  readonly method: string;
  readonly path: RegExp;
  /**
   * The text before the first placeholder (empty if the base URL is known), and the text after the last placeholder.
   */
  readonly ends: readonly [first: string, last: string];
  readonly names: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: Readonly<Record<string, unknown>>;
}

const absoluteUrl = /^https?:\/\//i;
const placeholder = /\{(\+?)([a-z_]+)\}/g;

/** Creates the matcher for the operations of a profile. Without a base URL, any prefix of a path is allowed. */
export function createOperationMatcher({ baseUrl, operations }: Profile): {
  readonly match: MatchOperation;
  /** Whether `match` reads the bodies of requests, because the profile states the body of an operation. */
  readonly readsBodies: boolean;
} {
  const base = baseUrl === '' ? undefined : new URL(baseUrl);
  const prefix = base?.pathname.replace(/\/$/, '');
  const templates = operationIds.flatMap((id) => {
    const bound = operations[id];
    return bound
      ? [createTemplate(id, bound.method, bound.path, bound.body ?? {}, prefix === undefined)]
      : [];
  });
  const match: MatchOperation = ({ method, url, parsed }, readBody) => {
    const full = base && !absoluteUrl.test(url) && URL.canParse(url, base) ? new URL(url, base) : parsed;
    if (!full || (base && full.origin !== base.origin)) return undefined;
    if (prefix !== undefined && !full.pathname.startsWith(prefix)) return undefined;
    const pathname = full.pathname.slice(prefix?.length ?? 0);
    const found = templates.flatMap((template) => matchTemplate(template, method, pathname, full, readBody));
    // If operations share a path, the operation whose parameters match best is selected.
    return found.sort((a, b) => b.fit - a.fit)[0]?.match;
  };
  return { match, readsBodies: templates.some(({ body }) => Object.keys(body).length > 0) };
}

/** Returns a parsed URL. A path gets a placeholder host. Returns undefined if the text is neither a URL nor a path. */
export function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url, 'http://recorded.invalid');
  } catch {
    return undefined;
  }
}

function createTemplate(
  operation: OperationId,
  method: string,
  request: string,
  body: Readonly<Record<string, unknown>>,
  anywhere: boolean,
): Template {
  const [path = '', query = ''] = request.split('?', 2);
  const names: string[] = [];
  const pieces = path.split(/(\{\+?[a-z_]+\})/);
  const pattern = pieces
    .map((piece) => {
      const [, plus, name] = /^\{(\+?)([a-z_]+)\}$/.exec(piece) ?? [];
      if (name === undefined) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(name);
      return plus === '+' ? '(.+?)' : '([^/]+?)';
    })
    .join('');
  const pairs = query === '' ? [] : query.split('&').map((pair): [string, string] => splitPair(pair));
  return {
    operation,
    method,
    path: new RegExp(`${anywhere ? '' : '^'}(${pattern})$`),
    ends: [anywhere ? (pieces[0] ?? '') : '', pieces.at(-1) ?? ''],
    names,
    query: pairs,
    body,
  };
}

function splitPair(pair: string): [string, string] {
  const [name = '', value = ''] = pair.split('=', 2);
  return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
}

function matchTemplate(
  template: Template,
  method: string,
  pathname: string,
  { searchParams }: URL,
  readBody: () => unknown,
): { readonly fit: number; readonly match: OperationMatch }[] {
  const [first, last] = template.ends;
  const start = pathname.indexOf(first);
  // Without this check, the regular expression would take quadratic time on a long path.
  if (method !== template.method || start < 0 || !pathname.endsWith(last)) return [];
  const found = template.path.exec(pathname.slice(start));
  if (!found) return [];
  const values: Record<string, string> = {};
  for (const [index, name] of template.names.entries()) values[name] = decode(found[index + 2] ?? '');
  let fit = 0;
  for (const [name, expected] of template.query) {
    const all = searchParams.getAll(name);
    const given = all.length === 1 ? all[0] : undefined;
    const [whole, , variable] = [...expected.matchAll(placeholder)][0] ?? [];
    const text = given === undefined ? undefined : extractPlaceholder(given, expected, whole ?? '');
    if (variable === undefined && given !== expected) return [];
    if (variable !== undefined && text !== undefined) values[variable] = text;
    fit += variable === undefined ? 2 : text === undefined ? -1 : 1;
  }
  for (const { wanted, given } of pairLeaves(
    template.body,
    Object.keys(template.body).length > 0 ? readBody() : undefined,
  )) {
    const [whole, , variable] =
      typeof wanted === 'string' ? ([...wanted.matchAll(placeholder)][0] ?? []) : [];
    const text = typeof given === 'number' ? String(given) : given;
    const inner =
      typeof wanted === 'string' && typeof text === 'string'
        ? extractPlaceholder(text, wanted, whole ?? '')
        : undefined;
    // Operations with the same path differ by this member of their bodies.
    if (variable === undefined && given !== wanted) return [];
    if (variable !== undefined && inner !== undefined) values[variable] = inner;
    fit += variable === undefined ? 2 : inner === undefined ? -1 : 1;
  }
  const own = template.query.map(([name]) => name);
  const search = searchParams.size > 0 ? `?${searchParams}` : '';
  return [
    {
      fit,
      match: {
        operation: template.operation,
        path: (found[1] ?? '') + search,
        values,
        inPath: template.names,
        extraParameters: [...searchParams.keys()].filter((name) => !own.includes(name)),
      },
    },
  ];
}

/** Pairs each value in a body template, except objects and arrays, with the value at the same place in the body. */
function pairLeaves(
  wanted: unknown,
  given: unknown,
): { readonly wanted: unknown; readonly given: unknown }[] {
  if (typeof wanted !== 'object' || wanted === null) return [{ wanted, given }];
  const members: Readonly<Record<string, unknown>> = { ...(Array.isArray(given) ? given : toMapping(given)) };
  return Object.entries(wanted).flatMap(([name, inner]) => pairLeaves(inner, members[name]));
}

function extractPlaceholder(text: string, template: string, whole: string): string | undefined {
  const [before = '', after = ''] = template.split(whole, 2);
  const fits = text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return fits ? text.slice(before.length, text.length - after.length) : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the IDs of the operations whose existence a response proves. A response to the streamed form also proves
 * the plain form, and a response to the plain form also proves the streamed form.
 */
export function findOfferedOperations(
  exchange: Exchange,
  { operations }: Pick<CatalogData, 'operations'>,
): readonly OperationId[] {
  const { operation = 'none' } = exchange.attributes;
  if (!isOperationId(operation) || !provesEndpoint(exchange, operations)) return [];
  return operationIds.filter((id) => operations[id].plain === operations[operation].plain);
}

/**
 * Whether a 2xx response to a valid call that is not streamed shows that the endpoint does not exist. The response then
 * is not JSON, or has neither `error` nor the member that every response of the operation has. For example, some
 * servers send the same page for every path.
 */
export function disprovesEndpoint(
  { attributes, result }: Exchange,
  { operations }: Pick<CatalogData, 'operations'>,
): boolean {
  const { operation = 'none', request, streamed } = attributes;
  if (!isOperationId(operation) || result.kind === 'failure' || !succeeded(result)) return false;
  const { shows } = operations[operation];
  const { content } = result.answer;
  if (request !== 'valid' || streamed === 'true' || shows === undefined) return false;
  if (content.kind !== 'json') return content.kind === 'text';
  return readMember(content.value, shows) === undefined && readMember(content.value, '/error') === undefined;
}

/** Whether only an existing endpoint can send this response: a result of the operation, or an error of the gateway. */
function provesEndpoint(exchange: Exchange, operations: Operations): boolean {
  const { operation = 'none' } = exchange.attributes;
  const answer = answerOf(exchange);
  if (!answer || !isOperationId(operation)) return false;
  if (answer.status === 400 || answer.status === 402) return true;
  const hasError = readValueAt(answer, '/error') !== undefined;
  if (answer.status === 403 || answer.status === 429) return hasError;
  const { shows, streams } = operations[operation];
  if (!succeeded(exchange.result)) return false;
  // Some servers return a web page, or another text, for every path.
  if (streams === 'always' || exchange.attributes.streamed === 'true')
    return answer.content.kind === 'json' || /^(data|event|id|retry|:)/m.test(answer.text);
  return (
    answer.content.kind === 'json' &&
    (shows === undefined || readMember(answer.content.value, shows) !== undefined)
  );
}
