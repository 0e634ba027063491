import type { Accounts } from '../gateway/administration.ts';
import { AdminError, type Keys } from '../gateway/administration.ts';
import type { PartialProfile } from '../gateway/profile.ts';
import type { Journal } from '../journal.ts';
import { isObject } from '../json.ts';
import type { Origin } from '../origin.ts';
import type { Rule } from '../rules/rule.ts';
import { readSituation, type Situations } from '../situations/situation.ts';
import type { ConformanceRunner } from './conformance.ts';
import { describeDetail, describeRow } from './request-rows.ts';
import type { ConsoleSuite } from './suite.ts';

/** The parts of a gateway that the console shows and changes. */
export type ConsoleParts = {
  readonly keys: Keys;
  readonly accounts: Accounts;
  readonly situations: Situations;
  /** The faults and variants with which the gateway was started. */
  readonly started: readonly Origin[];
  /** The rules other than situations, each with the number of requests to which it has applied. */
  readonly rules: () => readonly { readonly rule: Rule; readonly used: number }[];
  readonly journal: Pick<Journal, 'changedSince' | 'find' | 'revision' | 'count'>;
  /** Undefined if the server has no suite. */
  readonly conformance: ConformanceRunner | undefined;
  readonly curlLine: ConsoleSuite['curlLine'] | undefined;
  readonly url: () => string;
  /** Returns the profile of the gateway with its active situations. */
  readonly profile: () => PartialProfile;
};

/** A request to the API: the decoded path segments that match `*`, and the JSON body; `{}` for an empty body. */
type ApiRequest = { readonly ids: readonly string[]; readonly body: Readonly<Record<string, unknown>> };

type Route = {
  readonly method: string;
  /** The path below `/console/api`, in which `*` matches one segment. */
  readonly path: string;
  readonly status?: number;
  readonly respond: (parts: ConsoleParts, request: ApiRequest) => unknown;
};

/** The routes of the console API, which `specs/console-openapi.yaml` describes. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/keys', respond: ({ keys }) => keys.list() },
  {
    method: 'POST',
    path: '/keys',
    status: 201,
    respond({ keys }, { body }) {
      const [name, account] = [readText(body, 'name'), readText(body, 'account')];
      return keys.create({ ...(name !== undefined && { name }), ...(account !== undefined && { account }) });
    },
  },
  {
    method: 'DELETE',
    path: '/keys/*',
    status: 204,
    respond: ({ keys }, { ids: [id = ''] }) => keys.delete(id),
  },
  { method: 'GET', path: '/accounts', respond: ({ accounts }) => accounts.list() },
  {
    method: 'POST',
    path: '/accounts/*/top-ups',
    respond: ({ accounts }, { ids: [id = ''], body }) => accounts.topUp(id, Number(body.credits)),
  },
  {
    method: 'POST',
    path: '/accounts/*/drain',
    respond: ({ accounts }, { ids: [id = ''] }) => accounts.drain(id),
  },
  {
    method: 'GET',
    path: '/requests',
    respond: ({ journal }) => ({
      count: journal.count(),
      requests: journal.changedSince(0).map(describeRow),
    }),
  },
  {
    method: 'GET',
    path: '/requests/*',
    respond({ journal, profile, curlLine }, { ids: [id] }) {
      const found = journal.find(Number(id));
      if (!found)
        throw new AdminError(
          'unknown',
          'The gateway stores no request with this number. Use a number from the list of requests.',
        );
      return describeDetail(found, profile(), curlLine);
    },
  },
  { method: 'GET', path: '/rules', respond: ({ rules }) => rules() },
  { method: 'GET', path: '/situations', respond: ({ situations }) => situations.list() },
  {
    method: 'POST',
    path: '/situations',
    status: 201,
    respond: ({ situations }, { body }) => situations.add(readSituation(body)),
  },
  {
    method: 'PUT',
    path: '/situations',
    respond({ situations }, { body: { situations: wanted } }) {
      if (!Array.isArray(wanted)) throw new AdminError('invalid', '`situations` must be an array.');
      situations.set(wanted.map(readSituation));
      return situations.list();
    },
  },
  {
    method: 'DELETE',
    path: '/situations/*',
    status: 204,
    respond: ({ situations }, { ids: [id] }) => situations.remove(Number(id)),
  },
  { method: 'GET', path: '/conformance', respond: (parts) => conformanceOf(parts).state() },
  {
    method: 'POST',
    path: '/conformance',
    status: 202,
    respond(parts) {
      const conformance = conformanceOf(parts);
      conformance.start();
      return conformance.state();
    },
  },
];

function conformanceOf({ conformance }: ConsoleParts): ConformanceRunner {
  if (conformance) return conformance;
  throw new AdminError(
    'unknown',
    'This gateway has no suite to run. `conformance serve` has one, and `createReferenceServer` takes one as the option `suite`.',
  );
}

/** A response of the API. `value` is the JSON value of the body; undefined for a response without a body. */
export type ApiResponse = { readonly status: number; readonly value: unknown };

/**
 * Returns the response to a request below `/console/api`. `path` is the path after `/console/api`. If the request is
 * invalid, the response is 400, 404 or 405 with `error.message`.
 */
export function respondByApi(
  parts: ConsoleParts,
  { method, path, text }: { readonly method: string; readonly path: string; readonly text: string },
): ApiResponse {
  const matching = routes.flatMap((route) => {
    const ids = matchPath(route.path, path);
    return ids ? [{ route, ids }] : [];
  });
  const found = matching.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method));
  if (!found) {
    const methods = matching.map(({ route }) => route.method).join(', ');
    return matching.length > 0
      ? fail(405, `This path supports only ${methods}.`)
      : fail(404, 'The path does not exist. docs/console.md describes the API.');
  }
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    if (!isObject(body)) return fail(400, 'The body must be a JSON object.');
    const value = found.route.respond(parts, { ids: found.ids, body });
    return { status: found.route.status ?? 200, value };
  } catch (error) {
    if (error instanceof SyntaxError)
      return fail(400, `The body is not JSON: ${error.message}. Send a JSON object.`);
    if (error instanceof AdminError) return fail(error.kind === 'unknown' ? 404 : 400, error.message);
    throw error;
  }
}

function fail(status: number, message: string): ApiResponse {
  return { status, value: { error: { message } } };
}

function matchPath(pattern: string, path: string): readonly string[] | undefined {
  const [wanted, sent] = [pattern.split('/'), path.split('/')];
  const fits =
    wanted.length === sent.length && wanted.every((part, index) => part === '*' || part === sent[index]);
  if (!fits) return undefined;
  return sent.filter((_, index) => wanted[index] === '*').map(decode);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns a string member of a body; undefined if the member is missing or empty. Throws an `AdminError` if the member
 * is not a string.
 */
function readText(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new AdminError('invalid', `\`${name}\` must be a string.`);
  return value;
}
