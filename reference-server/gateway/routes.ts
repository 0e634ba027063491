import { isObject, type Json } from '../json.ts';
import { type Operation, type OperationId, operations, type Surface } from './operations.ts';
import type { OperationTemplate } from './profile.ts';

/** Where a parameter of an operation travels; a place in the body is a list of member names. */
export type ParameterPlace =
  | { readonly in: 'path'; readonly index: number }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'body'; readonly path: readonly string[] };

/** One request line, compiled: what it matches and where its parameters are. */
export type Route = {
  readonly operation: Operation;
  readonly method: string;
  /** The path, where it holds no parameter. */
  readonly path: string | undefined;
  readonly pattern: RegExp;
  /** The text with which every path begins that the pattern matches. */
  readonly start: string;
  readonly literalLength: number;
  readonly literalQuery: readonly (readonly [string, string])[];
  readonly parameters: ReadonlyMap<string, ParameterPlace>;
  readonly takesBody: boolean;
};

/** What a method and a path lead to; `captures` are the decoded parts of the path. */
export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; readonly captures: readonly string[] }
  | {
      readonly kind: 'wrong-method';
      readonly allowed: readonly string[];
      /** That of the endpoint whose method it is not. */
      readonly surface: Surface;
    }
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'bad-url' };

const placeholder = /\{\+?([a-z_]+)\}/gi;

/** The routes of a gateway, and those of them that have one path only, by that path. */
export type Routes = {
  readonly all: readonly Route[];
  readonly byPath: ReadonlyMap<string, readonly Route[]>;
};

/** The routes of those templates; null leaves an operation out, and a line that is no `METHOD /path` throws. */
export function compileRoutes(
  templates: Readonly<Partial<Record<OperationId, OperationTemplate | null>>>,
): Routes {
  const all = Object.values(operations).flatMap((operation) => {
    const template = templates[operation.id];
    return template === null || template === undefined ? [] : [compile(operation, template)];
  });
  const byPath = new Map<string, Route[]>();
  for (const route of all) {
    if (route.path === undefined) continue;
    const others = byPath.get(route.path);
    if (others) others.push(route);
    else byPath.set(route.path, [route]);
  }
  return { all, byPath };
}

function compile(operation: Operation, template: OperationTemplate): Route {
  const { request, body } = typeof template === 'string' ? { request: template, body: undefined } : template;
  const [, method, path, search = ''] = /^([A-Z]+) (\/[^?]*)(?:\?(.*))?$/.exec(request) ?? [];
  if (method === undefined || path === undefined)
    throw new Error(`${operation.id}: not a request line: ${request}`);
  const parameters = new Map<string, ParameterPlace>();
  for (const [index, found] of [...path.matchAll(placeholder)].entries()) {
    if (found[1] !== undefined) parameters.set(found[1], { in: 'path', index });
  }
  const literalQuery: (readonly [string, string])[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    const [found] = value.matchAll(placeholder);
    if (found?.[1] === undefined) literalQuery.push([name, value]);
    else parameters.set(found[1], { in: 'query', name });
  }
  if (body !== undefined) for (const [name, at] of bodyPlaces(body, [])) parameters.set(name, at);
  const literals = path.split(/\{[^}]*\}/);
  return {
    operation,
    method,
    path: literals.length === 1 ? path : undefined,
    pattern: new RegExp(`^${literals.map(escaped).join('(.+)')}$`),
    start: literals[0]?.split(':')[0] ?? '',
    literalLength: literals.join('').length,
    literalQuery,
    parameters,
    takesBody: operation.protocol !== undefined || body !== undefined,
  };
}

// Clients may percent-encode the colon before a method name such as `:generateContent`.
const escaped = (literal: string): string =>
  literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(':', '(?::|%3[Aa])');

function* bodyPlaces(value: Json, path: readonly string[]): Generator<readonly [string, ParameterPlace]> {
  if (typeof value === 'string') {
    const [found] = value.matchAll(placeholder);
    if (found?.[1] !== undefined) yield [found[1], { in: 'body', path }];
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* bodyPlaces(member, [...path, name]);
  }
}

/** The route of a request; the most literal pattern wins, HEAD counts as GET, and captures are percent-decoded. */
export function matchRoute(
  routes: Routes,
  request: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
): RouteMatch {
  if (decoded(request.path) === undefined) return { kind: 'bad-url' };
  // No pattern is more literal than the path itself.
  const closest = routes.byPath.get(request.path) ?? closestTo(routes.all, request.path);
  if (closest.length === 0) return { kind: 'unknown-path' };
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const fitting = closest.filter((route) => route.method === method);
  const route =
    fitting.find((one) => one.literalQuery.every(([name, value]) => request.query.get(name) === value)) ??
    fitting[0];
  if (!route) {
    const surface = closest[0]?.operation.surface ?? 'model';
    return { kind: 'wrong-method', allowed: [...new Set(closest.flatMap(methodsOf))], surface };
  }
  return { kind: 'found', route, captures: capturesOf(route, request.path) };
}

function capturesOf({ path, pattern }: Route, called: string): readonly string[] {
  if (path !== undefined) return [];
  return (pattern.exec(called) ?? []).slice(1).map((part) => decoded(part) ?? part);
}

/** The routes of a path whose patterns are the most literal. */
function closestTo(routes: readonly Route[], path: string): readonly Route[] {
  let closest: Route[] = [];
  let mostLiteral = 0;
  for (const route of routes) {
    if (route.literalLength < mostLiteral || !isOnPath(route, path)) continue;
    if (route.literalLength > mostLiteral) closest = [];
    mostLiteral = route.literalLength;
    closest.push(route);
  }
  return closest;
}

// Every pattern begins with a text, and most paths with another.
const isOnPath = ({ start, pattern }: Route, path: string): boolean =>
  path.startsWith(start) && pattern.test(path);

const methodsOf = (route: Route): readonly string[] =>
  route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The value of a parameter as text, wherever the route has it; undefined where the request does not carry it. */
export function readParameter(
  match: Extract<RouteMatch, { kind: 'found' }>,
  name: string,
  request: { readonly query: URLSearchParams; readonly body: unknown },
): string | undefined {
  const place = match.route.parameters.get(name);
  if (!place) return undefined;
  if (place.in === 'path') return match.captures[place.index];
  if (place.in === 'query') return request.query.get(place.name) ?? undefined;
  let value: unknown = request.body;
  for (const member of place.path) value = isObject(value) ? value[member] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
