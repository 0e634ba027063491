// All imports of project modules by the probe, and the adapters to them. When modules move, change only this file. The
// types that leave this file are plain data: the other side of a comparison has an adapter of its own.

import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageInfo } from '../../common/package-info.ts';
import { packageRoot } from '../../common/package-root.ts';
import { combineSetups, type Setup } from '../../reference-server/combine-setups.ts';
import { createReferenceGateway } from '../../reference-server/create-reference-gateway.ts';
import { createAccounts, createKeys } from '../../reference-server/gateway/administration.ts';
import { consoleSetup, createProfile } from '../../reference-server/gateway/profile.ts';
import { readSeed } from '../../reference-server/gateway/seed.ts';
import { createState } from '../../reference-server/gateway/state.ts';
import { faults, variants } from '../../reference-server/index.ts';
import type { WireResponse } from '../../reference-server/wire/response.ts';
import { encodeChunk } from '../../reference-server/wire/wire-changes.ts';
import { catalogOfPackage } from '../../runner/catalog/catalog.ts';
import { compareReports } from '../../runner/compare/compare-reports.ts';
import { createControls } from '../../runner/evidence/controls.ts';
import type { Result } from '../../runner/exchange/exchange.ts';
import { defaultRetryPolicy } from '../../runner/exchange/retry-policy.ts';
import { chooseExitCode } from '../../runner/gate/exit-code.ts';
import { plan } from '../../runner/plan/plan.ts';
import type { Profile } from '../../runner/profile/profile.ts';
import { createPromise } from '../../runner/profile/promise.ts';
import { parseProfile, readProfile } from '../../runner/profile/read-profile.ts';
import type { Report } from '../../runner/report/report.ts';
import { joinReportText, type TextStyle } from '../../runner/reporters/reporter.ts';
import { comparisonReporters, reporters } from '../../runner/reporters/reporters.ts';
import { buildRequest } from '../../runner/request/build-request.ts';
import { createNameSource, deriveKeys } from '../../runner/request/keys.ts';
import { prepare } from '../../runner/run/prepare.ts';
import { runSuite } from '../../runner/run/run.ts';
import { buildContext } from '../../runner/send/sender.ts';
import { createTrafficChecker } from '../../runner/traffic/check-traffic.ts';
import { readRecording } from '../../runner/traffic/recordings/read-recording.ts';
import type { RecordedExchange } from '../../runner/traffic/recordings/recorded-exchange.ts';
import { createView } from '../../runner/view/view.ts';
import { requestOf, resultOf } from '../support/gateways/in-process.ts';
import { withRarities } from '../support/sample-report.ts';
import { waitTurns } from './virtual.ts';

/** A request as the transport of the suite gets it. */
export type PlainRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

/** A response as the gateway hands it to the connection. Chunks are UTF-8 text, or base64 after `base64:`. */
export type PlainResponse = {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly after: number;
  readonly framing: string;
  readonly ending: string;
  readonly chunks: readonly (readonly [after: number, data: string])[];
  /** The message of an error that was thrown while the request was handled. */
  readonly threw?: string;
};

/** A change of a key or of a balance: the action, and the values of the created key. */
export type PlainChange = { readonly action: string; readonly values: Readonly<Record<string, string>> };

/** A gateway in this process. */
export type PlainGateway = {
  /** The profile as the gateway states it, and its valid key. */
  readonly profile: object;
  readonly key: string;
  readonly handle: (request: PlainRequest, connection: string) => Promise<PlainResponse>;
  readonly change: (change: PlainChange) => Readonly<Record<string, string>>;
};

/** The sources of responses and of changes for a run of the suite. */
export type PlainTarget = {
  readonly profile: object;
  readonly send: (request: PlainRequest) => Promise<PlainResponse | undefined>;
  readonly change: (change: PlainChange) => Readonly<Record<string, string>>;
};

/** The options of a run that the probe sets. */
export type PlainOptions = {
  readonly only?: readonly string[];
  readonly models?: readonly string[];
  readonly repeat?: number;
  readonly thorough?: boolean;
  readonly safe?: boolean;
  readonly fuzz?: { readonly count: number; readonly seed: number };
};

const catalog = await catalogOfPackage();
const seed = readSeed();

/** The digest of the requirements. Every change of their files changes it. */
export const revision: string = catalog.revision;
const baseUrl = 'http://127.0.0.1';

/** The setups of the reference gateway: the conforming gateway, all faults, and all variants. */
export const setups: readonly { readonly id: string; readonly setup: () => Setup }[] = [
  { id: 'conforming', setup: () => ({}) },
  ...faults.map(({ id, setup }) => ({ id: `fault ${id}`, setup })),
  ...variants.map(({ id, setup }) => ({ id: `variant ${id}`, setup })),
];

/** Opens a new gateway with a setup. `conforms`: without the decisions of the setup, but with its profile. */
export function openGateway(setup: Setup, conforms: boolean): PlainGateway {
  const options = combineSetups([{ seed }, conforms ? { ...setup, decisions: () => ({}) } : setup]);
  const { seed: own = seed, now = Date.now } = options;
  const state = createState(own, now());
  const { gateway, profileAt } = createReferenceGateway(options, {
    seed: own,
    state,
    counter: { requests: 0 },
  });
  const keys = createKeys(state, now, () => {});
  const accounts = createAccounts(state, () => {});
  const profile = profileAt(baseUrl);
  return {
    profile: { ...profile, setup: consoleSetup },
    key: profile.keys.valid,
    async handle({ method, path, headers, body }, connection) {
      const { wire, error } = await gateway.handle(requestOf({ method, path, headers, body }, connection));
      return describeWire(wire, error);
    },
    change({ action, values: { id = '', account = '' } }): Readonly<Record<string, string>> {
      if (action === 'createKey') {
        const created = keys.create();
        return { key: created.value, id: created.id, account: created.account };
      }
      if (action === 'deleteKey') keys.delete(id);
      else if (action === 'drain') accounts.drain(account);
      else accounts.topUp(account, 1_000_000);
      return {};
    },
  };
}

function describeWire(
  { status, reason, headers, after, framing, ending, chunks }: WireResponse,
  error: unknown,
): PlainResponse {
  const text = chunks.map((chunk) => [chunk.after, encodeText(encodeChunk(chunk))] as const);
  const threw = error instanceof Error ? { threw: error.message } : {};
  return { status, reason, headers, after, framing, ending, chunks: text, ...threw };
}

function encodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('utf8');
  return Buffer.from(text).equals(buffer) && !text.startsWith('base64:')
    ? text
    : `base64:${buffer.toString('base64')}`;
}

function decodeText(text: string): string | Uint8Array {
  return text.startsWith('base64:') ? Buffer.from(text.slice('base64:'.length), 'base64') : text;
}

/** Returns what the transport of the suite makes of a response; undefined stands for a request without a response. */
function readResponse(request: PlainRequest, response: PlainResponse | undefined): Result {
  if (!response) return { kind: 'failure', failure: { reason: 'other', detail: 'no response was frozen' } };
  if (response.ending === 'cut')
    return { kind: 'failure', failure: { reason: 'reset', detail: 'other side closed' } };
  const wire: WireResponse = {
    status: response.status,
    reason: response.reason,
    headers: response.headers,
    after: response.after,
    framing: response.framing === 'chunked' ? 'chunked' : 'length',
    ending: response.ending === 'unanswered' ? 'unanswered' : 'finish',
    chunks: response.chunks.map(([after, data]) => ({ after, data: decodeText(data) })),
  };
  return resultOf({ ...request, body: request.body }, wire);
}

/** A report as the project has it. */
export type PlainReport = Report;

/** Runs the suite, one request after another, and returns the report as JSON. */
export async function run(target: PlainTarget, options: PlainOptions = {}): Promise<Report> {
  const promise = createPromise(catalog, parseProfile(target.profile, catalog));
  const given = {
    ...options,
    fuzz: options.fuzz?.count,
    seed: options.fuzz?.seed,
    concurrency: 1,
    retryPolicy: defaultRetryPolicy,
    nameSeed: 'freeze',
  };
  const report = await runSuite(
    promise,
    {
      ...given,
      transport: {
        async send(request) {
          await waitTurns(1);
          return readResponse(request, await target.send(request));
        },
        close: async () => {},
      },
      async change(action, values) {
        // Longer than a request: the suite sends requests while a key is deleted.
        await waitTurns(5);
        const changed = target.change({ action, values: values ?? {} });
        const { key } = changed;
        return action === 'createKey' && key !== undefined ? { ...changed, key } : values;
      },
    },
    await prepare(promise, given),
  );
  return plain(report);
}

/** Returns the value as a program reads it from a JSON report. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** A request with its response, as a proxy would record them. */
export type PlainExchange = { readonly request: PlainRequest; readonly response: PlainResponse | undefined };

/** Checks frozen exchanges as recorded traffic, and returns the report. */
export function checkExchanges(exchanges: readonly PlainExchange[], profile: object | undefined): Report {
  const recorded = exchanges.map(
    ({ request, response }, index): RecordedExchange => ({
      id: `exchange ${index + 1}`,
      request: {
        method: request.method,
        url: baseUrl + request.path,
        headers: Object.entries(request.headers),
        body: request.body,
      },
      result: readResponse(request, response),
      startedAt: Date.now() + index,
      durationMs: 1,
      notes: undefined,
    }),
  );
  const checker = openChecker(profile ? parseProfile(profile, catalog) : unknownGateway());
  checker.startRecording();
  for (const one of recorded) checker.learn(one);
  checker.startRecording();
  for (const one of recorded) checker.judge(one);
  return plain(checker.report());
}

const unknownGateway = (): Profile => readProfile(undefined, { sendsNothing: true }, {}, catalog);
const openChecker = (profile: Profile) =>
  createTrafficChecker({ promise: createPromise(catalog, profile), tool: packageInfo, source: 'recording' });

const captures = join(packageRoot, 'tests', 'proof', 'captures');

/** The names of the recordings of real tools. */
export const recordings: readonly string[] = readdirSync(captures, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.har'))
  .map((file) => relative(captures, join(captures, file)))
  .sort();

/** Checks a recording of a real tool, and returns the report. */
export async function checkRecording(name: string): Promise<Report> {
  const checker = openChecker(unknownGateway());
  for (const take of [checker.learn, checker.judge]) {
    checker.startRecording();
    for await (const items of readRecording(createReadStream(join(captures, name)), name))
      for (const item of items) {
        if (item.kind === 'metadata') checker.setMetadata(item.name, item.value);
        if (item.kind === 'exchange') take(item.recorded);
        if (item.kind === 'invalid-entry' && take === checker.judge) checker.skip(item.problem, item.place);
      }
  }
  return plain(checker.report());
}

/** A planned case, with its requests as built. */
export type PlainCase = { readonly id: string; readonly value: object };

const profileFiles = join(packageRoot, 'fixtures', 'profiles');

function readProfileFile(file: string): Profile {
  const path = join(profileFiles, file);
  const names = [...readFileSync(path, 'utf8').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  const env = Object.fromEntries(names.map((name) => [name, `sk-${name.toLowerCase()}-0123456789`]));
  return readProfile(path, {}, env, catalog);
}

/** The profiles of the border `plan`, by name. */
export const profiles: Readonly<Record<string, () => Profile>> = {
  'reference-with-setup': () =>
    parseProfile(createProfile(seed, 'http://127.0.0.1:8787', { setup: consoleSetup }), catalog),
  reference: () => readProfileFile('reference.yaml'),
  'url-and-key': () =>
    readProfile(
      undefined,
      { baseUrl: 'https://gateway.example' },
      { GATEWAY_API_KEY: 'sk-only-0123456789abcdefABCDEF' },
      catalog,
    ),
  litellm: () => readProfileFile('litellm.yaml'),
  portkey: () => readProfileFile('portkey.yaml'),
};

/** Plans the cases for a profile, and builds their requests. */
export function planCases(profile: Profile, thorough: boolean): readonly PlainCase[] {
  const promise = createPromise(catalog, profile);
  const nameSource = createNameSource('freeze');
  const keys = deriveKeys(profile.keys, { nameSource, secrets: profile.secrets });
  const context = buildContext({ promise, keys, nameSource }, createControls());
  return plan(promise, { thorough }).cases.map((item) => ({
    id: item.id,
    value: plain({
      suite: item.suite,
      about: item.about,
      phase: item.phase,
      alone: item.alone,
      attributes: item.attributes,
      checks: item.checks.map(({ requirement, steps }) => [requirement.id, ...steps]),
      observes: item.observes,
      pool: item.pool,
      notApplicable: item.notApplicable,
      steps: item.steps.map(({ attributes, control, expects, before, generated }, index) => ({
        attributes,
        control,
        expects,
        before,
        ...attempt(() => buildRequest(attributes, context, { id: `${item.id}#${index + 1}`, generated })),
      })),
    }),
  }));
}

function attempt(build: () => object): object {
  try {
    return build();
  } catch (error) {
    return { cannotBeBuilt: error instanceof Error ? error.message : String(error) };
  }
}

/** Adds the parts to a report that a short run seldom has. */
export const addRarities = (report: Report): Report => plain(withRarities(report));

const style = (width: number, more: Partial<TextStyle> = {}): TextStyle => ({
  colour: false,
  verbose: false,
  width,
  ...more,
});
const styles: Readonly<Record<string, TextStyle>> = {
  ...Object.fromEntries([60, 100, 160].map((width) => [`${width}`, style(width)])),
  ...Object.fromEntries([60, 100, 160].map((width) => [`${width} verbose`, style(width, { verbose: true })])),
  'coloured verbose': style(100, { colour: true, verbose: true }),
  'strict, with files': style(100, { strictClient: true, files: [{ name: 'html', file: 'report.html' }] }),
};

/** A text of the view, and its name. */
export type PlainView = readonly [name: string, text: string];

/** Formats a report with every reporter. */
export async function* viewReport(report: Report): AsyncGenerator<PlainView> {
  // Older reports have no sections.
  const withSections = { ...report, spec: { ...report.spec, sections: catalog.sections } };
  for (const [name, load] of Object.entries(reporters)) {
    const format = await load();
    const shown = name === 'json' ? report : withSections;
    for (const [how, own] of Object.entries(name === 'terminal' ? styles : { '': style(100) }))
      yield [`${name} ${how}`.trim(), joinReportText(format(createView(shown), own))];
  }
  const codes = [false, true].map((strict) =>
    chooseExitCode(report, { strict, strictShould: strict, strictClient: strict }),
  );
  yield ['exit codes', codes.join(', ')];
}

/** Formats the changes between two reports, and their comparison as targets. */
export async function* viewReports(was: Report, is: Report): AsyncGenerator<PlainView> {
  const reports = [
    { target: 'first', report: was },
    { target: 'second', report: is },
  ];
  for (const kind of ['changes', 'targets'] as const) {
    const comparison = compareReports(reports, kind);
    for (const [name, load] of Object.entries(comparisonReporters)) {
      const format = await load();
      for (const [how, own] of Object.entries(name === 'terminal' ? styles : { '': style(100) }))
        yield [
          `${kind === 'changes' ? 'diff' : 'comparison'} ${name} ${how}`.trim(),
          format(comparison, own),
        ];
    }
  }
}
