// biome-ignore-all lint/suspicious/noThenProperty: a requirement is never awaited
import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { catalogOfPackage } from './catalog.ts';
import { addOwnData, noOwnData } from './own-data.ts';
import { findRequirements } from './requirements.ts';

const catalog = await catalogOfPackage();
const entry = (members: object): object => ({
  id: 'ours/a',
  clause: ['Headers'],
  level: 'must',
  says: 'It must.',
  then: { status: '2xx' },
  ...members,
});
const withRequirements = (...entries: object[]) =>
  withFile({ clauses: { Headers: 'A sentence.' }, requirements: entries });
const withFile = (value: object) =>
  addOwnData(catalog, {
    ...noOwnData,
    requirements: [parseDataFile('o.yaml', JSON.stringify(value, null, 1))],
  });
const withScenario = (members: object, name = 'ours.yaml') =>
  addOwnData(catalog, {
    ...noOwnData,
    scenarios: [
      parseDataFile(
        name,
        JSON.stringify({ about: 'A.', scenarios: [{ id: 'a', about: 'A.', ...members }] }, null, 1),
      ),
    ],
  });

describe('own data', () => {
  test('is added after that of the specification, with its own clauses', () => {
    const added = withRequirements(
      entry({ clause: ['Headers', '2.2 x-trace-id'], dependsOn: ['models/unlisted'] }),
    );
    expect(added.ledger.requirements.slice(0, -1)).toEqual(catalog.ledger.requirements);
    expect(added.ledger.requirements.at(-1)).toMatchObject({ id: 'ours/a', isOwn: true });
    expect(added.clauses.get('Headers')).toBe('A sentence.');
    expect(added.clauses.get('2.2 x-trace-id')).toBe(catalog.clauses.get('2.2 x-trace-id'));
  });
  test('without files changes nothing', () => {
    expect(addOwnData(catalog, noOwnData)).toBe(catalog);
  });
  test('changes the revision, which begins with that of the package', () => {
    const [one, same, other] = [{}, {}, { says: 'It must not.' }].map(
      (members) => withRequirements(entry(members)).revision,
    );
    expect(one).toMatch(new RegExp(`^${catalog.revision}\\+[0-9a-f]{12}$`));
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });
  test('does not change what the specification demands of a request with several invalid parts', () => {
    const { operations } = catalog;
    const attributes = completeAttributes(
      { operation: 'chat', key: 'unknown', model: 'unlisted' },
      { operations, profile: createEverythingProfile(catalog) },
    );
    const find = ({ ledger }: typeof catalog) =>
      findRequirements(attributes, ledger.requirements).filter(({ id }) => id === 'requests/several-faults');
    const added = withRequirements(entry({ then: { at: 'header x-a', is: {} } }));
    expect(find(added)).toHaveLength(1);
    expect(find(added)).toEqual(find(catalog));
  });
});

test.each<[about: string, entry: object, message: RegExp]>([
  ['a prefix of the package', { id: 'models/ours' }, /o\.yaml:7: .*begin with "models\/".*"ours\/"/],
  ['the prefix of duties of clients', { id: 'client/a' }, /o\.yaml:7: /],
  ['the prefix of generated requests', { id: 'fuzz/a' }, /o\.yaml:7: /],
  [
    'an unknown clause',
    { clause: ['Header'] },
    /o\.yaml:8: unknown clause "Header"\. Did you mean "Headers"/,
  ],
  ['an unknown requirement to depend on', { dependsOn: ['ours/b'] }, /o\.yaml:\d+: "ours\/a" depends on/],
  ['a requirement on another scope to depend on', { dependsOn: ['trace/distinct'] }, /is not `over: case`/],
  ['an unknown attribute', { when: { operatoin: 'chat' } }, /o\.yaml:\d+: .*Did you mean "operation"/],
  ['an unknown member', { than: {} }, /o\.yaml:\d+: unknown property "than".*Did you mean "then"/],
  ['an invalid status', { then: { status: '2x' } }, /o\.yaml:\d+: .*status/],
  ['an unknown schema', { then: { body: 'chat' } }, /o\.yaml:\d+: the schema "chat" does not exist/],
  [
    'an invalid schema',
    { then: { at: 'header x-a', is: { type: 'text' } } },
    /^o\.yaml:13: .*Correct the expectation/,
  ],
  [
    'a reference to another host',
    { then: { at: 'body', is: { $ref: 'http://x.example/s' } } },
    /^o\.yaml:13: /,
  ],
  ['an invalid regular expression', { then: { none: { path: '(' } } }, /^o\.yaml:13: .*Correct/],
  ['an unknown value of an attribute', { then: { attribute: { key: 'god' } } }, /^o\.yaml:13: .*"good"/],
  [
    'an expectation on several responses in another',
    { then: { status: 200, same: 'status' } },
    /stand alone/,
  ],
  ['the response to one of several faults', { then: { response: 'of-one-fault' } }, /^o\.yaml:13: /],
  ['an open question', { then: undefined, silent: 'Who knows?' }, /o\.yaml:\d+: .*`silent`/],
])('a requirement can not have %s', (_, members, message) => {
  expect(() => withRequirements(entry(members))).toThrow(message);
});

test('an ID can not be used twice', () => {
  expect(() => withRequirements(entry({}), entry({}))).toThrow(/o\.yaml:18: .*defined twice/);
});

test.each([
  ['1.1 a', /must begin with a letter/],
  ['A; b', /no semicolon/],
])('a clause can not have the name %s', (name, message) => {
  expect(() => withFile({ clauses: { [name]: 'A.' }, requirements: [] })).toThrow(message);
});

describe('a scenario', () => {
  test('belongs to the suite with the name of its file', () => {
    const { scenarios } = withScenario({ send: { operation: 'chat' } }, 'a/ours.yml');
    expect(scenarios.slice(0, -1)).toEqual(catalog.scenarios);
    expect(scenarios.at(-1)).toMatchObject({ suite: 'ours', id: 'a' });
  });
  test.each<[about: string, members: object, message: RegExp, name?: string]>([
    [
      'an unknown attribute',
      { send: { url: 'http://x.example' } },
      /ours\.yaml:\d+: unknown attribute "url"/,
    ],
    ['an unknown path', { send: { path: '/admin' } }, /ours\.yaml:\d+: .*has no value "\/admin"/],
    ['an unknown operation', { each: { operation: ['http://x.example'] } }, /ours\.yaml:\d+: /],
    ['an unknown body', { send: { operation: 'chat', body: 'mine' } }, /fixtures\/ has no "mine"/],
    ['the phase of controls', { phase: 'controls' }, /ours\.yaml:7: the controls of this package/],
    ['a pool', { pool: 'run', phase: 'pooled' }, /over: run/],
    ['the name of a suite of the package', {}, /"auth" is taken/, 'auth.yaml'],
    ['the prefix of requirements of the package', {}, /"trace" is taken/, 'trace.yaml'],
    ['a name that is no part of an ID', {}, /lower-case letters/, 'Our rules.yaml'],
  ])('can not have %s', (_, members, message, name) => {
    expect(() => withScenario(members, name)).toThrow(message);
  });
  test('can not be in two files of the same name', () => {
    const file = (path: string) => parseDataFile(path, 'about: A.\nscenarios: [{ id: a, about: A. }]');
    expect(() =>
      addOwnData(catalog, { ...noOwnData, scenarios: [file('a/ours.yaml'), file('b/ours.yaml')] }),
    ).toThrow(/a\/ours\.yaml has the same name/);
  });
});
