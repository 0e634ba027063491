import type { ServerResponse } from 'node:http';
import { combineSetups, type Setup } from './combine-setups.ts';
import { conforming } from './decisions/index.ts';
import { createFaultInjection, createThrottleRules, type FaultInjectionOptions } from './fault-injection.ts';
import { createGateway, type HandledRequest, type ReferenceGateway } from './gateway/create-gateway.ts';
import type { GatewayOperationId } from './gateway/operations.ts';
import {
  createProfile,
  type FullProfileChanges,
  type OperationTemplate,
  type PartialProfile,
  type TargetProfile,
} from './gateway/profile.ts';
import { compileRoutes } from './gateway/routes.ts';
import { readSeed } from './gateway/seed.ts';
import { createState } from './gateway/state.ts';
import { createJournal, type Journal, type ReceivedRequest } from './journal.ts';
import { formatLogLine } from './log-line.ts';
import { createScript } from './script/create-script.ts';
import { readScript } from './script/read-script.ts';
import type { ScriptRule } from './script/rule.ts';
import { listen } from './wire/listen.ts';
import { emptyRequest, readRequest } from './wire/read-request.ts';
import type { WireResponse } from './wire/response.ts';
import { bodyBytes } from './wire/wire-changes.ts';
import { writeWire } from './wire/write-wire.ts';

/** Options of a reference server. By default it conforms to the specification. */
export type ReferenceServerOptions = FaultInjectionOptions &
  Setup & {
    /** The address to listen on. Default: `127.0.0.1`. */
    readonly host?: string;
    /** The port to listen on. Default: 0, any free port. */
    readonly port?: number;
    /** Called with one line for each request, which contains no key. Default: nothing is logged. */
    readonly log?: (line: string) => void;
    /** Rules that answer requests instead of the gateway, until `script()` replaces them. Default: none. */
    readonly script?: readonly ScriptRule[];
    /** Returns why a request with this `Host` header gets 403, or undefined to accept it. Default: all are accepted. */
    readonly refusesHost?: (host: string | undefined) => string | undefined;
  };

/** A running reference server. */
export type ReferenceServer<Profile extends PartialProfile = TargetProfile> = {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The profile of this server: its keys, models and operations. `run` accepts it. */
  readonly profile: Profile;
  /** Replaces the rules of the script. Throws an error that names the place if a rule is invalid. */
  readonly script: (rules: readonly ScriptRule[]) => void;
  /** The latest requests in the order of arrival: at most 1,000, and at most 64 MiB of bodies. */
  readonly requests: () => readonly ReceivedRequest[];
  /** Forgets all requests and restores the script of the start; balances and request records stay. */
  readonly reset: () => void;
  /** Stops the server. Resolves when all connections are closed, after at most two seconds. */
  readonly close: () => Promise<void>;
};

const extraOperations: Partial<Record<GatewayOperationId, OperationTemplate | null>> = {
  chat: 'POST /v1/chat/completions',
  responses: 'POST /v1/responses',
  models: 'GET /v1/models',
  model: 'GET /v1/models/{model}',
  countMessageTokens: 'POST /v1/messages/count_tokens',
  countContentTokens: 'POST /v1beta/models/{model}:countTokens',
  nativeModels: 'GET /v1beta/models',
  nativeModel: 'GET /v1beta/models/{model}',
};

/** Creates a gateway without a server, and the function that returns its profile for a base URL. */
export function createReferenceGateway(options: ReferenceServerOptions = {}): {
  readonly gateway: ReferenceGateway;
  readonly profileAt: (url: string) => PartialProfile;
} {
  const { seed = readSeed(), now = Date.now } = options;
  let profile = createProfile(seed, '', options.profile);
  const gateway = createGateway({
    decide: { ...conforming, ...options.decisions?.(conforming) },
    lastResort: conforming,
    routes: compileRoutes({ ...extraOperations, ...options.extraOperations, ...profile.operations }),
    state: createState(seed, now()),
    profile: () => profile,
    now,
  });
  const profileAt = (url: string): PartialProfile => {
    profile = createProfile(seed, url, options.profile);
    return profile;
  };
  return { gateway, profileAt };
}

/**
 * Starts a reference gateway in this process, with all state in memory. Rejects if it can't listen on the port, or if a rule
 * of the script is invalid.
 */
export function createReferenceServer(
  options?: ReferenceServerOptions & { readonly profile?: FullProfileChanges },
): Promise<ReferenceServer>;
export function createReferenceServer(
  options?: ReferenceServerOptions,
): Promise<ReferenceServer<PartialProfile>>;
export async function createReferenceServer(
  options: ReferenceServerOptions = {},
): Promise<ReferenceServer<PartialProfile>> {
  const { host = '127.0.0.1', port = 0, log, now = Date.now, script: startRules = [] } = options;
  const rulesWith = (rules: readonly ScriptRule[]): readonly ScriptRule[] => [
    ...readScript(rules),
    ...createThrottleRules(options),
  ];
  const script = createScript(rulesWith(startRules));
  const journal = createJournal();
  const setup = combineSetups([options, createFaultInjection(options), script.setup]);
  const { gateway, profileAt } = createReferenceGateway({ ...options, ...setup });
  const listener = createListener(gateway, journal, log, now);
  const listening = await listen(host, port, refuseOtherHosts(listener, options));
  const url = `http://${toCallableHost(host)}:${listening.port}`;
  return {
    url,
    profile: profileAt(url),
    script: (rules) => script.replace(rulesWith(rules)),
    requests: journal.requests,
    reset: () => {
      script.replace(rulesWith(startRules));
      journal.clear();
    },
    close: listening.close,
  };
}

// Clients cannot call an address that means all interfaces.
function toCallableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function createListener(
  gateway: ReferenceGateway,
  journal: Journal,
  log: ((line: string) => void) | undefined,
  now: () => number,
): Parameters<typeof listen>[2] {
  const report = (handled: HandledRequest): void => log?.(formatLogLine(handled, now()));
  const send = (handled: HandledRequest, response: ServerResponse): void => {
    const fail = (error: unknown): void => {
      response.destroy();
      report({ ...handled, error });
    };
    try {
      journal.note(handled);
      const writing = writeWire(handled.wire, response);
      if (writing) writing.then(() => report(handled)).catch(fail);
      else report(handled);
    } catch (error) {
      fail(error);
    }
  };
  return {
    onRequest(incoming, response) {
      const handled = gateway.handle(readRequest(incoming));
      if (handled instanceof Promise) void handled.then((late) => send(late, response));
      else send(handled, response);
    },
    onUnreadable(status) {
      const handled = gateway.reject({ kind: 'unreadable-request', status }, emptyRequest);
      report(handled);
      return formatHttp(handled.wire);
    },
  };
}

/** Refuses requests for other hosts with 403, so that web pages cannot reach the server by DNS rebinding. */
function refuseOtherHosts(
  listener: Parameters<typeof listen>[2],
  { refusesHost, log, now = Date.now }: ReferenceServerOptions,
): Parameters<typeof listen>[2] {
  if (!refusesHost) return listener;
  return {
    ...listener,
    onRequest(incoming, response) {
      const message = refusesHost(incoming.headers.host);
      if (message === undefined) return listener.onRequest(incoming, response);
      incoming.resume();
      const error = { message, type: 'host_not_allowed', code: 403, details: null };
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      log?.(`${new Date(now()).toISOString()} 403 ${message}`);
    },
  };
}

function formatHttp(wire: WireResponse): string {
  const body = bodyBytes(wire).toString();
  const headers = [
    ...wire.headers,
    ['content-length', String(Buffer.byteLength(body))],
    ['connection', 'close'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${wire.status} ${wire.reason}\r\n${lines}\r\n${body}`;
}
