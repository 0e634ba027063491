import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Exchange, WireRequest } from '../../../runner/exchange/exchange.ts';
import type { Profile } from '../../../runner/profile/profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import { joinCurlLines, remakeCurl } from '../../../runner/report/curl/curl-line.ts';
import { describeExchange } from '../../../runner/report/describe-exchange.ts';
import type { ExchangeReport } from '../../../runner/report/report.ts';
import { wrapCurl } from '../../../runner/reporters/terminal/page.ts';
import { createNameSource } from '../../../runner/request/keys.ts';
import { completeOptions } from '../../../runner/run/options.ts';
import { prepare } from '../../../runner/run/prepare.ts';
import { runRound } from '../../../runner/run/round.ts';
import { openSession } from '../../../runner/run/session.ts';
import { createChangeGateway } from '../../../runner/send/change-gateway.ts';
import { defaultLimits } from '../../../runner/send/deadline.ts';
import { openTransport, type Transport } from '../../../runner/send/http.ts';
import { type ReceivedRequest, type RecordingServer, startRecordingServer } from './recording-server.ts';

/**
 * A complete run against the reference gateway, over a server that records the bytes of each request. Shells then run
 * the curl lines of all exchanges against the same server, and each request must have the same bytes again.
 */
let reference: ReferenceServer;
let recorder: RecordingServer;
let profile: Profile;
let env: Readonly<Record<string, string>>;
/** The keys that the run invented, each with the invented key of a curl line. */
let invented: readonly (readonly [sent: string, shown: string])[];
/** The exchanges of the run, each as a report shows it. */
let exchanges: readonly {
  readonly exchange: Exchange;
  readonly curl: string;
  readonly shown: ExchangeReport;
}[];
/** The requests that the run sent, as they arrived: the last request of each exchange, and all, in their order. */
let sent: ReadonlyMap<WireRequest, ReceivedRequest>;
let sentInOrder: readonly { readonly of: WireRequest | undefined; readonly received: ReceivedRequest }[];

beforeAll(async () => {
  reference = await createReferenceServer({ console: true });
  recorder = await startRecordingServer(reference.url);
  const catalog = await catalogOfPackage();
  profile = parseProfile({ ...reference.profile, baseUrl: recorder.url }, catalog);
  env = {
    GATEWAY_API_KEY: profile.keys.valid,
    GATEWAY_DELETED_KEY: profile.keys.deleted ?? '',
    GATEWAY_DEPLETED_KEY: profile.keys.depleted ?? '',
    GATEWAY_FOREIGN_KEY: profile.keys.foreign ?? '',
  };
  const numbers = new Map<string, WireRequest>();
  const numbered = (transport: Transport, isSetup: boolean): Transport => ({
    ...transport,
    openConnection: () => numbered(transport.openConnection?.() ?? transport, isSetup),
    send(request, how) {
      const number = `${isSetup ? 'setup' : 'run'}-${numbers.size}`;
      numbers.set(number, request);
      return transport.send({ ...request, headers: { ...request.headers, 'x-number': number } }, how);
    },
  });
  const transport = openTransport(profile.baseUrl, { connections: 8, limits: defaultLimits });
  const options = completeOptions({
    transport: numbered(transport, false),
    change: createChangeGateway(profile, numbered(transport, true)),
    fuzz: 1_000,
    seed: 7,
    nameSeed: 'curl lines',
  });
  const promise = createPromise(catalog, profile);
  const selected = await prepare(promise, options);
  const all: Exchange[] = [];
  const { connection, keys, describing, close } = openSession(
    profile,
    options,
    selected.estimate,
    (exchange) => all.push(exchange),
  );
  const nameSource = createNameSource(options.nameSeed);
  invented = Object.entries(inventedKeys).map(([kind, shown]) => [keys.value(kind) ?? '', shown]);
  await runRound({ promise, connection, keys, selected, nameSource, isLast: true });
  await close();
  exchanges = all.map((exchange) => {
    const shown = describeExchange(exchange, describing);
    return { exchange, shown, curl: shown.curl };
  });
  const recorded = recorder.received.splice(0);
  sentInOrder = recorded.map((received) => ({
    of: received.number.startsWith('setup') ? undefined : numbers.get(received.number),
    received,
  }));
  sent = new Map(sentInOrder.flatMap(({ of, received }) => (of ? [[of, received] as const] : [])));
}, 120_000);

afterAll(async () => {
  await recorder.close();
  await reference.close();
});

test('the run sends every case, and the proof knows the bytes of every exchange', () => {
  expect(exchanges.length).toBeGreaterThan(3_000);
  expect(
    exchanges.filter(({ exchange }) => !sent.has(exchange.request)).map(({ exchange }) => exchange.id),
  ).toEqual([]);
});

test('a report that is read and written again, as by `merge`, has the same lines', () => {
  const read = exchanges.map(({ shown }): ExchangeReport => JSON.parse(JSON.stringify(shown)));
  expect(read.map((exchange) => remakeCurl(exchange, {}).curl)).toEqual(exchanges.map(({ curl }) => curl));
});

/** The forms in which reports show the lines. */
const forms = [
  { shell: 'dash', form: 'as they are', show: (curl: string) => curl },
  { shell: 'bash', form: 'in one line', show: joinCurlLines },
];

test.each(forms)(
  'in $shell, the lines of a case with a created key, $form, repeat the whole case',
  async ({ shell, show }) => {
    const cases = new Map<string, string>();
    for (const { exchange, curl } of exchanges) if (exchange.before) cases.set(caseOf(exchange), curl);
    expect(cases.size).toBeGreaterThan(30);
    recorder.received.length = 0;
    await runScript(
      shell,
      [
        'curl() { command curl -H "x-number: $number" "$@"; }',
        ...[...cases.values()].map((curl, index) => `number=${index}\n${show(curl)}`),
        'wait',
      ].join('\n'),
    );
    const wrong = [...cases.keys()].flatMap((id, index) => {
      const expected = differentRequests(requestsOfCase(id));
      const got = recorder.received.filter(({ number }) => number === String(index));
      const actual = differentRequests(got);
      return JSON.stringify(actual) === JSON.stringify(expected) ? [] : [{ id, expected, actual }];
    });
    expect(wrong).toEqual([]);
  },
  120_000,
);

test('each other curl line sends what the run sent', async () => {
  recorder.answerAll();
  recorder.received.length = 0;
  const lines = otherLines();
  const commands = (await readCommands('dash', lines)).map(({ args, input }, index) => ({
    args: ['-H', `x-number: ${index}`, ...args],
    line: `curl() { command curl -H 'x-number: ${index}' "$@"; }\n${lines[index]}`,
    // Node.js passes only UTF-8, and one process has one input.
    isPlain: input === '' && args.every((arg) => /^[\x20-\x7e]*$/.test(arg)),
  }));
  const plain = commands.filter(({ isPlain }) => isPlain);
  for (let start = 0; start < plain.length; start += 50)
    await runProgram(
      'curl',
      plain.slice(start, start + 50).flatMap(({ args }, index) => (index === 0 ? args : ['--next', ...args])),
    );
  await runScript('dash', commands.flatMap(({ isPlain, line }) => (isPlain ? [] : [line])).join('\n'));
  expect(recorder.received.length).toBe(lines.length);
  const got = new Map(recorder.received.map((request) => [request.number, request]));
  const indexes = new Map(lines.map((line, index) => [line, String(index)]));
  const wrong = exchanges.flatMap(({ exchange, curl }) => {
    if (exchange.before) return [];
    const [expected, actual] = [sent.get(exchange.request), got.get(indexes.get(curl) ?? '')];
    const difference = expected && actual ? compare(withInventedKeys(expected), actual) : 'no request';
    return difference === '' ? [] : [{ id: exchange.id, difference, curl: curl.slice(0, 1_000) }];
  });
  expect(wrong).toEqual([]);
}, 120_000);

test.each([
  ['bash', (line: string) => line],
  ['bash', (line: string) => wrapCurl({ width: 80 }, '    ', line).join('\n')],
  ['dash', (line: string) => wrapCurl({ width: 80 }, '    ', line).join('\n')],
])(
  '%s passes the same to curl as dash, also from the lines of a narrow terminal',
  async (shell, show) => {
    const lines = otherLines();
    const [expected, actual] = [
      await readCommands('dash', lines),
      await readCommands(shell, lines.map(show)),
    ];
    // A comparison of the commands themselves would print keys.
    expect(
      lines.filter((_, index) => JSON.stringify(actual[index]) !== JSON.stringify(expected[index])),
    ).toEqual([]);
  },
  60_000,
);

/** Returns the different curl lines of the exchanges that depend on nothing before them. */
function otherLines(): string[] {
  return [...new Set(exchanges.flatMap(({ exchange, curl }) => (exchange.before ? [] : [curl])))];
}

/** Returns the arguments and the input that curl gets when a shell runs lines with one curl each, as Latin-1 texts. */
async function readCommands(
  shell: string,
  lines: readonly string[],
): Promise<{ readonly args: readonly string[]; readonly input: string }[]> {
  // Each argument ends with two signs that no line contains, and each command with three.
  const dump = `curl() { for arg; do printf '%s\\001\\002' "$arg"; done; case "$*" in *' @-') cat;; esac; printf '\\001\\002\\003'; } >&3`;
  const { written } = await runScript(shell, [dump, ...lines].join('\n'));
  return written
    .split('\x01\x02\x03')
    .slice(0, -1)
    .map((text) => {
      const parts = text.split('\x01\x02');
      return { args: parts.slice(0, -1), input: parts.at(-1) ?? '' };
    });
}

/** Runs a script with the keys in the environment. */
async function runScript(shell: string, script: string): Promise<{ readonly written: string }> {
  const file = join(mkdtempSync(join(tmpdir(), 'curl-lines-')), 'script');
  writeFileSync(file, script);
  return runProgram(shell, [file]);
}

/**
 * Runs a program that must print no error, with the keys in the environment. Returns the bytes that it writes to the file
 * descriptor 3, as Latin-1 text: what it prints may contain no key.
 */
async function runProgram(program: string, args: readonly string[]): Promise<{ readonly written: string }> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [pieces, errors]: [Buffer[], Buffer[]] = [[], []];
  child.stderr?.on('data', (piece: Buffer) => void errors.push(piece));
  child.stdio[3]?.on('data', (piece: Buffer) => void pieces.push(piece));
  await once(child, 'close');
  expect(Buffer.concat(errors).toString()).toBe('');
  return { written: Buffer.concat(pieces).toString('latin1') };
}

function caseOf({ id }: Exchange): string {
  return id.replace(/#\d+$/, '');
}

/** The invented keys of curl lines, by kind. A report doesn't contain those that the run invented. */
const inventedKeys = {
  unknown: `sk-${'0'.repeat(40)}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'0'.repeat(43)}`,
  'other-vendor': `sk-ant-api03-${'0'.repeat(93)}-AA`,
  long: `sk-${'0'.repeat(197)}`,
};

/** Returns a request of the run with the invented keys of curl lines. */
function withInventedKeys(request: ReceivedRequest): ReceivedRequest {
  const replace = (text: string): string =>
    invented.reduce((done, [own, shown]) => done.replaceAll(own, shown), text);
  return {
    ...request,
    target: replace(request.target),
    headers: request.headers.map(([name, value]) => [name, replace(value)] as const),
    body: Buffer.from(replace(request.body.toString('latin1')), 'latin1'),
  };
}

/** Headers that curl lines omit, or that belong to a connection. The bytes of a body show its length. */
const ignored = ['host', 'connection', 'user-agent'];

function headersOf({ headers }: ReceivedRequest): string[] {
  return headers
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .filter((line) => !ignored.some((name) => line.startsWith(`${name}: `)))
    .sort();
}

/** Describes the difference between two requests, without keys; empty for none. */
function compare(expected: ReceivedRequest, actual: ReceivedRequest): string {
  if (expected.method !== actual.method) return `method ${actual.method} instead of ${expected.method}`;
  if (expected.target !== actual.target) return 'another target';
  if (!expected.body.equals(actual.body))
    return `a body of ${actual.body.length} bytes instead of ${expected.body.length}`;
  const [own, other] = [headersOf(expected), headersOf(actual)];
  const namesOf = (lines: readonly string[]): string => lines.map((line) => line.replace(/:.*/s, '')).join();
  const missing = own.filter((line) => !other.includes(line));
  const added = other.filter((line) => !own.includes(line));
  return missing.length + added.length === 0
    ? ''
    : `headers: ${namesOf(missing)} instead of ${namesOf(added)}`;
}

/** Returns the requests that the run sent in a case up to its last response, with those of `setup`. */
function requestsOfCase(id: string): ReceivedRequest[] {
  const own = new Set(
    exchanges.flatMap(({ exchange }) => (caseOf(exchange) === id ? [exchange.request] : [])),
  );
  const last = sentInOrder.findLastIndex(({ of }) => of && own.has(of));
  const firstOwn = sentInOrder.findIndex(({ of }) => of && own.has(of));
  const created = sentInOrder.findLastIndex(
    ({ of, received }, index) => !of && index < firstOwn && received.target === '/console/api/keys',
  );
  return sentInOrder
    .slice(created, last + 1)
    .flatMap(({ of, received }) => (!of || own.has(of) ? [received] : []));
}

/**
 * Returns the requests as texts, without those that equal the request before them: a run sends some requests until a
 * change takes effect. Numbers replace created keys and their IDs.
 */
function differentRequests(requests: readonly ReceivedRequest[]): string[] {
  const names = new Map<string, string>();
  const name = (text: string): string => {
    names.set(text, names.get(text) ?? `CREATED-${names.size + 1}`);
    return names.get(text) ?? '';
  };
  const known = Object.values(env);
  const texts = requests.map(({ method, target, body, ...rest }) =>
    JSON.stringify([
      method,
      target.replace(/(?<=\/keys\/)[^/]+/, name),
      headersOf({ method, target, body, ...rest }).map((line) =>
        line.replace(/sk-[\w-]+/, (key) => (known.includes(key) ? `KEY-${known.indexOf(key)}` : name(key))),
      ),
      body.toString('latin1'),
    ]),
  );
  return texts.filter((text, index) => text !== texts[index - 1]);
}
