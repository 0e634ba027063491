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
  test.each([
    ['a: 1\nb: [1, 2\n', /^f\.yaml:\d: /],
    ['a: 1\na: 2\n', /^f\.yaml:2: duplicate property "a"\./],
    ['a:\n\t- 1\n', /^f\.yaml:2: /],
  ])('rejects invalid YAML with its line: %j', (text, message) => {
    expect(complaint(() => parseDataFile('f.yaml', text))).toMatch(message);
  });
  const rows = (count: number, line: (row: number) => string): string =>
    Array.from({ length: count }, (_, row) => line(row)).join('');
  test.each<[string, string, RegExp]>([
    [
      'nested aliases that repeat many values',
      `a: &a0 [1]\n${rows(9, (row) => `b${row}: &a${row + 1} [${rows(9, () => `*a${row}, `)}]\n`)}`,
      /^f\.yaml:6: aliases repeat too many values/,
    ],
    [
      'an alias in its own value',
      'a: 1\nbodies: &b\n  chat: [*b]\n',
      /^f\.yaml:3: the alias \*b is part of its own value/,
    ],
    ['an alias without an anchor', 'a: 1\nb: *c\n', /^f\.yaml:2: the alias \*c has no anchor\./],
    ['many aliases', `a: &a 1\n${rows(1_001, (row) => `b${row}: *a\n`)}`, /^f\.yaml:1002: aliases repeat/],
    [
      'many levels of lists',
      `a: 1\nb: ${'['.repeat(20_000)}`,
      /^f\.yaml:2: lists and mappings are nested deeper than 100/,
    ],
    [
      'many levels of mappings',
      rows(102, (row) => `${' '.repeat(row)}a:\n`),
      /^f\.yaml:102: lists and mappings/,
    ],
    [
      'a mapping as a key',
      'a: 1\n? { b: 1 }\n: 2\n',
      /^f\.yaml:2: the name of a property must be plain text/,
    ],
    ['two documents', 'a: 1\n---\nb: 1\n', /^f\.yaml:2: a second document begins here/],
  ])('rejects %s with the line', (_, text, message) => {
    expect(complaint(() => parseDataFile('f.yaml', text))).toMatch(message);
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
  test('rejects a file that is too large, and does not read a device to its end', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'data-file-')), 'large.yaml');
    writeFileSync(file, `a: ${'x'.repeat(1024 * 1024)}`);
    const message = /^large: the file is larger than 1 MiB\. /;
    expect(complaint(() => readDataFile(file, 'large'))).toMatch(message);
    expect(complaint(() => readDataFile('/dev/zero', 'large'))).toMatch(message);
  });
  test('reports a file that does not exist, and a folder, with a remedy', () => {
    expect(complaint(() => readDataFile('nowhere.yaml'))).toBe(
      'nowhere.yaml: the file does not exist. Check the path.',
    );
    expect(complaint(() => readDataFile('.', 'a folder'))).toMatch(
      'a folder: the path is a folder. Choose a file in this folder.',
    );
  });
});

const attributes = readAttributes(
  parseDataFile(
    'attributes.yaml',
    'header: { values: [bearer, raw] }\nflag: { values: [true, false] }\nplace: { free: true }',
  ),
);

test.each([
  ['header', 'raw', undefined],
  ['flag', 'true', undefined],
  ['place', 'anything', undefined],
  ['heeder', 'raw', 'unknown attribute "heeder". Did you mean "header"?'],
  ['header', 'bearr', 'the attribute "header" has no value "bearr". Did you mean "bearer"?'],
])('validates the attribute %s with the value %j: %j', (name, value, expected) => {
  expect(attributes.complaint(name, value)).toBe(expected);
});

test('resolves a set of an attribute to the values of the set, and rejects an invalid set', () => {
  const read = (sets: string) =>
    readAttributes(
      parseDataFile('attributes.yaml', `header: { values: [bearer, raw, none], sets: ${sets} }`),
    );
  const known = read('{ sent: [bearer, raw] }');
  expect(known.valuesOf('header', 'sent')).toEqual(['bearer', 'raw']);
  expect(known.valuesOf('header', 'raw')).toEqual(['raw']);
  expect(known.complaint('header', 'set')).toBe(
    'the attribute "header" has no value "set". Did you mean "sent"?',
  );
  expect(complaint(() => read('{ sent: [bearr] }'))).toBe(
    'attributes.yaml:1: the attribute "header" has no value "bearr". Did you mean "bearer"?',
  );
  expect(complaint(() => read('{ raw: [bearer] }'))).toBe(
    'attributes.yaml:1: the set "raw" has the same name as a value. Rename the set.',
  );
});

describe('a requirement', async () => {
  const schemas = await loadSchemas();
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
  test.each([
    ['is defined twice', [good, good], 'l.yaml:4: the requirement "a/b" is defined twice'],
    [
      'has an unknown member',
      [good.replace('says', 'say')],
      'l.yaml:3: must NOT have additional properties: say',
    ],
    ['has no id', [good.replace('id: a/b, ', '')], "l.yaml:3: must have required property 'id'"],
    ['names no clause', [good.replace('[1]', '[]')], 'l.yaml:3: must NOT have fewer than 1 items'],
    [
      'has an unknown level',
      [good.replace('says', 'level: may, says')],
      'l.yaml:3: must be equal to one of the allowed values: must, should',
    ],
    [
      'has an unknown `over`',
      [good.replace('says', 'over: all, says')],
      'l.yaml:3: must be equal to one of the allowed values: case, operation, run',
    ],
    [
      'has no `says`',
      ['  - { id: a/b, clause: [1], then: { status: 401 } }'],
      "l.yaml:3: must have required property 'says'",
    ],
    [
      'has a condition on an unknown attribute',
      [good.replace('then', 'when: { heder: raw }, then')],
      'l.yaml:3: unknown attribute "heder". Did you mean "header"?',
    ],
    [
      'has an unknown value in an alternative',
      [good.replace('then', 'when: { anyOf: [{ header: rw }] }, then')],
      'l.yaml:3: the attribute "header" has no value "rw". Did you mean "raw"?',
    ],
    [
      'has a condition on the response of a single case',
      [good.replace('then', 'when: { answer: { status: 400 } }, then')],
      'l.yaml:3: "a/b" has a condition on the response',
    ],
    [
      'has an unknown expectation',
      [good.replace('status: 401', 'stats: 401')],
      'l.yaml:3: must NOT have additional properties: stats',
    ],
    ['expects an invalid status', [good.replace('401', '999')], 'l.yaml:3: must be <= 599'],
  ])('that %s is rejected with its line', (_, lines, message) => {
    expect(complaint(() => read(...lines))).toContain(message);
  });
  test('in a file without the property `requirements` is rejected', () => {
    expect(complaint(() => readRequirements([parseDataFile('l.yaml', '{}')], attributes, schemas))).toBe(
      "l.yaml:1: must have required property 'requirements'",
    );
  });
});

describe('a scenario', async () => {
  const schemas = await loadSchemas();
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
  test.each([
    ['is defined twice', [good, good], 's.yaml:4: the scenario "a" is defined twice'],
    ['has an unknown member', [good.replace('send', 'sends')], /^s\.yaml:3: .*additional properties.*sends/],
    ['has an invalid id', [good.replace('id: a', 'id: A B')], /^s\.yaml:3: must match pattern/],
    [
      'is of an unknown phase',
      [good.replace('each', 'phase: last, each')],
      /^s\.yaml:3: must be equal to one of/,
    ],
    ['varies an unknown attribute', [good.replace('header', 'heder')], 's.yaml:3: unknown attribute "heder"'],
    [
      'sends an unknown value',
      [good.replace('flag: true', 'flag: 7')],
      's.yaml:3: the attribute "flag" has no value "7"',
    ],
    [
      'has a step with an unknown attribute',
      [good.replace('send', 'steps: [{ control: true, flg: true }], send')],
      's.yaml:3: unknown attribute "flg"',
    ],
  ])('that %s is rejected with its line', (_, lines, message) => {
    expect(complaint(() => read(...lines))).toMatch(message);
  });
});

describe('an operation', async () => {
  const row = '{ family: A, surface: model, stated: spec, headers: [bearer], streams: never, clause: c }';
  const names = { clauses: new Map([['c', 'C']]), requirements: [{ id: 'a/b' }], bodies: { chat: {} } };
  const schemas = await loadSchemas();
  const read = (text: string) => readOperations(parseDataFile('o.yaml', text), schemas, names);
  test.each([
    ['an unknown family', row.replace('A', 'D'), 'o.yaml:1: must be equal to one of the allowed values'],
    [
      'an unknown header',
      row.replace('bearer', 'bearr'),
      'o.yaml:1: must be equal to one of the allowed values',
    ],
    [
      'an unknown property',
      row.replace(' }', ', show: /a }'),
      'o.yaml:1: must NOT have additional properties: show',
    ],
    ['an unknown clause', row.replace('clause: c', 'clause: d'), 'o.yaml:1: unknown clause "d"'],
    [
      'an unknown body',
      row.replace(' }', ', body: chta }'),
      'o.yaml:1: unknown body "chta". Did you mean "chat"?',
    ],
    ['an unknown requirement', row.replace(' }', ', presence: a/c }'), 'o.yaml:1: unknown requirement "a/c"'],
    [
      'an unknown plain operation',
      row.replace(' }', ', plain: chatt }'),
      'o.yaml:1: unknown operation "chatt"',
    ],
  ])('with %s is rejected with its line', (_, text, message) => {
    expect(complaint(() => read(`chat: ${text}`))).toContain(message);
  });
  test('with an unknown ID is rejected', () => {
    expect(complaint(() => read(`chatt: ${row}`))).toContain(
      'unknown operation "chatt". Did you mean "chat"?',
    );
  });
  test('that is missing is reported', () => {
    expect(complaint(() => read(`chat: ${row}`))).toContain('the operation "responses" is missing');
  });
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
