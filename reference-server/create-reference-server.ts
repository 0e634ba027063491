import type { ServerResponse } from 'node:http';
import { isLoopback } from '../common/host.ts';
import { applyRulesToGateway } from './apply-rules.ts';
import { combineSetups, type Setup } from './combine-setups.ts';
import { createConformanceRunner, type GatewayCopy } from './console/conformance.ts';
import { type Console, consolePath, createConsole } from './console/serve-console.ts';
import type { ConsoleSuite } from './console/suite.ts';
import { createReferenceGateway } from './create-reference-gateway.ts';
import { type Accounts, createAccounts, createKeys, type Keys } from './gateway/administration.ts';
import type { HandledRequest, ReferenceGateway } from './gateway/create-gateway.ts';
import {
  consoleSetup,
  type FullProfileChanges,
  type PartialProfile,
  type TargetProfile,
} from './gateway/profile.ts';
import { readSeed } from './gateway/seed.ts';
import { copyState, createState, type State } from './gateway/state.ts';
import { createInjectedRules, type InjectionOptions } from './injected-rules.ts';
import { createJournal, type Journal, type ReceivedRequest } from './journal.ts';
import { formatLogLine } from './log-line.ts';
import type { Origin } from './origin.ts';
import { readRules } from './read-rules.ts';
import type { Rule } from './rules/rule.ts';
import { createRules } from './rules/rules.ts';
import { createSituations } from './situations/create-situations.ts';
import { isUsedUp, type Situations } from './situations/situation.ts';
import { createSwitchedGateway } from './situations/switch-gateway.ts';
import { openStateFile } from './state-file.ts';
import { type Listener, listen } from './wire/listen.ts';
import { emptyRequest, readRequest } from './wire/read-request.ts';
import type { WireResponse } from './wire/response.ts';
import { joinChunks } from './wire/wire-changes.ts';
import { writeWire } from './wire/write-wire.ts';

/** Options of a reference server. By default, the server conforms to the specification. */
export type ReferenceServerOptions = InjectionOptions &
  Setup & {
    /** The address to listen on. Default: `127.0.0.1`. */
    readonly host?: string;
    /** The port to listen on. Default: 0, which selects any free port. */
    readonly port?: number;
    /**
     * Called with one line of text for each request outside the console, each request with a refused `Host` header,
     * and each failure to write the state file after the start. The line contains no key. Default: nothing is logged.
     */
    readonly log?: (line: string) => void;
    /** What the gateway does otherwise, until `rules()` replaces these rules. Default: none. */
    readonly rules?: readonly Rule[];
    /** The path of a file that stores keys, accounts and request records between starts. Default: no file. */
    readonly stateFile?: string;
    /** Serves the browser console at `/console`. Default: false. */
    readonly console?: boolean;
    /**
     * What the page *Conformance* of the console runs, and what writes its requests as curl lines. Default: none, and
     * the console has neither. `conformance serve` has the suite of this package.
     */
    readonly suite?: ConsoleSuite;
    /** The password of the console. If omitted or empty, the console accepts only requests from this machine. */
    readonly consolePassword?: string;
    /**
     * Returns the message with which a request with this `Host` header gets 403; undefined if the request is accepted.
     * Default: all requests are accepted.
     */
    readonly refusesHost?: (host: string | undefined) => string | undefined;
  };

/** A running reference server. */
export type ReferenceServer<Profile extends PartialProfile = TargetProfile> = {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The keys, models and operations of this server, as a profile that `run` accepts. */
  readonly profile: Profile;
  /** Replaces the rules. If a rule is invalid, throws an error that names one invalid place. */
  readonly rules: (rules: readonly Rule[]) => void;
  /** Sends the responses that `untilReleased` holds. */
  readonly release: () => void;
  readonly keys: Keys;
  readonly accounts: Accounts;
  /** The deviations that can be switched on while the gateway runs, such as errors, pauses and broken streams. */
  readonly situations: Situations;
  /** Returns the latest requests in the order of arrival: at most 1,000, and at most 64 MiB of bodies. */
  readonly requests: () => readonly ReceivedRequest[];
  /**
   * Removes the recorded requests, restores the initial rules and switches all situations off. Keys, balances
   * and request records stay unchanged.
   */
  readonly reset: () => void;
  /** Stops the server. Resolves when all connections are closed, after at most two seconds. */
  readonly close: () => Promise<void>;
};

/**
 * Starts a reference gateway in this process. Rejects if the server cannot listen on the port, or if the state file
 * cannot be read or written, or is used by another gateway. Also rejects if the state file, a rule, a request line or
 * the time of the rate limit is invalid, or if the seed lacks a model for a role.
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
  return (await startServer(options)).server;
}

/** Starts a server. With `copied`, it begins in this state instead of that of the seed. */
async function startServer(
  options: ReferenceServerOptions,
  copied?: State,
): Promise<{
  readonly server: ReferenceServer<PartialProfile>;
  /** Returns the profile of the gateway with its active situations. */
  readonly profile: () => PartialProfile;
}> {
  const { host = '127.0.0.1', port = 0, log, now = Date.now, rules: startRules = [] } = options;
  const rules = createRules();
  let givenRules: readonly Rule[] = [];
  let ownRules: readonly Rule[] = [];
  const origins = new WeakMap<Rule, Origin>();
  const arrange = (): void => rules.replace([...switches.rules(), ...ownRules]);
  const usesOf = (rule: Rule): number => rules.list().find((one) => one.rule === rule)?.used ?? 0;
  const switches = createSituations(arrange, usesOf);
  const setRules = (wanted: readonly Rule[]): void => {
    // A copy is a rule of its own, with its own count.
    givenRules = readRules(wanted);
    ownRules = [...givenRules, ...createInjectedRules(options)].map((rule) => ({ ...rule }));
    for (const [index, rule] of ownRules.entries())
      origins.set(rule, { kind: 'rule', id: String(index + 1), about: JSON.stringify(rule) });
    arrange();
  };
  setRules(startRules);
  const journal = createJournal();
  let url = '';
  const { seed = readSeed() } = options;
  const shared = { seed, state: copied ?? createState(seed, now()), counter: { requests: 0 } };
  const { stateFile: path } = options;
  const kept =
    path === undefined
      ? undefined
      : openStateFile(path, shared.state, {
          requests: () => shared.counter.requests,
          log: (line) => log?.(line),
        });
  const changed = (): void => kept?.save();
  const ruled = applyRulesToGateway(rules, (rule) => switches.originOf(rule) ?? origins.get(rule));
  const gateway = createSwitchedGateway(
    switches,
    (situations) => createReferenceGateway(combineSetups([{ seed }, options, ...situations, ruled]), shared),
    () => shared.state.keys.at(-1)?.id ?? '',
  );
  const keys = createKeys(shared.state, now, changed);
  const accounts = createAccounts(shared.state, changed);
  const { situations } = switches;
  const { suite } = options;
  const openCopy = async (): Promise<GatewayCopy> => {
    const { port: _, console: _c, log: _l, stateFile: _f, suite: _s, refusesHost: _h, ...own } = options;
    const { server, profile } = await startServer(
      {
        ...own,
        // Other machines have no business there.
        host: isLoopback(host) ? host : '127.0.0.1',
        rules: givenRules,
      },
      copyState(shared.state),
    );
    const active = situations.list().filter((item) => !isUsedUp(item));
    server.situations.set(active.map(({ situation }) => situation));
    return { url: server.url, profile: { ...profile(), baseUrl: url }, close: server.close };
  };
  const conformance = suite && createConformanceRunner(suite, openCopy);
  const consoleParts = {
    ...{ keys, accounts, situations, journal, conformance },
    started: options.origins ?? [],
    curlLine: suite?.curlLine,
    rules: () => ownRules.map((rule) => ({ rule, used: usesOf(rule) })),
    url: () => url,
    profile: gateway.profile,
  };
  const listener = createListener(gateway, journal, log, now);
  const withConsole = options.console
    ? addConsole(listener, createConsole(consoleParts, options.consolePassword))
    : listener;
  const listening = await listen(host, port, refuseOtherHosts(withConsole, gateway, options)).catch(
    (error: unknown) => {
      kept?.close();
      throw error;
    },
  );
  url = `http://${toCallableHost(host)}:${listening.port}`;
  if (options.console) shared.state.rechargeUrl = `${url}${consolePath}/accounts/{account}`;
  const isOpen = options.console && !options.consolePassword;
  const server: ReferenceServer<PartialProfile> = {
    url,
    profile: { ...gateway.profileAt(url), ...(isOpen && { setup: consoleSetup }) },
    keys,
    accounts,
    situations,
    rules: setRules,
    release: rules.release,
    requests: journal.requests,
    reset: () => {
      rules.release();
      setRules(startRules);
      situations.set([]);
      journal.clear();
    },
    async close() {
      // The wait for open connections may be cut short, for example by a second signal.
      kept?.save();
      await Promise.all([conformance?.stop(), listening.close()]);
      kept?.close();
    },
  };
  return { server, profile: gateway.profile };
}

function addConsole(listener: Listener, { handle }: Console): Listener {
  return {
    ...listener,
    onRequest(incoming, response) {
      if (/^\/console([/?]|$)/.test(incoming.url ?? '')) handle(incoming, response);
      else listener.onRequest(incoming, response);
    },
  };
}

// Not every client can connect to an address that stands for all interfaces.
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
): Listener {
  const report = (handled: HandledRequest): void => log?.(formatLogLine(handled, now()));
  const send = (handled: HandledRequest, response: ServerResponse): void => {
    const end = (): void => {
      journal.end(handled, now());
      report(handled);
    };
    const fail = (error: unknown): void => {
      response.destroy();
      journal.end(handled, now());
      report({ ...handled, error });
    };
    try {
      noteUse(handled.ctx);
      journal.note(handled);
      const writing = writeWire(handled.wire, response);
      if (writing) writing.then(end).catch(fail);
      else end();
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
      const handled = gateway.reject({ kind: 'unreadable-request', status }, { ...emptyRequest });
      report(handled);
      return formatHttp(handled.wire);
    },
  };
}

function noteUse({ key, now }: HandledRequest['ctx']): void {
  if (!key) return;
  key.requests += 1;
  key.lastUsedAt = now;
}

/** Returns a listener that responds with 403 to a `Host` that `refusesHost` refuses, against DNS rebinding. */
function refuseOtherHosts(
  listener: Listener,
  gateway: ReferenceGateway,
  { refusesHost, log, now = Date.now }: ReferenceServerOptions,
): Listener {
  if (!refusesHost) return listener;
  return {
    ...listener,
    onRequest(incoming, response) {
      const message = refusesHost(incoming.headers.host);
      if (message === undefined) return listener.onRequest(incoming, response);
      incoming.resume();
      const { wire } = gateway.reject({ kind: 'refused-host', message }, readRequest(incoming));
      void Promise.resolve(writeWire(wire, response)).catch(() => response.destroy());
      log?.(`${new Date(now()).toISOString()} 403 ${message}`);
    },
  };
}

function formatHttp(wire: WireResponse): string {
  const body = joinChunks(wire).toString();
  const headers = [
    ...wire.headers,
    ['content-length', String(Buffer.byteLength(body))],
    ['connection', 'close'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${wire.status} ${wire.reason}\r\n${lines}\r\n${body}`;
}
