// Compares an old commit with the working tree at frozen borders. See README.md.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  compareUnits,
  firstDifference,
  readIntended,
  readUnits,
  renameInputs,
  tallyMoved,
} from './compare.js';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const cache = join(tmpdir(), 'conformance-freeze');
/** The borders, and the number of parts into which the work of each is divided. */
const parts = { plan: 1, server: 2, judge: 2, view: 2, network: 1 };
const inputParts = 2;
const shownUnits = 40;
const shownResponses = 40;

/** @param {string} text */
const log = (text) => process.stdout.write(`${text}\n`);
/** @param {string} message */
const refuse = (message) => {
  log(message);
  process.exit(2);
};

const [revision = '', ...asked] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
/** The borders whose units belong to setups. */
const ofSetups = ['server', 'judge'];
/** Only the setups whose names contain one of these texts, at these borders. */
const only = flags.find((flag) => flag.startsWith('--only='))?.slice('--only='.length);
const names = Object.keys(parts);
if (flags.includes('--clean')) {
  removeTree(cache);
  process.exit();
}
if (revision === '' || asked.some((name) => !names.includes(name)))
  refuse(
    `Usage: npm run freeze -- REVISION [${names.join('] [')}] [--fresh] [--only=TEXT,TEXT]\n       npm run freeze -- --clean`,
  );
const borders = asked.length > 0 ? names.filter((name) => asked.includes(name)) : names;
const commit = execFileSync('git', ['rev-parse', '--verify', `${revision}^{commit}`], {
  cwd: root,
  encoding: 'utf8',
}).trim();

/**
 * A checkout with its probe, and the folder for its output.
 * @typedef {{ readonly root: string, readonly out: string }} Side
 */

const kept = join(cache, commit);
if (flags.includes('--fresh')) removeTree(kept);
/** @type {Side} */
const old = { root: join(kept, 'tree'), out: kept };
mkdirSync(kept, { recursive: true });
/** @type {Side} */
const now = { root, out: mkdtempSync(join(cache, 'now-')) };
process.on('exit', () => rmSync(now.out, { recursive: true, force: true }));

const start = performance.now();
await Promise.all([prepareOld(), prepareNow()]);
log(`built in ${seconds(start)}`);

const inputs = join(kept, 'inputs');
const intended = readIntended(join(here, 'intended.json'));
const needsInputs = borders.some((name) => name === 'server' || name === 'judge' || name === 'view');
if (needsInputs && !existsSync(inputs)) {
  const started = performance.now();
  const writing = mkdtempSync(join(kept, 'writing-'));
  await inPool(
    numbers(inputParts).map((number) => () => probe(old, ['inputs', `${number}/${inputParts}`, writing])),
  );
  renameSync(writing, inputs);
  log(`recorded the inputs in ${seconds(started)}`);
}
const inputsNow = needsInputs ? renameInputs(inputs, join(now.out, 'inputs'), intended) : inputs;

/** @type {Record<string, number>} */
const spent = {};
await inPool(
  borders.flatMap((border) => [...jobsOf(border, old, inputs), ...jobsOf(border, now, inputsNow)]),
);

let failed = false;
for (const border of borders) await report(border);
log(`${failed ? 'Not equal' : 'Equal'}, in ${seconds(start)}. Old: ${commit.slice(0, 10)}.`);
process.exitCode = failed ? 1 : 0;

/** Checks out the old commit and builds it, unless an earlier comparison did. */
async function prepareOld() {
  const done = join(kept, 'built');
  if (existsSync(done)) return;
  removeTree(old.root);
  await run('git', ['worktree', 'add', '--detach', '--force', old.root, commit], { cwd: root });
  if (!existsSync(join(old.root, 'tests', 'freeze', 'probe.ts')))
    refuse(`${revision} has no tests/freeze/, so it has no probe.`);
  symlinkSync(join(root, 'node_modules'), join(old.root, 'node_modules'));
  await build(old.root, true);
  writeFileSync(done, '');
}

async function prepareNow() {
  await build(root, borders.includes('network'));
}

/** @param {string} folder @param {boolean} whole */
async function build(folder, whole) {
  if (whole) await run('npm', ['run', 'build'], { cwd: folder });
  rmSync(join(folder, '.freeze'), { recursive: true, force: true });
  const compiler = join(folder, 'node_modules', '.bin', 'tsc');
  await run(compiler, ['-p', join('tests', 'freeze', 'tsconfig.json')], { cwd: folder }).catch((error) =>
    refuse(`The probe of ${folder} cannot be compiled:\n${error.stdout}`),
  );
  const { writeBrowserModules } = await import(join(folder, 'build.js'));
  await writeBrowserModules?.('.freeze');
}

/** @param {string} border @param {Side} side @param {string} from */
function jobsOf(border, side, from) {
  const of = parts[/** @type {keyof typeof parts} */ (border)];
  return numbers(of).flatMap((number) => {
    const file = fileOf(side, border, number);
    if (existsSync(file)) return [];
    return [
      async () => {
        const started = performance.now();
        if (border === 'network')
          await run(process.execPath, [join(here, 'network.js'), side.root, `${file}~`]);
        else await probe(side, [border, `${number}/${of}`, from, `${file}~`]);
        renameSync(`${file}~`, file);
        spent[border] = (spent[border] ?? 0) + performance.now() - started;
      },
    ];
  });
}

/** @param {Side} side @param {string} border @param {number} number */
function fileOf(side, border, number) {
  return join(side.out, `${border}-${number}.jsonl.gz`);
}

/** @param {Side} side @param {readonly string[]} words */
async function probe(side, words) {
  const file = join(side.root, '.freeze', 'tests', 'freeze', 'probe.js');
  const { stdout } = await run(process.execPath, ['--max-old-space-size=3000', file, ...words], {
    cwd: side.root,
    maxBuffer: 1 << 28,
    env: {
      PATH: process.env.PATH,
      HOME: side.out,
      TZ: 'UTC',
      ...(only && side === now && { FREEZE_ONLY: only }),
    },
  });
  return stdout;
}

/** @param {string} border */
async function report(border) {
  const of = parts[/** @type {keyof typeof parts} */ (border)];
  /** @param {Side} side */
  const read = (side) => readUnits(numbers(of).map((number) => fileOf(side, border, number)));
  const isAsked = (/** @type {string} */ key) => only?.split(',').some((text) => key.includes(text)) ?? true;
  const [was, is] = [read(old), read(now)].map(
    (units) => new Map([...units].filter(([key]) => !ofSetups.includes(border) || isAsked(key))),
  );
  if (!was || !is) return;
  const { differing: different, accepted, ...others } = compareUnits(border, was, is, intended);
  const setupOf = (/** @type {string} */ key) => key.split(' | ')[0] ?? '';
  const setups = new Set([...is.keys()].map(setupOf));
  /** @param {{ key: string }} unit */
  const isGone = ({ key }) => ofSetups.includes(border) && !setups.has(setupOf(key));
  const differing = different.filter((unit) => !isGone(unit));
  const gone = new Set(different.filter(isGone).map(({ key }) => setupOf(key)));
  const unused = others.unused.filter(({ unit }) => border !== 'server' || isAsked(unit));
  const isEqual = differing.length === 0 && unused.length === 0;
  failed ||= !isEqual;
  const named = accepted.length > 0 ? `, ${accepted.length} differ as intended` : '';
  const time = spent[border] === undefined ? '' : ` (${Math.round((spent[border] ?? 0) / 1000)} s of work)`;
  log(`${border}: ${is.size} units, ${isEqual ? 'equal' : `${differing.length} differ`}${named}${time}`);
  if (gone.size > 0) log(`  ${gone.size} setups are only in the old commit: ${[...gone].join(', ')}`);
  if (border === 'server') reportMoved(is);
  for (const [index, { key, place, was: before, is: after }] of differing.slice(0, shownUnits).entries()) {
    log(`  ${key}\n    ${place}\n    was ${before}\n    is  ${after}`);
    if (border === 'server' && index < shownResponses && place.startsWith('at '))
      log(await explain(key, place.slice('at '.length)));
  }
  if (differing.length > shownUnits) {
    const groups = new Map();
    for (const { key } of differing) {
      const [group] = key.split(' | ');
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
    log(`  … in all: ${[...groups].map(([group, count]) => `${group} (${count})`).join(', ')}`);
  }
  for (const { why, unit } of unused) log(`  This intended difference does not occur: ${unit} (${why})`);
}

/** @param {ReadonlyMap<string, unknown>} units */
function reportMoved(units) {
  const { moved, still } = tallyMoved(units);
  log(
    `  ${moved} of ${moved + still.length} setups move a response. The others: ${still.join(', ') || 'none'}`,
  );
}

/** @param {string} key @param {string} label */
async function explain(key, label) {
  const [before, after] = await Promise.all([
    probe(old, ['explain', inputs, key, label]),
    probe(now, ['explain', inputsNow, key, label]),
  ]);
  const place = firstDifference(before, after);
  const request = before.split('\n\n')[0] ?? '';
  return `    ${request.replaceAll('\n', '\n    ')}\n    response ${place?.place}\n    was ${place?.was}\n    is  ${place?.is}`;
}

/** @param {string} folder */
function removeTree(folder) {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('git', ['worktree', 'prune'], { cwd: root });
}

/** @param {readonly (() => Promise<unknown>)[]} jobs */
async function inPool(jobs) {
  const left = [...jobs];
  const work = async () => {
    for (let job = left.shift(); job; job = left.shift()) await job();
  };
  await Promise.all(numbers(availableParallelism()).map(work));
}

/** @param {number} count */
function numbers(count) {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** @param {number} started */
function seconds(started) {
  return `${Math.round((performance.now() - started) / 1000)} s`;
}
