import { expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { catalogOfPackage } from './catalog.ts';
import { checkErrorNames } from './error-names.ts';
import { readErrors, statusesOf } from './errors.ts';
import { readRequirements } from './requirements.ts';

const { attributes, clauses, schemas } = await catalogOfPackage();
const row = 'status: 401, about: key, retry: false, clause: [7.1 401 invalid_api_key]';

const read = (text: string) => {
  const file = parseDataFile('errors.yaml', text);
  return { file, errors: readErrors(file, attributes, clauses, schemas) };
};

test.each([
  [
    'an unknown clause',
    'types:\n  bad_key: { status: 401, about: key, retry: false, clause: [7.1 401 invalid_api_kex] }\ncodes: {}',
    'errors.yaml:2: unknown clause "7.1 401 invalid_api_kex". Did you mean "7.1 401 invalid_api_key"?',
  ],
  [
    'an unknown value of an attribute',
    `types:\n  bad_key: { ${row}, shows: { key: emptied } }\ncodes: {}`,
    'errors.yaml:2: the attribute "key" has no value "emptied".',
  ],
  [
    'an unknown subject',
    'types:\n  bad_key: { status: 401, about: weather, retry: false, clause: [x] }\ncodes: {}',
    'errors.yaml:2: ',
  ],
])('rejects %s', (_, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test.each([
  [
    'an error without a row',
    '{ status: 401, type: bad_kex }',
    'l.yaml:2: "x/y": unknown error "bad_kex". Did you mean "bad_key"?',
  ],
  [
    'an error in a schema',
    '{ at: /error/type, is: { enum: [bad_key, worse] } }',
    'l.yaml:2: "x/y": unknown error "worse".',
  ],
  [
    'a code in alternatives',
    '{ anyOf: [{ status: 401, type: bad_key }, { code: gone }] }',
    'l.yaml:2: "x/y": unknown error "gone".',
  ],
  [
    'an error with another status',
    '{ status: 403, type: bad_key }',
    'l.yaml:2: "x/y": the status of "bad_key" is 401.',
  ],
  [
    'an error among several responses',
    '{ none: { status: 401, type: worse } }',
    'l.yaml:2: "x/y": unknown error "worse".',
  ],
  ['no error at all', '{ status: 401 }', 'errors.yaml:2: no requirement expects "bad_key".'],
])('rejects a requirement that names %s', (_, then, message) => {
  const requirement = `{ id: x/y, clause: [x], level: must, says: It must., when: { answer: { status: 401 } }, over: run, then: ${then} }`;
  const file = parseDataFile('l.yaml', `requirements:\n  - ${requirement}`);
  const { requirements } = readRequirements([file], attributes, schemas);
  expect(() =>
    checkErrorNames(read(`types:\n  bad_key: { ${row} }\ncodes: {}`), requirements, [file]),
  ).toThrow(message);
});

test('rejects a condition on an error without a row', () => {
  const requirement =
    '{ id: x/y, clause: [x], level: must, says: It must., when: { answer: { type: worse } }, over: run, then: { status: 401, type: bad_key } }';
  const file = parseDataFile('l.yaml', `requirements:\n  - ${requirement}`);
  const { requirements } = readRequirements([file], attributes, schemas);
  expect(() =>
    checkErrorNames(read(`types:\n  bad_key: { ${row} }\ncodes: {}`), requirements, [file]),
  ).toThrow('l.yaml:2: "x/y": unknown error "worse".');
});

test('the statuses of an error depend on the family', () => {
  const status = { A: 400, B: 402, C: 402 };
  expect(statusesOf({ status }, 'A')).toEqual([400]);
  expect(statusesOf({ status }, 'C')).toEqual([402]);
  expect(statusesOf({ status })).toEqual([400, 402]);
  expect(statusesOf({ status: 401 }, 'B')).toEqual([401]);
});
