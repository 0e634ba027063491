// Writes what the installed command of a checkout prints, and what it sends and receives over the network:
//   network.js ROOT FILE
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [root = '', file = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'conformance-freeze-network-'));
const bin = join(root, 'bin', 'conformance.js');
const profile = join(root, 'fixtures', 'profiles', 'reference.yaml');
const valid = 'sk-Reference-Valid-0123456789abcdefghijKLMNOP';
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  TZ: 'UTC',
  COLUMNS: '100',
  NO_COLOR: '1',
  GATEWAY_API_KEY: valid,
};

/** @type {{ readonly key: string, readonly value: unknown }[]} */
const units = [];
const commands = ['run', 'init', 'clients', 'check', 'proxy', 'diff', 'merge', 'serve', 'list', 'explain'];
const lists = ['requirements', 'clauses', 'cases', 'coverage', 'suites', 'operations', 'faults', 'variants'];
const explained = ['auth/bad-bearer-token', '5 rule 2', 'models/listed', 'no-such-id'];
const recordings = ['mitmproxy/openai.har', 'mitmproxy/anthropic-no-balance-400.har', 'devtools/page.har'];
/** The gateways over the network: faults and variants whose effect doesn't depend on the order of requests. */
const gateways = [
  [],
  ['--fault', 'error-body/called-text'],
  ['--fault', 'closed-connection/malformed-body'],
  ['--fault', 'stream/errors-told-inside'],
  ['--variant', 'wire/compressed-stream'],
];

try {
  for (const name of ['', ...commands])
    for (const flag of ['--help', ...(name === '' ? [] : ['--help-all'])])
      await addCommand('help', name === '' ? [flag] : [name, flag]);
  for (const name of lists) await addCommand('list', ['list', name]);
  for (const id of explained) await addCommand('explain', ['explain', id]);
  for (const name of recordings)
    await addCommand('check', ['check', join(root, 'tests', 'proof', 'captures', name)]);
  await addCommand('plan', ['run', '--dry-run', '--profile', profile]);
  await addCommand('mistake', ['run', '--no-such-flag']);
  await addCommand('mistake', ['run', '--base-url', 'http://127.0.0.1:1', '--only', 'no-such-case']);
  for (const flags of gateways) await addGateway(flags);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(file, gzipSync(units.map((unit) => `${JSON.stringify(unit)}\n`).join('')));

/** @param {string} kind @param {readonly string[]} words */
async function addCommand(kind, words) {
  units.push({ key: `${kind} | ${mask(words.join(' '))}`, value: await start(words) });
}

/** @param {readonly string[]} flags */
async function addGateway(flags) {
  const name = flags.join(' ') || 'conforming';
  // The log is not read, and a full pipe would keep the server from ending.
  const stdio = /** @type {['ignore', 'pipe', 'ignore']} */ (['ignore', 'pipe', 'ignore']);
  const server = spawn(process.execPath, [bin, 'serve', '--port', '0', ...flags], {
    cwd: folder,
    env,
    stdio,
  });
  let printed = '';
  try {
    server.stdout.on('data', (piece) => {
      printed += String(piece);
    });
    while (!printed.includes('Press Ctrl+C')) await new Promise((resolve) => setTimeout(resolve, 20));
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    const json = join(folder, 'report.json');
    const ran = await start(['run', '--profile', profile, '--base-url', url, '--reporter', `json=${json}`]);
    const report = JSON.parse(readFileSync(json, 'utf8'));
    units.push(
      { key: `serve | ${name} | start`, value: mask(printed) },
      { key: `serve | ${name} | connection`, value: mask(await sendRaw(url)) },
      { key: `run | ${name} | exit code`, value: ran.code },
      { key: `run | ${name} | summary`, value: { verdict: report.verdict, ...report.summary } },
      { key: `run | ${name} | members`, value: [Object.keys(report), Object.keys(report.cases[0])] },
    );
    for (const { id, outcome, checks } of report.cases) {
      const own = checks.map((/** @type {Record<string, unknown>} */ check) => [
        check.requirement,
        check.outcome,
      ]);
      units.push({ key: `run | ${name} | ${id}`, value: [outcome, ...own] });
    }
  } finally {
    server.kill();
  }
}

/**
 * Runs the command, and returns its exit code and its output.
 * @param {readonly string[]} words
 * @returns {Promise<{ readonly code: number | null, readonly stdout: string, readonly stderr: string }>}
 */
function start(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...words], { cwd: folder, env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (piece) => {
      stdout += String(piece);
    });
    child.stderr.on('data', (piece) => {
      stderr += String(piece);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: mask(stdout), stderr: mask(stderr) }));
  });
}

/**
 * Sends requests in one piece over one connection, and returns the bytes of the responses as Latin-1.
 * @param {string} url
 * @returns {Promise<string>}
 */
function sendRaw(url) {
  const body = '{"model":"gpt-reference","messages":[{"role":"user","content":"Hi"}]}';
  const streamed = body.replace('{', '{"stream":true,');
  const key = `authorization: Bearer ${valid}\r\n`;
  const post = (/** @type {string} */ own, more = '') =>
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${more}content-length: ${own.length}\r\n\r\n${own}`;
  const requests = [
    post(body, key),
    post(body, `${key}accept-encoding: gzip, br\r\n`),
    post(body),
    post('{', key),
    post(streamed, key),
    `HEAD /v1/models HTTP/1.1\r\nhost: x\r\n${key}\r\n`,
    `GET /v1/models HTTP/1.1\r\nhost: x\r\nx-api-key: wrong\r\n\r\n`,
    `GET /nope HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  ];
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(requests.join('')));
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece) => {
      received += piece;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

/** Replaces what differs between two starts. @param {string} text */
function mask(text) {
  return text
    .replaceAll(root, '<root>')
    .replaceAll(folder, '<folder>')
    .replace(/127\.0\.0\.1:\d{2,5}/g, '127.0.0.1:<port>')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, '<date>')
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"(created|created_at|expires_at)": ?1\d{9}/g, '"$1":<time>')
    .replace(/\b\d+(\.\d+)? m?s\b/g, '<duration>');
}
