import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAttributes } from '../runner/catalog/attributes.ts';
import { readOperations } from '../runner/catalog/read-operations.ts';
import { readRequirements } from '../runner/catalog/requirements.ts';
import { readScenarios } from '../runner/catalog/scenarios.ts';
import { DataFileError, type DataPath, formatYamlLine, parseDataFile, readDataFile } from './data-file.ts';
import { loadSchemas } from './schemas.ts';

const sentences = 'The first sentence of a long text.\nThe second sentence is after a line break.';
test.each<[string, unknown]>([
  ['a long text with a line break', sentences],
  ['a member that is a long text with a line break', { chat: { instructions: sentences } }],
  ['characters outside ASCII', ['ü', { '😀': '\u0085' }]],
])('formatYamlLine writes %s on one line of ASCII that parses to the same value', (_, value) => {
  const line = formatYamlLine(value);
  expect(line).toMatch(/^[\x20-\x7e]+$/);
  expect(parseDataFile('f.yaml', line).value).toEqual(value);
});

const schemas = await loadSchemas();

/** What reads an invalid file, by a description of the file. */
const invalid: Record<string, () => unknown> = {};

function addInvalid(subject: string, actions: Readonly<Record<string, () => unknown>>): void {
  for (const [about, action] of Object.entries(actions)) invalid[`${subject} ${about}`] = action;
}

/** Returns the message of the DataFileError that the action throws. */
function complaint(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof DataFileError) return error.message;
    throw error;
  }
  throw new Error('no error was thrown');
}

describe('the reader of data files', () => {
  const file = parseDataFile('f.yaml', 'a: 1\nb:\n  - c: 2\n  - d: 3\n');
  test.each<[string, (string | number)[], string]>([
    ['a value', ['a'], 'f.yaml:1: x'],
    ['an item of a list', ['b', 1, 'd'], 'f.yaml:4: x'],
    ['the nearest existing parent of an absent value', ['b', 0, 'e', 'f'], 'f.yaml:3: x'],
    ['the whole file', [], 'f.yaml:1: x'],
  ])('names the line of %s', (_, path, message) => {
    expect(file.error(path, 'x').message).toBe(message);
  });
  const rows = (count: number, line: (row: number) => string): string =>
    Array.from({ length: count }, (_, row) => line(row)).join('');
  addInvalid('A file with', {
    'invalid YAML': () => parseDataFile('f.yaml', 'a: 1\nb: [1, 2\n'),
    'a duplicate property': () => parseDataFile('f.yaml', 'a: 1\na: 2\n'),
    'a tab as indentation': () => parseDataFile('f.yaml', 'a:\n\t- 1\n'),
    'nested aliases that repeat many values': () =>
      parseDataFile(
        'f.yaml',
        `a: &a0 [1]\n${rows(9, (row) => `b${row}: &a${row + 1} [${rows(9, () => `*a${row}, `)}]\n`)}`,
      ),
    'an alias in its own value': () => parseDataFile('f.yaml', 'a: 1\nbodies: &b\n  chat: [*b]\n'),
    'an alias without an anchor': () => parseDataFile('f.yaml', 'a: 1\nb: *c\n'),
    'many aliases': () => parseDataFile('f.yaml', `a: &a 1\n${rows(1_001, (row) => `b${row}: *a\n`)}`),
    'many levels of lists': () => parseDataFile('f.yaml', `a: 1\nb: ${'['.repeat(20_000)}`),
    'many levels of mappings': () =>
      parseDataFile(
        'f.yaml',
        rows(102, (row) => `${' '.repeat(row)}a:\n`),
      ),
    'a mapping as a key': () => parseDataFile('f.yaml', 'a: 1\n? { b: 1 }\n: 2\n'),
    'two documents': () => parseDataFile('f.yaml', 'a: 1\n---\nb: 1\n'),
    'more than 1 MiB': () => {
      const file = join(mkdtempSync(join(tmpdir(), 'data-file-')), 'large.yaml');
      writeFileSync(file, `a: ${'x'.repeat(1024 * 1024)}`);
      readDataFile(file, 'large.yaml');
    },
    'no end, such as a device': () => readDataFile('/dev/zero', 'device.yaml'),
    'a path that does not exist': () => readDataFile('nowhere.yaml'),
    'the path of a folder': () => readDataFile('.', 'folder'),
  });
  test('accepts aliases and a hundred levels', () => {
    expect(parseDataFile('f.yaml', 'a: &a [1, 2]\nb: { c: *a }\nd: *a\n').value).toEqual({
      a: [1, 2],
      b: { c: [1, 2] },
      d: [1, 2],
    });
    expect(
      JSON.stringify(parseDataFile('f.yaml', `${'['.repeat(100)}1${']'.repeat(100)}`).value),
    ).toHaveLength(201);
  });
});

const attributes = readAttributes(
  parseDataFile(
    'attributes.yaml',
    'header: { values: [bearer, raw] }\nflag: { values: [true, false] }\nplace: { free: true }',
  ),
);

test.each([
  ['header', 'raw', true],
  ['flag', 'true', true],
  ['place', 'anything', true],
  ['heeder', 'raw', false],
  ['header', 'bearr', false],
])('validates the attribute %s with the value %j: %j', (name, value, isValid) => {
  expect(attributes.complaint(name, value) === undefined).toBe(isValid);
});

describe('a set of an attribute', () => {
  const read = (sets: string) =>
    readAttributes(
      parseDataFile('attributes.yaml', `header: { values: [bearer, raw, none], sets: ${sets} }`),
    );
  test('is resolved to its values', () => {
    const known = read('{ sent: [bearer, raw] }');
    expect(known.valuesOf('header', 'sent')).toEqual(['bearer', 'raw']);
    expect(known.valuesOf('header', 'raw')).toEqual(['raw']);
    expect(known.complaint('header', 'set')).toBeDefined();
  });
  addInvalid('A set of an attribute with', {
    'an unknown value': () => read('{ sent: [bearr] }'),
    'the name of a value': () => read('{ raw: [bearer] }'),
  });
});

describe('a requirement', () => {
  const read = (...lines: string[]) =>
    readRequirements(
      [
        parseDataFile(
          'l.yaml',
          ['common: { level: must, when: { flag: true } }', 'requirements:', ...lines].join('\n'),
        ),
      ],
      attributes,
      schemas,
    );
  const good = '  - { id: a/b, clause: [1], says: It., then: { status: 401 } }';
  test('merges the common members of its file with its own, which take precedence', () => {
    const [first, second] = read(
      good,
      '  - { id: a/c, clause: [1], level: should, says: It., when: { header: raw }, then: { status: 401 } }',
    ).requirements;
    expect(first).toMatchObject({ level: 'must', over: 'case', transient: 'excused' });
    expect(first?.when.attributes.map(({ name }) => name)).toEqual(['flag']);
    expect(second).toMatchObject({ level: 'should' });
    expect(second?.when.attributes.map(({ name }) => name)).toEqual(['flag', 'header']);
  });
  test('that is not checked does not get the common condition of its file', () => {
    const { uncheckedClauses: unchecked } = read(
      '  - { id: a/b, clause: [1], silent: Open. }',
      '  - { id: a/c, clause: [1], excluded: No., when: { header: raw } }',
    );
    expect(unchecked.map(({ kind, when }) => [kind, when !== undefined])).toEqual([
      ['silent', false],
      ['excluded', true],
    ]);
  });
  addInvalid('A requirement that', {
    'is defined twice': () => read(good, good),
    'has an unknown member': () => read(good.replace('says', 'say')),
    'has no id': () => read(good.replace('id: a/b, ', '')),
    'names no clause': () => read(good.replace('[1]', '[]')),
    'has an unknown level': () => read(good.replace('says', 'level: may, says')),
    'has an unknown `over`': () => read(good.replace('says', 'over: all, says')),
    'has no `says`': () => read(good.replace('says: It., ', '')),
    'has a condition on an unknown attribute': () => read(good.replace('then', 'when: { heder: raw }, then')),
    'has an unknown value in an alternative': () =>
      read(good.replace('then', 'when: { anyOf: [{ header: rw }] }, then')),
    'has a condition on the response of a single case': () =>
      read(good.replace('then', 'when: { answer: { status: 400 } }, then')),
    'has an unknown expectation': () => read(good.replace('status: 401', 'stats: 401')),
    'expects an invalid status': () => read(good.replace('401', '999')),
    'is in a file without `requirements`': () =>
      readRequirements([parseDataFile('l.yaml', '{}')], attributes, schemas),
  });
});

describe('a scenario', () => {
  const read = (...lines: string[]) =>
    readScenarios(
      's',
      parseDataFile('s.yaml', ['about: S', 'scenarios:', ...lines].join('\n')),
      schemas,
      attributes,
    );
  const good = '  - { id: a, about: A., each: { header: [bearer, raw] }, send: { flag: true } }';
  test('has defaults for omitted members', () => {
    expect(read(good)).toMatchObject([
      {
        id: 'a',
        phase: 'requests',
        times: 1,
        alone: false,
        send: { flag: 'true' },
        steps: [{ control: false }],
      },
    ]);
  });
  addInvalid('A scenario that', {
    'is defined twice': () => read(good, good),
    'has an unknown member': () => read(good.replace('send', 'sends')),
    'has an invalid id': () => read(good.replace('id: a', 'id: A B')),
    'is of an unknown phase': () => read(good.replace('each', 'phase: last, each')),
    'varies an unknown attribute': () => read(good.replace('header', 'heder')),
    'sends an unknown value': () => read(good.replace('flag: true', 'flag: 7')),
    'has a step with an unknown attribute': () =>
      read(good.replace('send', 'steps: [{ control: true, flg: true }], send')),
  });
});

const row = '{ family: A, surface: model, stated: spec, headers: [bearer], streams: never, clause: c }';
const names = { clauses: new Map([['c', 'C']]), requirements: [{ id: 'a/b' }], bodies: { chat: {} } };
const readOperation = (text: string) => readOperations(parseDataFile('o.yaml', text), schemas, names);
addInvalid('An operation with', {
  'an unknown family': () => readOperation(`chat: ${row.replace('A', 'D')}`),
  'an unknown header': () => readOperation(`chat: ${row.replace('bearer', 'bearr')}`),
  'an unknown property': () => readOperation(`chat: ${row.replace(' }', ', show: /a }')}`),
  'an unknown clause': () => readOperation(`chat: ${row.replace('clause: c', 'clause: d')}`),
  'an unknown body': () => readOperation(`chat: ${row.replace(' }', ', body: chta }')}`),
  'an unknown requirement': () => readOperation(`chat: ${row.replace(' }', ', presence: a/c }')}`),
  'an unknown plain operation': () => readOperation(`chat: ${row.replace(' }', ', plain: chatt }')}`),
  'an unknown ID': () => readOperation(`chatt: ${row}`),
  'an ID of only one operation': () => readOperation(`chat: ${row}`),
});

const list: DataPath = ['a'];
const item: DataPath = ['a', 1];
const text = 'a: [1, 2]\nb: { c: { d: 1 }, e: 2 }\n';

test.each<[string, DataPath[], string]>([
  ['a list and then an item of this list', [list, item], 'b: { c: { d: 1 }, e: 2 }\n'],
  ['an item and then its list', [item, list], 'b: { c: { d: 1 }, e: 2 }\n'],
  [
    'a mapping and then its property',
    [
      ['b', 'c'],
      ['b', 'c', 'd'],
    ],
    'a: [ 1, 2 ]\nb: { e: 2 }\n',
  ],
  ['two items of a list', [['a', 0], item], 'a: []\nb: { c: { d: 1 }, e: 2 }\n'],
])('an edit can remove %s', (_, remove, expected) => {
  expect(parseDataFile('f.yaml', text).edited({ remove, append: [] })).toBe(expected);
});

test('the errors of invalid files match data-file.errors.txt', async () => {
  const shown = Object.entries(invalid).map(([about, action]) => `# ${about}\n${complaint(action)}\n`);
  await expect(shown.join('\n')).toMatchFileSnapshot('data-file.errors.txt');
});
