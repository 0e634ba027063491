import { expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { attributesOfPackage } from './attributes.ts';
import { catalogOfPackage } from './catalog.ts';
import { checkFixtureNames } from './fixture-names.ts';
import { readScenarios } from './scenarios.ts';

const { fixtures, schemas } = await catalogOfPackage();

test.each([
  ['each: { body: [chat-turn] }', '"chat-turn" for this place. Did you mean "chat-turns"?'],
  ['send: { body: chat-turn }', '"chat-turn" for this place. Did you mean "chat-turns"?'],
  ['send: { fault: unparseable, given: truncatd }', '"truncatd" for this place. Did you mean "truncated"?'],
  ['send: { fault: wrong-type, given: truncated }', '"truncated" for this place. Expected one of:'],
  [
    '{ send: { fault: image }, steps: [{}, { given: adress }] }',
    '"adress" for this place. Did you mean "address"?',
  ],
  ['{ send: { model: unlisted }, each: { given: [wrd] } }', '"wrd" for this place. Did you mean "word"?'],
  [
    'derive: { schema: chat-request, from: [chat-turn] }',
    '"chat-turn" for this place. Did you mean "chat-turns"?',
  ],
])('a scenario with `%s` is rejected', (members, message) => {
  const own = members.replace(/^\{ (.*) \}$/, '$1');
  const file = parseDataFile('s.yaml', `about: S\nscenarios:\n  - { id: a, about: A, ${own} }`);
  const scenarios = readScenarios('s', file, schemas, attributesOfPackage());
  expect(() => checkFixtureNames(file, scenarios, fixtures)).toThrow(`s.yaml:3: fixtures/ has no ${message}`);
});
