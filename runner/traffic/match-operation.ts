import { mapping } from '../../contract/mapping.ts';
import { type OperationId, operationIds } from '../catalog/operations.ts';
import type { Profile } from '../profile/profile.ts';

/** The operation of a request, and what stands in the places of its placeholders. */
export interface Match {
  readonly operation: OperationId;
  /** Path and query, relative to the base URL. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  /** Those of its placeholders that stand in the path. */
  readonly inPath: readonly string[];
  /** Parameters of the query that the operation does not have, a key among them. */
  readonly extra: readonly string[];
}

/** Finds the operation that a request calls; undefined where it calls none. */
export type MatchOperation = (
  request: {
    readonly method: string;
    readonly url: string;
    /** What `urlOf` makes of it. */
    readonly parsed: URL | undefined;
  },
  readBody: () => unknown,
) => Match | undefined;

interface Template {
  readonly operation: OperationId;
  readonly method: string;
  readonly path: RegExp;
  /** What a path has before its first placeholder, empty if it must begin there, and after its last one. */
  readonly ends: readonly [first: string, last: string];
  readonly names: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** What reads the same from any base. */
const isAbsolute = /^https?:\/\//i;
const placeholder = /\{(\+?)([a-z_]+)\}/g;

/** Matches requests by the operations of a profile; without a base URL, wherever their paths end. */
export function makeMatchOperation({ baseUrl, operations }: Profile): {
  readonly match: MatchOperation;
  /** Whether any operation is told by its body. */
  readonly readsBodies: boolean;
} {
  const base = baseUrl === '' ? undefined : new URL(baseUrl);
  const prefix = base?.pathname.replace(/\/$/, '');
  const templates = operationIds.flatMap((id) => {
    const bound = operations[id];
    return bound ? [templateOf(id, bound.method, bound.path, bound.body ?? {}, prefix === undefined)] : [];
  });
  const match: MatchOperation = ({ method, url, parsed }, readBody) => {
    const full = base && !isAbsolute.test(url) && URL.canParse(url, base) ? new URL(url, base) : parsed;
    if (!full || (base && full.origin !== base.origin)) return undefined;
    if (prefix !== undefined && !full.pathname.startsWith(prefix)) return undefined;
    const pathname = full.pathname.slice(prefix?.length ?? 0);
    const found = templates.flatMap((template) => matchTemplate(template, method, pathname, full, readBody));
    // Of operations that share a path, the one whose parameters fit best.
    return found.sort((a, b) => b.fit - a.fit)[0]?.match;
  };
  return { match, readsBodies: templates.some(({ body }) => Object.keys(body).length > 0) };
}

/** An address, or a path under one that stands for none; undefined where it is neither. */
export function urlOf(url: string): URL | undefined {
  const stand = 'http://recorded.invalid';
  try {
    return new URL(url, stand);
  } catch {
    return undefined;
  }
}

function templateOf(
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
): { readonly fit: number; readonly match: Match }[] {
  const [first, last] = template.ends;
  const start = pathname.indexOf(first);
  // Without these, the expression would try each place of a long path in vain, and from each one read to its end.
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
    const text = given === undefined ? undefined : between(given, expected, whole ?? '');
    if (variable === undefined && given !== expected) return [];
    if (variable !== undefined && text !== undefined) values[variable] = text;
    fit += variable === undefined ? 2 : text === undefined ? -1 : 1;
  }
  for (const { wanted, given } of leavesOf(
    template.body,
    Object.keys(template.body).length > 0 ? readBody() : undefined,
  )) {
    const [whole, , variable] =
      typeof wanted === 'string' ? ([...wanted.matchAll(placeholder)][0] ?? []) : [];
    const text = typeof given === 'number' ? String(given) : given;
    const inner =
      typeof wanted === 'string' && typeof text === 'string' ? between(text, wanted, whole ?? '') : undefined;
    // What tells operations with one path apart stands in their bodies.
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
        extra: [...searchParams.keys()].filter((name) => !own.includes(name)),
      },
    },
  ];
}

/** The values of a body's template that have no members, each with what a body has in its place. */
function leavesOf(wanted: unknown, given: unknown): { readonly wanted: unknown; readonly given: unknown }[] {
  if (typeof wanted !== 'object' || wanted === null) return [{ wanted, given }];
  const members: Readonly<Record<string, unknown>> = { ...(Array.isArray(given) ? given : mapping(given)) };
  return Object.entries(wanted).flatMap(([name, inner]) => leavesOf(inner, members[name]));
}

/** What a text has in the place of the placeholder of its template; undefined where it has not its form. */
function between(text: string, template: string, whole: string): string | undefined {
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
