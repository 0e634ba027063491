import { spawn } from 'node:child_process';

/**
 * The time, CPU time and peak memory of a whole process, from before its start to its end.
 * @typedef {{ ms: number, cpuMs: number, peakMb: number, code: number | null, stdout: string }} Usage
 */

const root = new URL('../..', import.meta.url);
const noteUsage = new URL('../processes/note-usage.js', import.meta.url).href;

/** Returns the path of a file of this repository. @param {string} path */
export const inRepository = (path) => new URL(path, root).pathname;

/** The path of the script of the command in this repository. */
export const conformanceScript = inRepository('bin/conformance.js');

/** Returns the path of a script in `processes/`. @param {string} name */
export const processFile = (name) => inRepository(`benchmark/processes/${name}.js`);

/**
 * Returns the environment with `NO_COLOR`, and without the variables for colours, job summaries and options of Node.js,
 * because these variables change the output.
 */
const environment = () => {
  const { NODE_OPTIONS, GITHUB_STEP_SUMMARY, FORCE_COLOR, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1' };
};

/**
 * Runs Node.js until the process exits. Rejects with the end of stderr if the exit code is not expected.
 * @param {readonly string[]} args
 * @param {{ node?: string, cwd?: string, codes?: readonly number[], env?: Record<string, string>, bare?: boolean,
 * keepStdout?: boolean, input?: import('node:stream').Readable }} [how] `node`: the path of the binary (default: the
 * current binary); `cwd`: the working folder (default: this repository); `codes`: the expected exit codes (default:
 * 0); `env`: additional variables; `bare`: load no module that measures memory and CPU time, so that `cpuMs` and
 * `peakMb` are NaN; `keepStdout`: return stdout (default: an empty text); `input`: the standard input (default: none)
 * @returns {Promise<Usage>}
 */
export async function runNode(args, how = {}) {
  const { codes = [0], bare = false } = how;
  const before = bare ? [] : ['--import', noteUsage];
  const from = performance.now();
  const child = spawn(how.node ?? process.execPath, [...before, ...args], {
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
    throw new Error(`${args.join(' ')} exited with ${code}:\n${stderr.slice(-2000)}`);
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
 * Measures the milliseconds from before the start of a command until a server in its process receives the first
 * request. The process then exits.
 * @param {readonly string[]} args
 * @param {string} node the path of the binary
 * @returns {Promise<number>}
 */
export async function msToFirstRequest(args, node) {
  const from = process.hrtime.bigint();
  const child = spawn(node, ['--import', processFile('note-first-request'), ...args], {
    cwd: inRepository('.'),
    env: environment(),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const at = await textOf(child.stdio[3]);
  return Number(BigInt(at) - from) / 1e6;
}
