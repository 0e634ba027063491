// Tests the proof of the faults with mutants of the code that decides verdicts: which of them make it complain? Each
// gateway of the proof runs once, and its exchanges are judged with all mutants that no earlier gateway has killed.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../../..');
const out = join(root, 'node_modules', '.cache', 'mutated-judge');
const [count = '150', only = '.'] = process.argv.slice(2);

/** The code that decides the verdicts of one round. */
const files = [
  ...readdirSync(join(root, 'runner/judge')).map((name) => `runner/judge/${name}`),
  ...readdirSync(join(root, 'runner/evidence')).map((name) => `runner/evidence/${name}`),
  'runner/catalog/condition.ts',
  'runner/catalog/several-faults.ts',
  'runner/catalog/status-set.ts',
  'runner/exchange/exchange.ts',
].filter((name) => name.endsWith('.ts') && !/\.test\.ts$/.test(name) && !isOfOtherSources(name));

/**
 * Whether a file only judges other sources than one round: several rounds, traffic, SDKs.
 * @param {string} name
 */
function isOfOtherSources(name) {
  return /\/judge\/(merge-rounds|judge|applicable|case-identity|case-results|violations)\.ts$/.test(name);
}

/** @param {string} text */
const log = (text) => process.stdout.write(`${text}\n`);

// The instrumenter is part of Stryker.
const stryker = createRequire(createRequire(import.meta.url).resolve('@stryker-mutator/core'));
const { Instrumenter } = await import(pathToFileURL(stryker.resolve('@stryker-mutator/instrumenter')).href);
const silent = { debug() {}, info() {}, isDebugEnabled: () => false };
const instrumented = await new Instrumenter(silent).instrument(
  files.map((name) => ({
    name: join(root, name),
    mutate: true,
    content: readFileSync(join(root, name), 'utf8'),
  })),
  { plugins: null, excludedMutations: [], ignorers: [] },
);
const contents = new Map(
  instrumented.files.map((/** @type {{ name: string, content: string }} */ { name, content }) => [
    name,
    content,
  ]),
);

const bundle = await rolldown({
  input: join(here, 'judge-mutants.ts'),
  platform: 'node',
  external: (id) => /^[@a-z]/.test(id),
  plugins: [
    {
      name: 'mutants',
      load(id) {
        const code = contents.get(id);
        return code === undefined ? null : { code, moduleType: 'ts' };
      },
    },
  ],
});
await bundle.write({ dir: out, entryFileNames: 'judge-mutants.js' });

/** What the mutated code reads and writes. */
const shared = {
  /** @type {string | undefined} */ activeMutant: undefined,
  hitCount: 0,
  hitLimit: 1_000_000,
  /** @type {{ static: Record<string, number>, perTest: Record<string, Record<string, number>> }} */
  mutantCoverage: { static: {}, perTest: {} },
  /** @type {string | undefined} */ currentTestId: undefined,
};
Object.assign(globalThis, { __stryker__: shared });
const { subjects, findKilled } = await import(pathToFileURL(join(out, 'judge-mutants.js')).href);
rmSync(out, { recursive: true });

/** @typedef {{ id: string, fileName: string, replacement: string, mutatorName: string, location: { start: { line: number, column: number } } }} Mutant */

/** @param {Mutant} mutant */
const nameOf = ({ fileName, location: { start }, replacement }) =>
  `${relative(root, fileName)}:${start.line + 1}:${start.column + 1} ${replacement.replace(/\s+/g, ' ')}`;

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text).digest('hex');

// A mutant of code that runs only while the module is loaded can't be switched on.
/** @type {Mutant[]} */
const all = instrumented.mutants.filter(
  (/** @type {Mutant} */ { id }) => !(id in shared.mutantCoverage.static),
);
const sample = all
  .map((mutant) => ({ mutant, order: digest(nameOf(mutant)) }))
  .sort((a, b) => (a.order < b.order ? -1 : 1))
  .slice(0, Number(count))
  .map(({ mutant }) => mutant);
log(`${sample.length} of ${all.length} mutants`);

const alive = new Map(sample.map((mutant) => [mutant.id, nameOf(mutant)]));
const started = performance.now();
// Neighbours kill the same mutants, so the order depends only on the names; a variant takes longest.
/** @param {{ id: string, cases: string }} subject */
const orderOf = ({ id, cases }) => (cases === 'all' ? 1 : 0) + digest(id);
const chosen = subjects
  .filter((/** @type {{ id: string }} */ { id }) => new RegExp(only).test(id))
  .sort((/** @type {never} */ a, /** @type {never} */ b) => (orderOf(a) < orderOf(b) ? -1 : 1));
for (const [index, subject] of chosen.entries()) {
  const killed = await findKilled(subject, [...alive.keys()], shared);
  if (killed === undefined) log(`${subject.id} is complained about without a mutant`);
  for (const id of killed ?? []) {
    log(`killed by ${subject.id}: ${alive.get(id)}`);
    alive.delete(id);
  }
  if (index % 20 === 19)
    log(
      `${index + 1} gateways, ${alive.size} mutants alive, ${Math.round((performance.now() - started) / 1000)} s`,
    );
}
log(`${alive.size} of ${sample.length} mutants survived:`);
for (const name of [...alive.values()].sort()) log(`  ${name}`);
