import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { readDataFile } from '../../../common/data-file.ts';
import { toList, toMapping } from '../../../common/mapping.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { namedChanges } from '../../../reference-server/named-changes/index.ts';
import { listYamlFiles } from '../../../runner/catalog/catalog.ts';

const schemas = join(packageRoot, 'specs/schemas');
const attributes = Object.entries(
  toMapping(readDataFile(join(packageRoot, 'specs/attributes.yaml')).value),
).map(([name, entry]) => ({ name, ...toMapping(entry) }) as const);
type Entry = (typeof attributes)[number] & Readonly<Record<string, unknown>>;

const reference = (name: string): object => ({ $ref: `#/$defs/${name}` });
const oneOrMore = (value: object): object[] => [value, { type: 'array', minItems: 1, items: value }];

/** Returns the schema of an attribute. The schema describes each value and each set of values. */
function valuesOf({ values, sets, free }: Entry): object {
  const known = Object.entries(toMapping(values)).map(([value, description]) => ({
    // YAML reads `true` as a boolean.
    const: value === 'true' || value === 'false' ? value === 'true' : value,
    description: toMapping(description).says ?? description,
  }));
  const named = Object.entries(toMapping(sets)).map(([set, members]) => ({
    const: set,
    description: `One of: ${toList(members).join(', ')}`,
  }));
  return { anyOf: [...known, ...named, ...(free ? [{ type: ['string', 'number', 'boolean'] }] : [])] };
}

/** Returns the schema of a condition on an attribute. */
function conditionOn(name: string): object {
  const values = oneOrMore(reference(name));
  const not = { type: 'object', additionalProperties: false, properties: { not: { anyOf: values } } };
  return { anyOf: [...values, not] };
}

function createSchema(): object {
  const properties = (of: (entry: Entry) => object, entries: readonly Entry[] = attributes): object =>
    Object.fromEntries(entries.map((entry) => [entry.name, { description: entry.about, ...of(entry) }]));
  // Scenarios do not set an attribute that is derived from other attributes.
  const own = attributes.filter((entry: Entry) => entry.derived !== true);
  const sent = properties(({ name }) => reference(name), own);
  // The schema allows one level of alternatives, since some editors cannot load a recursive schema for two kinds of
  // files.
  const alternative = {
    type: 'object',
    additionalProperties: false,
    properties: properties(({ name }) => reference(`${name}-condition`)),
  };
  const groups = {
    type: 'object',
    additionalProperties: reference('attributes'),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The attributes of specs/attributes.yaml. This file is written by `npm run schemas:editor`.',
    $defs: {
      condition: {
        ...alternative,
        properties: { anyOf: { items: alternative }, answer: true, ...alternative.properties },
      },
      attributes: { type: 'object', additionalProperties: false, properties: sent },
      step: {
        type: 'object',
        additionalProperties: false,
        properties: {
          // The schema of a suite describes these properties.
          ...{ control: true, do: true, during: true },
          ...sent,
        },
      },
      axes: {
        type: 'object',
        properties: properties(
          ({ name }) => ({
            anyOf: [
              {
                type: 'array',
                items:
                  // `limited` stands for the operation of the rate limit in the profile.
                  name === 'operation' ? { anyOf: [reference(name), { const: 'limited' }] } : reference(name),
              },
              groups,
            ],
          }),
          own,
        ),
        additionalProperties: groups,
      },
      ...Object.fromEntries(
        attributes.flatMap((entry) => [
          [entry.name, valuesOf(entry)],
          [`${entry.name}-condition`, conditionOn(entry.name)],
        ]),
      ),
    },
  };
}

test('specs/schemas/editor/attributes.schema.json has the attributes, their values and the lists of values', async () => {
  await expect(`${JSON.stringify(createSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
    join(schemas, 'editor/attributes.schema.json'),
  );
});

test('specs/schemas/named-changes.schema.json has every change that a rule can use, with its meaning', async () => {
  const meanings = Object.entries(namedChanges).map(([name, { about }]) => `${name}: ${about}`);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'named-changes.schema.json',
    title: 'The names of changes in code. This file is written by `npm run schemas:editor`.',
    description: `${meanings.join('; ')}.`,
    enum: Object.keys(namedChanges),
  };
  await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(
    join(schemas, 'named-changes.schema.json'),
  );
});

const ajv = new Ajv2020({ strict: false });
for (const file of ['requirements', 'scenario', 'editor/requirements', 'editor/scenario']) {
  const schema = JSON.parse(readFileSync(join(schemas, `${file}.schema.json`), 'utf8'));
  ajv.addSchema({ ...schema, $id: `https://schemas.test/${file}.schema.json` });
}
ajv.addSchema(createSchema(), 'https://schemas.test/editor/attributes.schema.json');

/** Whether editors accept a value as a file of requirements, or as a suite. */
function isValid(kind: string, value: unknown): boolean {
  return ajv.validate(`https://schemas.test/editor/${kind}.schema.json`, value) === true;
}

describe.each([
  ['requirements', 'specs/requirements', '../schemas/editor/requirements.schema.json'],
  ['scenario', 'suites', '../specs/schemas/editor/scenario.schema.json'],
])('the schema for editors of a file of kind %s', (name, folder, path) => {
  test.each(listYamlFiles(join(packageRoot, folder)).map((file) => [basename(file), file]))(
    'allows %s, which refers to the schema',
    (_, file) => {
      expect(isValid(name, readDataFile(file).value)).toBe(true);
      expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(`# yaml-language-server: $schema=${path}`);
    },
  );
});

describe('editors accept only known attributes and values', () => {
  const requirement = (when: unknown): unknown => ({
    requirements: [{ id: 'a/b', clause: [1], silent: 'A.', when }],
  });
  test.each<[string, boolean, unknown]>([
    ['a value', true, { key: 'unknown' }],
    ['a list of values', true, { key: ['unknown', 'truncated'] }],
    ['the name of a list of values', true, { key: ['wrong', 'deleted'] }],
    ['a boolean', true, { streamed: false }],
    ['a value that is excluded', true, { key: { not: 'good' } }],
    ['any text for a free attribute', true, { member: 'x' }],
    ['a derived attribute', true, { accepted: true }],
    ['an unknown attribute', false, { keys: 'good' }],
    ['an unknown value', false, { key: 'unknwon' }],
    ['an unknown value in a list', false, { key: ['good', 'unknwon'] }],
    ['an unknown value that is excluded', false, { key: { not: 'unknwon' } }],
    ['an unknown value in an alternative', false, { anyOf: [{ key: 'unknwon' }] }],
  ])('in the condition of a requirement: %s: %j', (_, valid, when) => {
    expect(isValid('requirements', requirement(when))).toBe(valid);
    const shared = { common: { when }, requirements: [] };
    expect(isValid('requirements', shared)).toBe(valid);
  });
  const scenario = (members: object): unknown => ({
    about: 'A.',
    scenarios: [{ id: 'a', about: 'A.', ...members }],
  });
  test.each<[string, boolean, object]>([
    ['an axis', true, { each: { operation: ['model-calls'], key: ['changed'] } }],
    ['an axis of groups', true, { each: { credential: { none: { header: 'none', key: 'none' } } } }],
    ['the operation with a limit', true, { each: { operation: ['limited'] } }],
    ['an unknown value of an axis', false, { each: { key: ['chnged'] } }],
    ['an axis that is not an attribute', false, { each: { keys: ['changed'] } }],
    ['an unknown value in a group', false, { each: { credential: { none: { key: 'stranger' } } } }],
    ['an unknown attribute in a group', false, { each: { credential: { none: { keys: 'none' } } } }],
    ['an attribute that is sent', true, { send: { key: 'good' } }],
    ['an unknown attribute that is sent', false, { send: { keys: 'good' } }],
    ['a derived attribute that is sent', false, { send: { accepted: true } }],
    ['a step', true, { steps: [{ control: true, key: 'good' }] }],
    ['an unknown value of a step', false, { steps: [{ key: 'god' }] }],
    ['an unknown attribute of a step', false, { steps: [{ keys: 'good' }] }],
    ['an unknown value in `where`', false, { where: { header: 'bearr' } }],
    [
      'an unknown value in `except`',
      false,
      { derive: { schema: 's', from: ['a'], except: [{ key: 'god' }] } },
    ],
  ])('in a scenario: %s: %j', (_, valid, members) => {
    expect(isValid('scenario', scenario(members))).toBe(valid);
  });
});
