import { spawn } from 'node:child_process';

/**
 * What a whole process took, from before it was started until it had ended.
 * @typedef {{ ms: number, cpuMs: number, peakMb: number, code: number | null, stdout: string }} Took
 */

const root = new URL('../..', import.meta.url);
const noteUsage = new URL('../processes/note-usage.js', import.meta.url).href;

/** The path of a file of this repository. @param {string} path */
export const inRepository = (path) => new URL(path, root).pathname;

/** The command of this repository. */
export const conformance = inRepository('bin/conformance.js');

/** The script of a process of the benchmarks. @param {string} name */
export const processFile = (name) => inRepository(`benchmark/processes/${name}.js`);

/** Makes no colour, no summary and nothing else of where the benchmark runs. */
const environment = () => {
  const { NODE_OPTIONS, GITHUB_STEP_SUMMARY, FORCE_COLOR, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1' };
};

/**
 * Runs Node to its end; throws where it ends with another code than those. What it writes to stderr is shown then.
 * @param {readonly string[]} args
 * @param {{ cwd?: string, codes?: readonly number[], env?: Record<string, string>, bare?: boolean, keepStdout?: boolean, input?: import('node:stream').Readable }} [how]
 * `bare`: with nothing loaded before it, so that only its time is known
 * @returns {Promise<Took>}
 */
export async function runNode(args, how = {}) {
  const { codes = [0], bare = false } = how;
  const before = bare ? [] : ['--import', noteUsage];
  const from = performance.now();
  const child = spawn(process.execPath, [...before, ...args], {
    cwd: how.cwd ?? inRepository('.'),
    env: { ...environment(), ...how.env },
    stdio: [how.input ? 'pipe' : 'ignore', how.keepStdout ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  if (how.input && child.stdin) {
    child.stdin.on('error', () => {});
    how.input.pipe(child.stdin);
  }
  const texts = [1, 2, 3].map((descriptor) => textOf(child.stdio[descriptor]));
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  const ms = performance.now() - from;
  const [stdout = '', stderr = '', usage = ''] = await Promise.all(texts);
  if (code === null || !codes.includes(code)) {
    throw new Error(`${args.join(' ')} ended with ${code}:\n${stderr.slice(-2000)}`);
  }
  const { cpuMs, peakBytes } = usage ? JSON.parse(usage) : { cpuMs: Number.NaN, peakBytes: Number.NaN };
  return { ms, cpuMs, peakMb: peakBytes / 1024 / 1024, code, stdout };
}

/** @param {unknown} stream @returns {Promise<string>} */
async function textOf(stream) {
  const parts = [];
  for await (const part of /** @type {AsyncIterable<Buffer>} */ (stream ?? [])) parts.push(part);
  return Buffer.concat(parts).toString();
}

/**
 * Milliseconds from before a command was started until a server in its own process got the first request; it is ended then.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export async function msToFirstRequest(args) {
  const from = process.hrtime.bigint();
  const child = spawn(process.execPath, ['--import', processFile('note-first-request'), ...args], {
    cwd: inRepository('.'),
    env: environment(),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const at = await textOf(child.stdio[3]);
  return Number(BigInt(at) - from) / 1e6;
}
