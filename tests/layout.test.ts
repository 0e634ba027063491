import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The folders of `runner/` in the order of CONTRIBUTING.md. A folder can import from earlier folders, but never from
 * later folders.
 */
const stages = [
  'catalog',
  'profile',
  'exchange',
  'request',
  'plan',
  'evidence',
  'judge',
  'report',
  'gate',
  'compare',
  'view',
  'send',
  'run',
  'reporters',
  'traffic',
  'clients',
  'app',
  'init',
  'cli',
];

const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !path.endsWith('.test.ts');
const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;

/**
 * Returns every source file of a top-level folder except tests, each with its relative imports. Type imports are
 * included.
 */
function importsOf(folder: string): Map<string, readonly string[]> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter(isSource)
    .sort();
  return new Map(
    files.map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const found = [...text.matchAll(importPattern)].map(([, to = '']) =>
        posix.join(posix.dirname(path), to),
      );
      return [path, found];
    }),
  );
}

const runner = importsOf('runner');
const common = importsOf('common');
const referenceServer = importsOf('reference-server');
const all = new Map([...common, ...runner, ...referenceServer]);

/** Lists the imports of a file outside the top-level folders that it may import, such as `common`. */
function importsOutside(
  files: ReadonlyMap<string, readonly string[]>,
  allowed: (path: string) => readonly string[],
): string[] {
  return [...files].flatMap(([path, imports]) =>
    imports
      .filter((to) => !allowed(path).includes(to.split('/', 1)[0] ?? ''))
      .map((to) => `${path} imports ${to}`),
  );
}

/** Returns the stage of a file of the runner. The files at the top of `runner/` come after all folders. */
function stageOf(path: string): number {
  const [, folder = '', file] = path.split('/');
  return file === undefined ? stages.length : stages.indexOf(folder);
}

function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'open') circles.push([...trail.slice(trail.indexOf(path)), path]);
    if (state.has(path)) return;
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) if (graph.has(next)) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  return circles;
}

describe('the top-level folders', () => {
  test('common imports only itself', () => {
    expect(importsOutside(common, () => ['common'])).toEqual([]);
  });
  test('reference-server imports only common', () => {
    expect(importsOutside(referenceServer, () => ['common', 'reference-server'])).toEqual([]);
  });
  test('in runner, only cli imports reference-server', () => {
    const allowed = (path: string): string[] =>
      path.startsWith('runner/cli/') ? ['common', 'runner', 'reference-server'] : ['common', 'runner'];
    expect(importsOutside(runner, allowed)).toEqual([]);
  });
  test('the search finds such an import', () => {
    const files = new Map([['reference-server/a.ts', ['common/b.ts', 'runner/c.ts']]]);
    expect(importsOutside(files, () => ['common'])).toEqual(['reference-server/a.ts imports runner/c.ts']);
  });
});

describe('the layout of the runner', () => {
  test('every folder is a stage', () => {
    const folders = readdirSync(join(root, 'runner'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => name).sort()).toEqual(stages.toSorted());
  });
  test('no file imports from a later stage', () => {
    const upward = [...runner].flatMap(([path, imports]) =>
      imports
        .filter((to) => runner.has(to) && stageOf(to) > stageOf(path))
        .map((to) => `${path} imports ${to}`),
    );
    expect(upward).toEqual([]);
  });
  test('there is no import circle, not even of types', () => {
    expect(circlesIn(all)).toEqual([]);
  });
  test('the search finds an import circle', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(circlesIn(graph)).toEqual([['b', 'c', 'b']]);
  });
  test('no file has the name of an adjacent folder', () => {
    const folders = new Set([...all.keys()].map((path) => posix.dirname(path)));
    expect([...all.keys()].filter((path) => folders.has(path.replace(/\.tsx?$/, '')))).toEqual([]);
  });
  test('CONTRIBUTING.md lists every folder in the order of the stages', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const listed = [...text.matchAll(/^ {2}([a-z]+)\/ /gm)].map(([, folder]) => folder);
    expect(listed).toEqual(stages);
  });
});

test('the README of the gateway names every file of its folder, and no other', () => {
  const folder = join(root, 'reference-server', 'gateway');
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  const named = new Set([...text.matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => name));
  const files = readdirSync(folder).filter((name) => isSource(name));
  expect([...named].sort()).toEqual(files.sort());
});
