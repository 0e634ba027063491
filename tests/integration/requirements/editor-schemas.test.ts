import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { readDataFile } from '../../../common/data-file.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { listYamlFiles } from '../../../runner/catalog/catalog.ts';
import { createAttributesSchema } from '../../generated/schemas.ts';

const schemas = join(packageRoot, 'specs/schemas');
const ajv = new Ajv2020({ strict: false });
for (const file of ['requirements', 'scenario', 'editor/requirements', 'editor/scenario']) {
  const schema = JSON.parse(readFileSync(join(schemas, `${file}.schema.json`), 'utf8'));
  ajv.addSchema({ ...schema, $id: `https://schemas.test/${file}.schema.json` });
}
ajv.addSchema(createAttributesSchema(), 'https://schemas.test/editor/attributes.schema.json');

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
