import { isObject, type Json } from '../json.ts';
import { type GatewayOperation, type GatewayOperationId, operations, type Surface } from './operations.ts';
import type { OperationTemplate } from './profile.ts';

/**
 * The place of a parameter in a request. `index` counts the parameters of the path from 0. In a body, `path` lists
 * the names of the nested properties.
 */
export type ParameterPlace =
  | { readonly in: 'path'; readonly index: number }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'body'; readonly path: readonly string[] };

/** The compiled request line of an operation, with the places of the parameters in the request line and in the body. */
export type Route = {
  readonly operation: GatewayOperation;
  readonly method: string;
  /** The path; undefined if the path has parameters. */
  readonly path: string | undefined;
  readonly pattern: RegExp;
  /** The text at the beginning of every path that the pattern matches. */
  readonly start: string;
  readonly literalLength: number;
  readonly literalQuery: readonly (readonly [string, string])[];
  readonly parameters: ReadonlyMap<string, ParameterPlace>;
  readonly takesBody: boolean;
};

/**
 * The result of a lookup by method and path. `captures` are the percent-decoded path parameters, and `allowed` are the
 * methods of the path.
 */
export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; readonly captures: readonly string[] }
  | {
      readonly kind: 'wrong-method';
      readonly allowed: readonly string[];
      readonly surface: Surface;
    }
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'bad-url' };

const placeholder = /\{\+?([a-z_]+)\}/gi;

/** The routes of a gateway. `byPath` contains the routes without path parameters. */
export type Routes = {
  readonly all: readonly Route[];
  readonly byPath: ReadonlyMap<string, readonly Route[]>;
};

/**
 * Compiles request lines to routes. An operation without a request line, or with null, gets no route. Throws an error
 * if a request line is not `METHOD /path`.
 */
export function compileRoutes(
  templates: Readonly<Partial<Record<GatewayOperationId, OperationTemplate | null>>>,
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

function compile(operation: GatewayOperation, template: OperationTemplate): Route {
  const { request, body } = typeof template === 'string' ? { request: template, body: undefined } : template;
  const [, method, path, search = ''] = /^([A-Z]+) (\/[^?]*)(?:\?(.*))?$/.exec(request) ?? [];
  if (method === undefined || path === undefined)
    throw new Error(
      `${operation.id}: "${request}" is not a valid request line. Expected a line such as "GET /v1/models".`,
    );
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
    pattern: new RegExp(`^${literals.map(escapeLiteral).join('(.+)')}$`),
    start: literals[0]?.split(':')[0] ?? '',
    literalLength: literals.join('').length,
    literalQuery,
    parameters,
    takesBody: operation.protocol !== undefined || body !== undefined,
  };
}

// Clients may percent-encode the colon before a method name such as `:generateContent`.
const escapeLiteral = (literal: string): string =>
  literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(':', '(?::|%3[Aa])');

function* bodyPlaces(value: Json, path: readonly string[]): Generator<readonly [string, ParameterPlace]> {
  if (typeof value === 'string') {
    const [found] = value.matchAll(placeholder);
    if (found?.[1] !== undefined) yield [found[1], { in: 'body', path }];
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* bodyPlaces(member, [...path, name]);
  }
}

/**
 * Finds the route of a request. If several paths match, the path with the most literal characters is used. If several
 * routes have this path and the method, the result is the first route whose fixed query parameters all occur in the
 * request, or else the first route. HEAD counts as GET.
 */
export function matchRoute(
  routes: Routes,
  request: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
): RouteMatch {
  if (decodePath(request.path) === undefined) return { kind: 'bad-url' };
  // A path without parameters is the most literal pattern that can match.
  const closest = routes.byPath.get(request.path) ?? findClosest(routes.all, request.path);
  if (closest.length === 0) return { kind: 'unknown-path' };
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const routesOfMethod = closest.filter((route) => route.method === method);
  const route =
    routesOfMethod.find((one) =>
      one.literalQuery.every(([name, value]) => request.query.get(name) === value),
    ) ?? routesOfMethod[0];
  if (!route) {
    const surface = closest[0]?.operation.surface ?? 'model';
    return { kind: 'wrong-method', allowed: [...new Set(closest.flatMap(methodsOf))], surface };
  }
  return { kind: 'found', route, captures: readCaptures(route, request.path) };
}

function readCaptures({ path, pattern }: Route, called: string): readonly string[] {
  if (path !== undefined) return [];
  return (pattern.exec(called) ?? []).slice(1).map((part) => decodePath(part) ?? part);
}

function findClosest(routes: readonly Route[], path: string): readonly Route[] {
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

// Comparing the beginnings first is faster, since most paths differ at the beginning.
const isOnPath = ({ start, pattern }: Route, path: string): boolean =>
  path.startsWith(start) && pattern.test(path);

const methodsOf = (route: Route): readonly string[] =>
  route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];

function decodePath(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value of a parameter as text; undefined if the route has no such parameter, or if the request has no
 * value for the parameter. In a body, only strings and numbers are values.
 */
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
