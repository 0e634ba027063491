import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface Source {
  /** The path relative to the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  readonly imports: readonly string[];
}

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}
function sourcesOf(folder: string): Source[] {
  return filesOf(folder)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])([\w@./:-]+)\1/g);
      return {
        path,
        text,
        isTest: path.endsWith('.test.ts'),
        imports: [...found].map((match) => match[2] ?? ''),
      };
    });
}
/** Returns the top-level folder of a relative import, `node` for a built-in module, or the name of the package. */
function targetOf(source: Source, specifier: string): string {
  if (specifier.startsWith('node:')) return 'node';
  if (specifier.startsWith('.')) return posix.join(posix.dirname(source.path), specifier).split('/')[0] ?? '';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
const importsWhere = (
  sources: readonly Source[],
  unwanted: (source: Source, target: string) => boolean,
): string[] =>
  sources.flatMap((source) =>
    source.imports
      .filter((name) => unwanted(source, targetOf(source, name)))
      .map((name) => `${source.path} imports ${name}`),
  );

const runner = sourcesOf('runner');
const referenceServer = sourcesOf('reference-server');
const common = sourcesOf('common');
const code = [...common, ...runner, ...referenceServer];
const production = code.filter(({ isTest }) => !isTest);

describe('top-level folders', () => {
  test('contain the sources that these tests read', () => {
    expect(runner.length).toBeGreaterThan(30);
    expect(referenceServer.length).toBeGreaterThan(20);
  });
  test.each(['specs', 'suites', 'fixtures'])('%s contains data only', (folder) => {
    expect(filesOf(folder).filter((path) => !/\.(yaml|json|png|jpg)$/.test(path))).toEqual([]);
  });
  test('no unknown folder exists', () => {
    const folders = readdirSync(root, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.'),
    );
    const known = [
      'specs',
      'suites',
      'fixtures',
      'common',
      'runner',
      'reference-server',
      'tests',
      'bin',
      'docs',
      'benchmark',
      'node_modules',
      'dist',
      'coverage',
      'reports',
    ];
    expect(folders.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
  test('the rules and the wire of reference-server know no gateway', () => {
    const known = /^reference-server\/(answers\/answer\.ts|rules|wire|json\.ts)/;
    const imported = production
      .filter(({ path }) => /^reference-server\/(rules|wire)\//.test(path))
      .flatMap(({ path, imports }) => imports.map((name) => posix.join(posix.dirname(path), name)));
    expect(imported.length).toBeGreaterThan(20);
    expect(imported.filter((path) => path.startsWith('reference-server/') && !known.test(path))).toEqual([]);
  });
  test('only the promise reads the requirements, and only the entry points create a promise', () => {
    const filesWith = (word: RegExp): string[] =>
      production
        .filter(({ text }) => word.test(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')))
        .map(({ path }) => path)
        .filter((path) => path.startsWith('runner/') && !path.startsWith('runner/catalog/'));
    expect(filesWith(/\b(ledger|readRequirements)\b/)).toEqual(['runner/profile/promise.ts']);
    const creating = filesWith(/\b(createPromise|catalogOfPackage|loadCatalog)\b/);
    expect(creating.filter((path) => !path.startsWith('runner/cli/'))).toEqual([
      'runner/library.ts',
      'runner/profile/promise.ts',
      'runner/vitest.ts',
    ]);
  });
  test('only the folder judge compares responses with requirements', () => {
    const compare =
      /^import (?!type ).*\/judge\/(check-response|compare-exchanges|decide|judge-requirement)\.ts'/m;
    const importing = production.filter(({ text }) => compare.test(text.replaceAll(/\{[^}]*\}/g, '{}')));
    expect(importing.map(({ path }) => path)).toEqual([]);
  });
  test('production code does not import tests or vitest', () => {
    expect(
      importsWhere(
        production,
        (source, target) => target === 'tests' || (target === 'vitest' && !isIntegration(source)),
      ),
    ).toEqual([]);
    expect(importsWhere(production, (_, target) => target.endsWith('.test.ts'))).toEqual([]);
  });
  test('the pure folders use no clock, randomness, network or file system', () => {
    const pure = production.filter(({ path }) =>
      /^runner\/(plan|judge|report|gate|compare|view|reporters)\//.test(path),
    );
    expect(pure.length).toBeGreaterThan(10);
    // The modules and packages in this list have no side effects.
    const isPure = (name: string): boolean =>
      /^(\.|node:(crypto|util|path|url|zlib)$|(fast-xml-builder|badge-maker|preact|preact-render-to-string|jsonc-parser|fast-check)$)/.test(
        name,
      );
    const impure = pure.flatMap(({ path, imports }) =>
      imports.filter((name) => !isPure(name)).map((name) => `${path} imports ${name}`),
    );
    expect(impure).toEqual([]);
    expect(
      pure
        .filter(({ text }) => /\b(Date\.now|Math\.random|performance\.now|fetch)\(/.test(text))
        .map(({ path }) => path),
    ).toEqual([]);
  });
  test('in runner, only cli and library.ts use `process`, except for the version of Node.js', () => {
    const touching = runner.filter(
      ({ path, isTest, text }) =>
        !isTest &&
        !path.startsWith('runner/cli/') &&
        path !== 'runner/library.ts' &&
        // Its curl lines contain a script that reads an argument.
        path !== 'runner/report/curl/sequence.ts' &&
        /\bprocess\.(?!versions?\b)[a-z]/.test(text),
    );
    expect(touching.map(({ path }) => path)).toEqual([]);
  });
  test('in runner, only terminal.ts and write-reports.ts write to stdout and stderr', () => {
    const writing = runner.filter(
      ({ isTest, text }) =>
        !isTest && /(^|[^.\w/])(console\.\w+\(|process\.(stdout|stderr)\.write)/.test(text),
    );
    expect(writing.map(({ path }) => path)).toEqual([
      'runner/cli/io/terminal.ts',
      'runner/cli/io/write-reports.ts',
    ]);
  });
});

/** Whether a file is the module for Vitest runs of gateways, which imports vitest. */
function isIntegration({ path }: Source): boolean {
  return /^runner\/vitest\b/.test(path);
}

const packages: Readonly<Record<'common' | 'runner' | 'reference-server', readonly string[]>> = {
  common: [
    'ajv',
    '@apidevtools/json-schema-ref-parser',
    'yaml',
    'fast-string-width',
    'fast-wrap-ansi',
    'preact',
    'preact-render-to-string',
  ],
  runner: [
    'undici',
    'p-limit',
    'https-proxy-agent',
    'proxy-from-env',
    'commander',
    'fast-xml-builder',
    'badge-maker',
    'jsonc-parser',
    '@clack/prompts',
    '@streamparser/json',
    'fast-check',
    'openai',
    '@anthropic-ai/sdk',
    '@google/genai',
    'ai',
    '@ai-sdk/openai',
    '@ai-sdk/anthropic',
    '@ai-sdk/google',
  ],
  'reference-server': ['ajv', 'yaml', 'json-schema-faker'],
};

describe('packages', () => {
  test.each([
    ['common', common],
    ['runner', runner],
    ['reference-server', referenceServer],
  ] as const)('%s imports only the listed packages, each in one module', (folder, sources) => {
    const inside = ['node', 'common', 'runner', 'reference-server', 'vitest'];
    const importers = new Map<string, string[]>();
    for (const source of sources.filter(({ isTest }) => !isTest)) {
      for (const name of new Set(source.imports.map((specifier) => targetOf(source, specifier)))) {
        if (!inside.includes(name)) importers.set(name, [...(importers.get(name) ?? []), source.path]);
      }
    }
    expect([...importers.keys()].filter((name) => !packages[folder].includes(name))).toEqual([]);
    expect([...importers].filter(([, modules]) => modules.length > 1)).toEqual([]);
  });
  const manifest: Record<
    'dependencies' | 'devDependencies' | 'peerDependencies',
    Record<string, string>
  > = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const peers = Object.keys(manifest.peerDependencies);
  test('every imported package is a dependency, or a development dependency that the build bundles', () => {
    const used = production.flatMap((source) => source.imports.map((name) => targetOf(source, name)));
    const own = [
      'node',
      'common',
      'runner',
      'reference-server',
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.devDependencies),
      ...peers,
    ];
    expect(used.filter((name) => !own.includes(name))).toEqual([]);
  });
  test('apart from vitest, only the types of optional peer dependencies are imported by name', () => {
    const eager = production.flatMap(({ path, text }) =>
      peers
        .filter((name) => name !== 'vitest')
        .filter((name) => new RegExp(`^import (?!type ).*'${name}'|import\\('${name}'`, 'm').test(text))
        .map((name) => `${path} imports ${name}`),
    );
    expect(eager).toEqual([]);
  });
});

describe('files', () => {
  test('every style sheet is part of a page', () => {
    const styles = ['common', 'runner', 'reference-server']
      .flatMap(filesOf)
      .filter((path) => path.endsWith('.css'));
    const imported = production.flatMap(({ path, imports }) =>
      imports.map((name) => posix.join(posix.dirname(path), name)),
    );
    expect(styles.length).toBeGreaterThan(10);
    expect(styles.filter((path) => !imported.includes(`${path}.js`))).toEqual([]);
  });
  test('none mentions a path of the machine of its author', () => {
    const unwanted = new RegExp(['/', 'work\\b|\\.\\./', 'shared\\b'].join(''));
    expect(code.filter(({ text }) => unwanted.test(text)).map(({ path }) => path)).toEqual([]);
  });
  test('have names in kebab-case', () => {
    expect(
      code.filter(({ path }) => !/^[a-z0-9/-]+(\.test)?\.tsx?$/.test(path)).map(({ path }) => path),
    ).toEqual([]);
  });
});
