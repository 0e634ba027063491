// `npm run build` runs this script after tsc. The script writes the parsed data files to `dist/catalog.json` and the
// compiled validators to `dist/checks/`, so that the command starts faster. The script also writes the command,
// bundled with most of the packages that the command imports, to `dist/command/`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { prebuild } from './dist/runner/catalog/prebuild.js';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const [path, text] of await prebuild()) {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), text);
}

/** Large packages that few runs load. These packages and the peer dependencies are not bundled. */
const separate = ['@apidevtools/json-schema-ref-parser', '@clack/prompts', 'badge-maker', 'fast-check'];

const bundle = await rolldown({
  input: join(dist, 'runner', 'cli', 'main.js'),
  platform: 'node',
  // The `main` of jsonc-parser calls `require` in a way that bundlers do not detect.
  resolve: { mainFields: ['module', 'main'] },
  external: [...Object.keys(peerDependencies), ...separate],
  // The cookie functions of undici, which no command uses, would load the copy of undici that is part of Node.js.
  transform: { define: { 'globalThis.Headers': 'undefined' } },
  onLog: (_, { message }) => {
    throw new Error(message);
  },
});
/**
 * Groups of modules, each bundled into one file, since a run would otherwise load 60 files. A group also contains the
 * modules that its modules import, unless an earlier group contains these modules. Only the group `run` contains
 * undici, which loads slowly.
 */
const groups = [
  { name: 'start', tags: ['$initial'] },
  { name: 'plan', test: /runner[\\/](catalog|plan|profile)[\\/]/ },
  { name: 'judge', test: /runner[\\/]((baseline|diff|execute|judge|report)[\\/]|cli[\\/]io[\\/](?!ask))/ },
  { name: 'run', test: /runner[\\/]cli[\\/]commands[\\/]run-targets\.js$/ },
  { name: 'terminal', test: /runner[\\/]reporters[\\/]terminal[\\/]/ },
];
const { output } = await bundle.write({
  dir: join(dist, 'command'),
  codeSplitting: { groups },
  comments: false,
  // V8 stores source text with a character outside Latin-1 as two bytes for each character, and parses such text more
  // slowly.
  minify: { compress: false, mangle: false, codegen: { asciiOnly: true, removeWhitespace: false } },
});
const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
writeFileSync(join(dist, 'command', 'LICENSES.txt'), licensesOf(modules).join('\n'));

/**
 * Returns one text for each package of these modules: name, version, license and, if the package has one, the license
 * file.
 */
function licensesOf(modules) {
  const folders = modules.flatMap(
    (file) => /^.*node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    return `${name} ${version}: ${license}\n${text}`;
  });
}
