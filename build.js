// `npm run build` runs this script. It compiles the sources to `dist/` with tsc, except the code for browsers, which it
// writes as texts. Then it writes the parsed data files to `dist/catalog.json`, the schemas with resolved references to
// `dist/schemas/` and the compiled validators to `dist/checks/`, so that the command starts faster. The command and the
// public modules, bundled with most of the packages that they import, are in `dist/bundle/`, and their declarations in
// `dist/types/`. If nothing has changed since the last build, it does nothing.
//
// The package contains the bundle instead of the compiled sources. So a package that is in the bundle is one of the
// `devDependencies`, and users install only the others.
//
// A part of the catalog counts only while its source files are the same (`common/prebuilt.ts`), so a change of data takes
// effect without a build. The sources, which most tests run, never use it. `npm ci` in a checkout builds through the script
// `prepublish`, and `npm pack` through `prepack`. There is no script `prepare`: npx would run it when it links the package,
// and npm would warn about it when the package is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');

/** Everything that a build reads. `package-lock.json` stands for the installed packages. */
export const inputs = {
  code: [
    'build.js',
    'browser-code.js',
    'browser-modules.d.ts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'common',
    'runner',
    'reference-server',
  ],
  data: ['specs', 'suites', 'fixtures', 'reference-server/faults', 'reference-server/variants'],
};
/** The hashes of the last build. A build writes this file last, so that an interrupted build has none. */
const stamp = join(dist, 'build.json');

/**
 * Returns what has changed since the last build: the code, the data, or the list of files in `dist/`. By contents, so
 * that neither a fresh clone nor another branch and back counts as a change; a deleted file does.
 */
export function listChanges() {
  /** @type {Readonly<Record<string, string>>} */
  const built = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {};
  return Object.entries(hashBuild()).flatMap(([part, hash]) => (built[part] === hash ? [] : [part]));
}

function hashBuild() {
  const outputs = listFiles('dist').filter((path) => join(root, path) !== stamp);
  return {
    code: hashTexts(inputs.code.flatMap(listFiles).filter(isCompiled).flatMap(readParts)),
    data: hashTexts(inputs.data.flatMap(listFiles).filter(isData).flatMap(readParts)),
    outputs: hashTexts(outputs),
  };
}

/** @param {string} path */
const isCompiled = (path) => !/\.(test\.tsx?|yaml|md)$/.test(path);
/** @param {string} path */
const isData = (path) => !/\.tsx?$/.test(path);
/** @param {string} path */
const readParts = (path) => [path, readFileSync(join(root, path))];

/** @param {readonly (string | Buffer)[]} texts */
function hashTexts(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}:`).update(text);
  return hash.digest('hex');
}

/**
 * Returns the paths of the files at or below a path, relative to the root and in a fixed order.
 * @param {string} path
 */
function listFiles(path) {
  const at = join(root, path);
  if (!existsSync(at)) return [];
  if (statSync(at).isFile()) return [path];
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** The modules that users run or import, by the name of their file in `dist/bundle/`. */
const publicModules = {
  main: 'runner/cli/main',
  library: 'runner/index',
  'reference-server': 'reference-server/index',
  vitest: 'runner/vitest',
};

/** The modules that the command imports at its start, also through other modules. */
const started = new Set();
/**
 * Fills `started`. The module of the command itself is not in the set: it handles the errors of its process, and the
 * library, which shares modules with the command, must not.
 * @type {import('rolldown').Plugin}
 */
const findStarted = {
  name: 'find-started',
  buildEnd() {
    /** @param {string} id */
    const add = (id) => {
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) {
        if (started.has(imported)) continue;
        started.add(imported);
        add(imported);
      }
    };
    add(join(dist, `${publicModules.main}.js`));
  },
};

/**
 * Groups of modules, each bundled into one file, since a run would otherwise load 60 files. A group also contains the
 * modules that its modules import, unless an earlier group contains these modules. Only the group `http` contains
 * undici, which loads slowly.
 * @type {{ name: string, test: RegExp | ((id: string) => boolean) }[]}
 */
const groups = [
  { name: 'start', test: (id) => started.has(id) },
  { name: 'plan', test: /runner[\\/](catalog|plan|profile)[\\/](?!generated)/ },
  {
    name: 'judge',
    test: /runner[\\/]((compare|evidence|gate|judge|report|view)[\\/]|send[\\/](?!(?:http|pool|receive)\.)|cli[\\/]io[\\/](?!ask))/,
  },
  { name: 'http', test: /runner[\\/]send[\\/]/ },
  { name: 'run', test: /runner[\\/]cli[\\/]commands[\\/]run-targets\.js$/ },
  { name: 'terminal', test: /runner[\\/]reporters[\\/]terminal[\\/]/ },
];

async function build() {
  rmSync(dist, { recursive: true, force: true });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const arguments_ = [compiler, '-p', 'tsconfig.build.json'];
  // tsc has printed its errors.
  if (spawnSync(process.execPath, arguments_, { cwd: root, stdio: 'inherit' }).status !== 0) process.exit(1);
  await writeBrowserModules('dist');
  const { prebuild } = await import('./dist/runner/catalog/prebuild.js');
  for (const [path, text] of await prebuild()) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), text);
  }
  const { listKnownNames } = await import('./dist/runner/cli/completion/list-known-names.js');
  writeFileSync(join(dist, 'names.json'), JSON.stringify(await listKnownNames()));
  await bundle();
  copyDeclarations();
  writeFileSync(stamp, JSON.stringify(hashBuild()));
}

/**
 * Writes the modules that the compiled modules in a folder import from the folders `browser/`.
 * @param {string} out A folder in which tsc has compiled the sources, relative to the root.
 */
export async function writeBrowserModules(out) {
  const { browserModule, writeBrowserModule } = await import('./browser-code.js');
  const compiled = listFiles(out).filter((path) => path.endsWith('.js') && !browserModule.test(path));
  const imported = compiled.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^import .* from '(\..*)';$/gm)]
      .map(([, to = '']) => join(dirname(path), to))
      .filter((to) => browserModule.test(to)),
  );
  for (const path of new Set(imported)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), await writeBrowserModule(join(root, relative(out, path))));
  }
}

async function bundle() {
  const { rolldown } = await import('rolldown');
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const build = await rolldown({
    input: Object.fromEntries(
      Object.entries(publicModules).map(([name, path]) => [name, join(dist, `${path}.js`)]),
    ),
    platform: 'node',
    // The `main` of jsonc-parser calls `require` in a way that bundlers do not detect.
    resolve: { mainFields: ['module', 'main'] },
    external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
    plugins: [findStarted],
    // The cookie functions of undici, which no command uses, would load the copy of undici that is part of Node.js.
    transform: { define: { 'globalThis.Headers': 'undefined' } },
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await build.write({
    dir: join(dist, 'bundle'),
    codeSplitting: { groups },
    comments: false,
    // V8 stores source text with a character outside Latin-1 as two bytes for each character, and parses such text more
    // slowly.
    minify: { compress: false, mangle: false, codegen: { asciiOnly: true, removeWhitespace: false } },
  });
  const modules = output.flatMap((part) => ('moduleIds' in part ? part.moduleIds : []));
  writeFileSync(join(dist, 'bundle', 'LICENSES.txt'), licensesOf(modules).join('\n'));
}

/** Copies the declarations of the public modules, and those that they refer to, to `dist/types/`. */
function copyDeclarations() {
  const { main, ...imported } = publicModules;
  const files = new Set(Object.values(imported).map((path) => `${path}.d.ts`));
  for (const file of files) {
    const text = readFileSync(join(dist, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import\()['"](\..*?)\.[jt]sx?['"]/g))
      files.add(posix.join(posix.dirname(file), `${path}.d.ts`));
    mkdirSync(dirname(join(dist, 'types', file)), { recursive: true });
    writeFileSync(join(dist, 'types', file), text);
  }
}

/**
 * Returns one text for each package of these modules: name, version, license and, if the package has one, the license
 * file.
 * @param {readonly string[]} modules
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

const [, script] = process.argv;
const isScript = script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url);
if (isScript && listChanges().length > 0) await build();
