import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../common/package-root.ts';
import { refusalReasons } from './apply-rules.ts';
import { operations } from './gateway/operations.ts';
import { createReferenceServer } from './index.ts';
import { readRules } from './read-rules.ts';
import { phases } from './rules/rule.ts';

/** A valid value of each word. */
const examples = {
  hold: '1ms',
  note: 'seen',
  forget: 'seen',
  answer: {},
  keys: { ignore: ['case'] },
  first: ['body'],
  skip: ['form'],
  refuse: 'internal',
  completion: 'Hello',
  use: 'errors-in-model-shape',
  status: 500,
  type: 'x',
  code: null,
  message: { remove: true },
  details: { value: { remove: true } },
  body: { '/error/code': { as: 'string' } },
  json: [{ right: '/error' }],
  text: '',
  events: [],
  error: 'internal',
  headers: { 'x-trace-id': { new: 'uuid' } },
  after: '1s',
  untilReleased: true,
  cut: 0,
  close: 'before-headers',
  encode: 'latin1',
  split: 100,
};

test.each<[string, unknown, RegExp]>([
  ['a value that is not a list', {}, /the value must be an array/],
  ['a rule without a change', [{}], /`\[0\]\.change` must be present/],
  ['a change without a word', [{ change: {} }], /`\[0\]\.change` must be non-empty/],
  ['an empty list of changes', [{ change: [] }], /`\[0\]\.change` must be non-empty/],
  [
    'an unknown word',
    [{ change: { colour: 1 } }],
    /`\[0\]\.change\.colour` must be omitted, because the only known properties are hold, /,
  ],
  ['a mistyped word', [{ change: { staus: 1 } }], /`\[0\]\.change\.staus` must be named `status`/],
  ['a mistyped required member', [{ chnge: {} }], /`\[0\]\.chnge` must be named `change`/],
  ['a mistyped condition', [{ match: { operaton: 'chat' }, change: { cut: 1 } }], /named `operation`/],
  [
    'an unknown operation',
    [{ match: { operation: 'chta' }, change: { cut: 1 } }],
    /operation` must be one of: chat, /,
  ],
  ['an unknown reason', [{ change: { refuse: 'no' } }], /change\.refuse` must be one of: missing-credential/],
  [
    'a refusal with an answer',
    [{ change: { refuse: 'internal', answer: {} } }],
    /change\.refuse` must be omitted/,
  ],
  [
    'two bodies',
    [{ change: { text: 'a', json: 1 } }],
    /change\.text` must be omitted in combination with `json`/,
  ],
  ['an invalid change in a list', [{ change: [{ cut: 1 }, {}] }], /`\[0\]\.change\[1\]` must/],
  ['a time without a unit', [{ change: { after: '5' } }], /after` must be a time/],
  ['a time that is too long for a timer', [{ change: { after: '99999m' } }], /after` must/],
  ['a header with a line break', [{ change: { headers: { a: 'b\r\nc: d' } } }], /headers\.a` must/],
  ['a content length', [{ change: { headers: { 'Content-Length': 3 } } }], /headers` must/],
  ['a status that is not final', [{ change: { status: 101 } }], /status` must be a number of at least 200/],
  ['a member instead of a pointer', [{ change: { body: { error: 1 } } }], /change\.body` must/],
  ['an unknown form', [{ change: { body: { '/error': { as: 'lower' } } } }], /must be one of: string, json/],
  [
    'a problem without a refusal',
    [{ match: { problem: { place: 'model' } }, change: { cut: 1 } }],
    /match\.refused` must be present/,
  ],
  [
    'a problem of an unknown kind',
    [{ match: { refused: true, problem: { plce: 'a' } }, change: { cut: 1 } }],
    /match\.problem` must/,
  ],
  [
    'different requests without facts',
    [{ match: { distinct: true }, change: { cut: 1 } }],
    /match\.by` must be present/,
  ],
  ['events of two kinds', [{ change: { events: ['a', { data: 1 }] } }], /events\[1\]` must be a string/],
  [
    'counts in alternatives',
    [{ match: { anyOf: [{ every: 2 }] }, change: { cut: 1 } }],
    /anyOf\[0\]\.every` must/,
  ],
])('refuses %s, and names the place', (_name, value, message) => {
  expect(() => readRules(value)).toThrow(message);
});

describe('a fact that is known later than the change acts', () => {
  const early =
    /match(\.not|\.anyOf\[0\])?\.refused` must be omitted: `refused` is known only when the server has decided/;
  test.each<[string, unknown]>([
    ...(['hold', 'answer', 'keys', 'first', 'skip', 'completion'] as const).map((word): [string, unknown] => [
      word,
      [{ match: { refused: true }, change: { [word]: examples[word] } }],
    ]),
    ['in `not`', [{ match: { not: { refused: 'bad-key' } }, change: { hold: '1ms' } }]],
    ['in `anyOf`', [{ match: { anyOf: [{ refused: 'bad-key' }] }, change: { hold: '1ms' } }]],
    ['in a list of changes', [{ match: { refused: true }, change: [{ status: 500 }, { hold: '1ms' }] }]],
  ])('is refused: `refused` with %s', (_, value) => {
    expect(() => readRules(value)).toThrow(early);
  });
  test.each(['place', 'credential', 'key'])('is refused: `%s` with `keys`', (fact) => {
    expect(() => readRules([{ match: { [fact]: 'none' }, change: { keys: { ignore: ['case'] } } }])).toThrow(
      `\`[0].match.${fact}\` must be omitted: \`${fact}\` is known only after keys are read`,
    );
  });
  test('is accepted if the change acts later', () => {
    for (const word of [...phases.reply, ...phases.wire, 'note', 'forget', 'refuse', 'use'] as const)
      expect(
        readRules([{ match: { refused: true, key: 'valid' }, change: { [word]: examples[word] } }]),
      ).toHaveLength(1);
    for (const word of [...phases.arrive, ...phases.decide])
      expect(readRules([{ match: { key: 'valid' }, change: { [word]: examples[word] } }])).toHaveLength(1);
  });
});

test('a server does not start with an invalid rule, and keeps its rules if a new one is invalid', async () => {
  // A caller in JavaScript can pass any value.
  await expect(Reflect.apply(createReferenceServer, undefined, [{ rules: [{}] }])).rejects.toThrow(/change/);
  const server = await createReferenceServer({ rules: [{ change: { answer: { status: 418 } } }] });
  expect(() => server.rules([{ change: { after: 'soon' } }])).toThrow(/after/);
  expect((await fetch(server.url)).status).toBe(418);
  await server.close();
});

describe('the schema of rules', () => {
  const { $defs } = JSON.parse(readFileSync(join(packageRoot, 'specs/schemas/rules.schema.json'), 'utf8'));
  test('has every operation and every reason', () => {
    expect([...$defs.operation.enum].sort()).toEqual(Object.keys(operations).sort());
    expect($defs.reason.enum).toEqual(refusalReasons);
  });
  test('has every word of each phase, and says its phase', () => {
    const words = Object.entries(phases).flatMap(([phase, names]) => names.map((name) => [phase, name]));
    expect(Object.keys($defs.change.properties)).toEqual(words.map(([, name]) => name));
    for (const [phase = '', name = ''] of words) {
      const { description = $defs.edit.description } = $defs.change.properties[name];
      expect(description.toLowerCase()).toMatch(new RegExp(`^${phase}: `));
    }
  });
});
