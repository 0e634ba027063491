import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { inputs } from '../../../build.js';
import { readDataFile } from '../../../common/data-file.ts';
import { toMapping } from '../../../common/mapping.ts';
import { packageInfo } from '../../../common/package-info.ts';
import { packageRoot } from '../../../common/package-root.ts';
import type { JsonSchema } from '../../../common/schemas.ts';
import { loadCatalog } from '../../../runner/catalog/catalog.ts';
import type { Expectation } from '../../../runner/catalog/expectation.ts';
import { prebuild } from '../../../runner/catalog/prebuild.ts';
import { plan } from '../../../runner/plan/plan.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { createScratchFolder } from '../../support/command.ts';

const dist = join(packageRoot, 'dist');
// The built module has the types of its source.
const { loadCatalog: loadBuilt }: { loadCatalog: typeof loadCatalog } = await import(
  join(dist, 'runner', 'catalog', 'catalog.js')
);
const [made, read] = [await loadBuilt(), await loadCatalog()];

describe('the prebuilt catalog', () => {
  test('is up to date with the data files', async () => {
    for (const [name, text] of await prebuild())
      expect(readFileSync(join(dist, name), 'utf8') === text, name).toBe(true);
  });
  test('has the same values as the files', () => {
    const { schemas: _, attributes: __, ...data } = made;
    const { schemas: ___, attributes: ____, ...expected } = read;
    expect(isDeepStrictEqual(data, expected)).toBe(true);
    expect(made.attributes.names).toEqual(read.attributes.names);
    expect(made.schemas.names).toEqual(read.schemas.names);
    for (const name of read.schemas.names)
      expect(made.schemas.resolved(name)).toEqual(read.schemas.resolved(name));
  });
  test('produces the same cases', () => {
    const casesOf = (catalog: typeof read) => plan(createPromise(catalog, createEverythingProfile(catalog)));
    expect(isDeepStrictEqual(casesOf(made), casesOf(read))).toBe(true);
  });
});

const others = [null, '', -1, 0.5, true, [], { x: 1 }];

/**
 * Yields the value, the values in `others`, and copies of the value in which one property or item is removed or
 * replaced, down to a depth.
 */
function* variations(value: unknown, depth = 3): Generator<unknown> {
  yield value;
  yield* others;
  if (depth === 0 || typeof value !== 'object' || value === null) return;
  const members = Object.entries(value);
  const put = (changed: readonly (readonly [string, unknown])[]): unknown =>
    Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
  for (const [name, member] of members) {
    yield put(members.filter(([other]) => other !== name));
    for (const changed of variations(member, depth - 1))
      yield put(members.map(([other, item]) => [other, other === name ? changed : item]));
  }
}

const { bodies } = read.fixtures;
const error = { error: { code: '400', type: 'x', message: 'x', trace_id: 'x' } };
const samples: Readonly<Record<string, unknown>> = {
  baseline: { violations: [{ requirement: 'a/b', cases: ['x'], reason: 'x' }], notApplicable: [] },
  'billing-error': error,
  'chat-request': bodies['chat-conversation'],
  'generate-request': bodies.generate,
  'messages-request': bodies.messages,
  'model-error': error,
  'model-error-shape': error,
  profile: readDataFile(join(packageRoot, 'fixtures/profiles/reference.yaml')).value,
  'reference-gateway': readDataFile(join(packageRoot, 'fixtures/reference-gateway.yaml')).value,
  report: sample(read.schemas.resolved('report')),
  'responses-request': bodies.responses,
  scenario: { about: 'x', scenarios: [{ id: 'x', about: 'x', each: { key: ['good'] }, steps: [{}] }] },
  script: [{ match: { operation: ['chat'] }, answer: [{ text: 'x' }, { error: 'y' }], times: 2 }],
};

/** Returns a value with every property that the schema lists. For `anyOf`, uses the last alternative. */
function sample(schema: unknown): unknown {
  const { properties, items, type, anyOf, enum: allowed } = toMapping(schema);
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(toMapping(properties)).map(([name, own]) => [name, sample(own)]),
    );
  if (items !== undefined) return [sample(items)];
  if (Array.isArray(anyOf)) return sample(anyOf.at(-1));
  if (Array.isArray(allowed)) return allowed[0];
  return { string: 'x', integer: 1, number: 0.5, boolean: true }[String(type)] ?? null;
}

/** Returns the schemas that an expectation contains. */
function inline(expectation: Expectation): JsonSchema[] {
  if (expectation.kind === 'is') return [expectation.schema];
  return 'of' in expectation ? [expectation.of].flat().flatMap(inline) : [];
}

describe('a prebuilt check finds the same problems as a check compiled from the file', () => {
  test.each(read.schemas.names)('for %s', (name) => {
    for (const value of variations(samples[name]))
      expect(JSON.stringify(made.schemas.problems(name, value))).toBe(
        JSON.stringify(read.schemas.problems(name, value)),
      );
  });
  test('for the schemas in requirements', () => {
    const schemas = read.ledger.requirements.flatMap(({ then }) => inline(then));
    expect(schemas.length).toBeGreaterThan(20);
    const values = [...others, 'a b', '400', 400, 1e9, ['x'], '00000000-0000-4000-8000-000000000001'];
    for (const schema of schemas)
      for (const value of values)
        expect(made.schemas.problems(schema, value)).toEqual(read.schemas.problems(schema, value));
  });
});

const run = promisify(execFile);

// The copies of the package contain keys. Therefore the copies are outside of the temporary folder, which is searched
// for keys.
const copies = mkdtempSync(join(dirname(tmpdir()), 'conformance-built-'));
afterAll(() => rmSync(copies, { recursive: true, force: true }));

/** Copies this package to a new folder with only these dependencies installed, and returns the path of the folder. */
function packageWith(name: string, packages: readonly string[]): string {
  const folder = join(copies, name);
  for (const part of [
    'bin',
    'dist',
    'specs',
    'suites',
    'fixtures',
    'reference-server/faults',
    'reference-server/variants',
    'package.json',
  ])
    cpSync(join(packageRoot, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  for (const installed of packages)
    symlinkSync(join(packageRoot, 'node_modules', installed), join(folder, 'node_modules', installed));
  return folder;
}
const command = async (folder: string, ...args: string[]): Promise<string> =>
  (await commandIn(folder, process.env, ...args)).stdout;
const commandIn = (
  folder: string,
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ stdout: string; stderr: string }> =>
  run(process.execPath, [join(folder, 'bin', 'conformance.js'), ...args], {
    cwd: createScratchFolder(),
    env,
  });

/** Returns the output of a script that uses the reference gateway of a package. */
async function evaluate(folder: string, script: string): Promise<string> {
  const importing = `import { createReferenceServer } from 'model-gateway-conformance/reference-server';\n${script}`;
  return (await run(process.execPath, ['--input-type=module', '-e', importing], { cwd: folder })).stdout;
}

describe('a start loads no unneeded package', () => {
  const folder = packageWith('lean', ['ajv']);
  test.each(['--version', 'explain auth/bad-bearer-token', 'run --only auth/good-key/operation=models/*'])(
    '%s',
    async (line) => {
      expect(await command(folder, ...line.split(' '))).not.toBe('');
    },
  );
});

describe('a second build', () => {
  const copyProject = (): string => {
    const folder = createScratchFolder();
    for (const part of [...inputs.code, ...inputs.data, 'dist'])
      cpSync(join(packageRoot, part), join(folder, part), { recursive: true });
    symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  };
  const project = copyProject();
  const listChanges = async (): Promise<readonly string[]> => {
    const { listChanges: list }: { listChanges: () => string[] } = await import(join(project, 'build.js'));
    return list();
  };
  const built = (): number => statSync(join(project, 'dist', 'bundle', 'main.js')).mtimeMs;
  const source = join(project, 'common', 'lists.ts');
  const faultFile = 'reference-server/faults/traces.yaml';

  test('does nothing if the contents are the same', async () => {
    writeFileSync(source, readFileSync(source, 'utf8'));
    const before = built();
    await promisify(execFile)(process.execPath, [join(project, 'build.js')]);
    expect(built()).toBe(before);
    expect(await listChanges()).toEqual([]);
  });
  test.each([
    ['a changed source', 'code', () => appendFileSync(source, '\n')],
    ['a deleted source', 'code', () => rmSync(source)],
    ['a changed lock file', 'code', () => appendFileSync(join(project, 'package-lock.json'), '\n')],
    ['a changed data file', 'data', () => appendFileSync(join(project, 'fixtures', 'words.yaml'), '\n')],
    ['a changed fault', 'data', () => appendFileSync(join(project, faultFile), '\n')],
    ['a missing output', 'outputs', () => rmSync(join(project, 'dist', 'catalog.json'))],
  ])('notices %s', async (_, part, change) => {
    expect(await listChanges()).not.toContain(part);
    change();
    expect(await listChanges()).toContain(part);
    for (const folder of ['common', 'runner', 'fixtures', faultFile, 'dist', 'package-lock.json'])
      cpSync(join(packageRoot, folder), join(project, folder), { recursive: true });
  });
});

test('the package has no install script, and an installation in a checkout builds', () => {
  const { scripts } = toMapping(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')));
  const names = Object.keys(toMapping(scripts));
  expect(names.filter((name) => /^((pre|post)?(install|prepare))$/.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['prepublish', 'prepack']));
});

describe('a data file that was edited after the build replaces the prebuilt catalog', () => {
  const folder = packageWith('edited', ['ajv', 'yaml', '@apidevtools']);
  const edit = (path: string, change: (text: string) => string): void => {
    const file = join(folder, path);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };

  test('a suite, and a new suite', async () => {
    edit('suites/auth.yaml', (text) =>
      text.replace('Sends requests without a credential and', 'Edited just now and'),
    );
    writeFileSync(
      join(folder, 'suites', 'new.yaml'),
      'about: New.\nscenarios: [{ id: one, about: A new one., send: { operation: models } }]\n',
    );
    const listed = await command(folder, 'list', 'suites');
    expect(listed).toContain('Edited just now and');
    expect(listed).toContain('new/one');
  });
  test('a requirement', async () => {
    edit('specs/requirements/authentication.yaml', (text) => text.replace(/says: .*/, 'says: Edited too.'));
    expect(await command(folder, 'list')).toContain('Edited too.');
  });
  test('a schema', async () => {
    edit('specs/schemas/profile.schema.json', (text) =>
      text.replace('"baseUrl"', '"invented": {}, "baseUrl"'),
    );
    writeFileSync(
      join(folder, 'p.yaml'),
      'baseUrl: http://127.0.0.1:1\nkeys: { valid: sk-a }\ninvented: 1\n',
    );
    const stdout = await command(folder, 'run', '--dry-run', '--profile', join(folder, 'p.yaml'));
    expect(stdout).toContain('http://127.0.0.1:1');
  });
  test('a request schema of the reference gateway', async () => {
    edit('specs/schemas/chat-request.schema.json', (text) =>
      text.replace('"minLength": 1', '"minLength": 99'),
    );
    expect(
      await evaluate(
        folder,
        `const { url, profile, close } = await createReferenceServer();
      const response = await fetch(url + '/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + profile.keys.valid },
        body: JSON.stringify({ model: 'gpt-reference', messages: [{ role: 'user', content: 'x' }] }),
      });
      console.log(response.status);
      await close();`,
      ),
    ).toBe('400\n');
  });
  test('the seed of the reference gateway', async () => {
    edit('fixtures/reference-gateway.yaml', (text) => text.replace('gpt-reference,', 'gpt-edited,'));
    expect(
      await evaluate(
        folder,
        `const server = await createReferenceServer();
      console.log(server.profile.models.chat.good);
      await server.close();`,
      ),
    ).toBe('gpt-edited\n');
  });
  test('an invalid fault, which is reported by what reads faults and by a build', async () => {
    edit('reference-server/faults/traces.yaml', (text) => text.replace(/^ {2}about:.*/m, '  abuot: x'));
    const place = /faults\/traces\.yaml:\d+: .*abuot/;
    await expect(command(folder, 'list', 'faults')).rejects.toThrow(place);
    expect(await command(folder, 'list', 'operations')).toContain('POST');
    const module = join(folder, 'dist', 'runner', 'catalog', 'prebuild.js');
    const building = evaluate(folder, `await (await import(${JSON.stringify(module)})).prebuild();`);
    await expect(building).rejects.toThrow(place);
  });
  test('an invalid file, which is reported with its line', async () => {
    appendFileSync(join(folder, 'suites', 'new.yaml'), 'scenarios: []\n');
    await expect(command(folder, 'list')).rejects.toThrow(/suites\/new\.yaml:3/);
  });
});

describe('the bundled command', () => {
  const folder = join(dist, 'bundle');
  /** Returns a file and all files that the file imports statically, directly or through other files. */
  const loadedBy = (file: string): string[] => {
    const files = new Set([file]);
    for (const one of files)
      for (const [, imported = ''] of readFileSync(join(folder, one), 'utf8').matchAll(
        /^(?:import|export) .*"\.\/(.*)";$/gm,
      ))
        files.add(imported);
    return [...files];
  };
  test('loads less than 400 kB of code for its start', () => {
    const files = loadedBy('main.js');
    expect(files.length).toBeGreaterThan(1);
    const bytes = files.map((file) => statSync(join(folder, file)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000);
  });
  test.each<[string, boolean]>([
    ['run', true],
    ['check', false],
    ['explain', false],
    ['list', false],
    ['merge', false],
    ['diff', false],
    ['compare', false],
  ])('with %s, loads the HTTP client: %s', (name, isLoaded) => {
    const loaded = readdirSync(folder)
      .filter((file) => file.startsWith(`${name}-`))
      .flatMap(loadedBy);
    expect(loaded.length).toBeGreaterThan(2);
    const code = loaded.map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(code.some((text) => text.includes('node_modules/undici/'))).toBe(isLoaded);
  });
});

describe('the compile cache', () => {
  const folder = packageWith('cached', ['ajv']);
  const hasCache = 'enableCompileCache' in module;
  const cached = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const cache = mkdtempSync(join(copies, 'cache-'));
    await commandIn(folder, { ...process.env, NODE_COMPILE_CACHE: cache, ...env }, '--version');
    return readdirSync(cache);
  };

  test.runIf(hasCache)('is written', async () => {
    expect(await cached({})).not.toEqual([]);
  });
  test('is not written if NODE_DISABLE_COMPILE_CACHE is set', async () => {
    expect(await cached({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual([]);
  });
  test('is optional: the command also runs if the cache cannot be written', async () => {
    const file = join(folder, 'package.json');
    const { stdout, stderr } = await commandIn(
      folder,
      { ...process.env, NODE_COMPILE_CACHE: join(file, 'cache'), TMPDIR: file, HOME: file },
      '--version',
    );
    expect({ stdout, stderr }).toEqual({ stdout: `${packageInfo.version}\n`, stderr: '' });
  });
});
