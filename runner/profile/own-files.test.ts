import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataFileError } from '../../common/data-file.ts';
import { type Catalog, catalogOfPackage } from '../catalog/catalog.ts';
import type { Profile } from './profile.ts';
import { createPromise } from './promise.ts';
import { readProfile } from './read-profile.ts';

const catalog: Catalog = await catalogOfPackage();
const folder = mkdtempSync(join(tmpdir(), 'own-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const requirement = (id: string): string =>
  `clauses: { ${id.replace('/', ' ')}: A sentence. }\nrequirements: [{ id: ${id}, clause: [${id.replace('/', ' ')}], level: must, says: It must., then: { status: 2xx } }]\n`;
for (const [name, text] of Object.entries({
  'in/ours/b.yaml': requirement('ours/b'),
  'in/ours/a.yaml': requirement('ours/a'),
  'in/ours/more/deep/c.yml': requirement('ours/c'),
  'in/ours/.hidden.yaml': requirement('ours/hidden'),
  'in/ours/notes.txt': 'none',
  'in/node_modules/p/a.yaml': requirement('ours/package'),
  'out/secret.yaml': requirement('ours/secret'),
})) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
symlinkSync(join(folder, 'out'), join(folder, 'in/linked'));
symlinkSync(join(folder, 'out/secret.yaml'), join(folder, 'in/ours/linked.yaml'));

const path = join(folder, 'in/c.yaml');
function read(requirements: string): Profile {
  writeFileSync(path, `baseUrl: http://x\nkeys: { valid: sk-a }\nrequirements: ${requirements}\n`);
  return readProfile(path, {}, {}, catalog);
}

test.each([
  ['./ours/*.yaml', ['ours/a.yaml', 'ours/b.yaml']],
  ['ours/b.yaml', ['ours/b.yaml']],
  ['[ours/b.yaml, ./ours/*.yaml]', ['ours/b.yaml', 'ours/a.yaml']],
  ['[ours/**/*.yaml, ours/**/*.yml]', ['ours/a.yaml', 'ours/b.yaml', 'ours/more/deep/c.yml']],
  ['"**/**/a.yaml"', ['ours/a.yaml']],
  ['ours/.hidden.yaml', ['ours/.hidden.yaml']],
])('the pattern %s names files below the folder of the profile', (pattern, expected) => {
  const { own } = read(pattern);
  expect(own.requirements.map(({ file }) => relative(join(folder, 'in'), file))).toEqual(expected);
});

test.each([
  ['../out/*.yaml', /must be below the folder of the profile/],
  ['ours/../../out/secret.yaml', /must be below the folder of the profile/],
  [`${folder}/out/secret.yaml`, /must be below the folder of the profile/],
  ['linked/secret.yaml', /matches no file.*links are not followed/],
  ['ours/linked.yaml', /matches no file/],
  ['./rules/*.yaml', /matches no file/],
  ['${GATEWAY_RULES}/*.yaml', /GATEWAY_RULES|matches no file/],
  ['./ours/*', /must end in \.yaml or \.yml/],
  ['[./ours/*.yaml, ./ours/no.yaml]', /requirements: ".\/ours\/no.yaml" matches no file/],
  ['[]', /requirements must not be empty/],
  ['7', /requirements must be a string or a list/],
])('the pattern %s is refused with its line', (pattern, message) => {
  let error: unknown;
  try {
    read(pattern);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(DataFileError);
  expect(error).toMatchObject({ message: expect.stringMatching(message), line: 3 });
});

test('the promise has the requirements of the files, also in deviations', () => {
  const profile = read('./ours/*.yaml\ndeviations: [{ requirement: ours/a, instead: { status: 404 } }]');
  const { requirements, clauses } = createPromise(catalog, profile);
  expect(requirements.slice(-2).map(({ id }) => id)).toEqual(['ours/a', 'ours/b']);
  expect(requirements.at(-2)?.instead).toMatchObject({ kind: 'status' });
  expect(clauses.get('ours a')).toBe('A sentence.');
});

test('a mistake in one of the files is shown with its file and line', () => {
  writeFileSync(join(folder, 'in/wrong.yaml'), `requirements:\n  - id: ours/x\n    clauses: []\n`);
  expect(() => createPromise(catalog, read('wrong.yaml'))).toThrow(/in\/wrong\.yaml:3: /);
});
