import { expect, test } from 'vitest';
import type { Facts } from './facts.ts';
import type { Change, Match, Rule } from './rule.ts';
import { createRules, type Rules } from './rules.ts';

const factsOf = (path: string, now = 0): Facts => ({
  request: {
    method: 'GET',
    path,
    query: new URLSearchParams(path.split('?')[1]),
    headers: { 'x-n': path },
    connection: path,
  },
  now,
  operation: undefined,
  family: undefined,
  surface: undefined,
  sent: { text: () => '', body: undefined, model: undefined, streamed: false },
  caller: { place: 'none', credential: '', key: undefined },
});

/** Sends a request, and returns its changes. */
function send(rules: Rules, path: string, now?: number): Change {
  const ruled = rules.begin(factsOf(path, now));
  ruled?.arrive(factsOf(path, now));
  const change =
    ruled?.reply({ ...factsOf(path, now), refused: path === '/refused' ? 'bad-key' : false }) ?? {};
  ruled?.end();
  return change;
}

const a = { status: 500 };

test.each<[string, Match, string, string]>([
  ['every third', { every: 3 }, '/ / / / / /', '..x..x'],
  ['from the third on', { from: 3 }, '/ / / /', '..xx'],
  ['the second and the fifth', { nth: [2, 5] }, '/ / / / / /', '.x..x.'],
  [
    'every second path, once each',
    { distinct: true, every: 2, times: 1, by: ['path'] },
    '/a /a /b /b /c /d /b',
    '..x..x.',
  ],
  ['every second path', { distinct: true, every: 2, by: ['path'] }, '/a /b /b /a /c', '.xx..'],
  ['one of each query', { times: 1, by: ['query'] }, '/a?n=1 /a?n=2 /b?n=1', 'xx.'],
  ['at most two', { times: 2 }, '/ / /', 'xx.'],
  ['the third only', { from: 3, times: 1 }, '/ / / /', '..x.'],
  ['every second of a path', { path: '/a', every: 2 }, '/a / /a /a / /a', '..x..x'],
  ['every second of each path', { every: 2, by: ['path'] }, '/a /b /a /b', '..xx'],
  ['one of each value of a header', { times: 1, by: ['x-n'] }, '/a /b /a', 'xx.'],
  ['every second refusal', { refused: true, every: 2 }, '/refused / /refused /', '..x.'],
  ['those that are not refused', { not: { refused: 'bad-*' } }, '/refused /', '.x'],
])('a rule applies to %s', (_, match, paths, expected) => {
  const rules = createRules([{ match, change: a }]);
  const seen = paths.split(' ').map((path) => ('status' in send(rules, path) ? 'x' : '.'));
  expect(seen.join('')).toBe(expected);
});

test('a body that is null counts apart from no body', () => {
  const rules = createRules([{ match: { times: 1, by: ['body'] }, change: a }]);
  const seen = [undefined, null, undefined, null].map((body) => {
    const facts = { ...factsOf('/'), sent: { text: () => '', body, model: undefined, streamed: false } };
    return 'status' in (rules.begin(facts)?.arrive(facts) ?? {});
  });
  expect(seen).toEqual([true, true, false, false]);
});

test('a note is remembered for as long as `within` says, apart by facts', () => {
  const rules = createRules([
    { match: { path: '/note*' }, change: { note: { name: 'n', by: ['connection'] } } },
    { match: { noted: { name: 'n', by: ['connection'], within: '1s' } }, change: a },
  ]);
  expect(send(rules, '/other', 0)).toEqual({});
  expect(send(rules, '/note', 0)).toEqual(a);
  expect(send(rules, '/note-2', 500)).toEqual(a);
  expect(send(rules, '/other', 500)).toEqual({});
});

test('a note lasts without `within`, and can be made by a refusal', () => {
  const rules = createRules([
    { match: { noted: 'n' }, change: a },
    { match: { refused: true }, change: { note: 'n' } },
  ]);
  expect(send(rules, '/refused')).toEqual({});
  expect(send(rules, '/', 1e9)).toEqual(a);
});

test('a note can be forgotten', () => {
  const rules = createRules([
    { match: { refused: true }, change: { note: 'n' } },
    { match: { noted: 'n' }, change: { ...a, forget: 'n' } },
  ]);
  expect(['/', '/refused', '/', '/'].map((path) => send(rules, path))).toEqual([{}, {}, a, {}]);
});

test('`during` finds a request that arrives while this one waits', () => {
  const rules = createRules([
    { change: { hold: '5ms' } },
    { match: { path: '/a', during: { path: '/b' } }, change: { refuse: 'bad-key' } },
  ]);
  const held = rules.begin(factsOf('/a'));
  expect(held?.arrive(factsOf('/a'))).toEqual({ hold: '5ms' });
  const other = rules.begin(factsOf('/b'));
  expect(held?.arrive(factsOf('/a'))).toEqual({ hold: '5ms', refuse: 'bad-key' });
  other?.end();
  expect(held?.arrive(factsOf('/a'))).toEqual({ hold: '5ms', refuse: 'bad-key' });
});

test('the first rule that changes a thing wins; the reply is one thing, and each other word another', () => {
  const rules = createRules([
    { match: { times: 1 }, change: { status: 500, after: '1s' } },
    { change: { text: 'x', after: '2s', headers: { b: 1 } } },
    { change: { text: 'y' } },
    { change: { answer: {} } },
    { change: { refuse: 'internal' } },
  ]);
  expect(send(rules, '/')).toEqual({ status: 500, after: '1s', headers: { b: 1 }, answer: {} });
  expect(send(rules, '/')).toEqual({ text: 'x', after: '2s', headers: { b: 1 }, answer: {} });
  expect(rules.list().map(({ used }) => used)).toEqual([1, 2, 0, 2, 0]);
});

test('a list of changes is used in turn', () => {
  const rules = createRules([{ match: { times: 3 }, change: [{ cut: 1 }, { cut: 2 }] }]);
  expect([1, 2, 3, 4].map(() => send(rules, '/').cut)).toEqual([1, 2, 1, undefined]);
});

test('a rule that stays in the list keeps its count', () => {
  const kept: Rule = { match: { times: 2 }, change: a };
  const rules = createRules([kept]);
  send(rules, '/');
  rules.replace([{ match: { path: '/x' }, change: a }, kept]);
  expect([send(rules, '/'), send(rules, '/')]).toEqual([a, {}]);
  rules.replace([{ ...kept }]);
  expect(send(rules, '/')).toEqual(a);
});

test('`during` finds another request under way, not itself', () => {
  const rules = createRules([{ match: { path: '/a', during: { path: '/b' } }, change: a }]);
  const slow = rules.begin(factsOf('/b'));
  expect(send(rules, '/b')).toEqual({});
  expect(send(rules, '/a')).toEqual(a);
  slow?.end();
  expect(send(rules, '/a')).toEqual({});
});

test.each<[string, Rule, boolean]>([
  ['the path', { match: { path: '/*' }, change: a }, false],
  ['another path and the body', { match: { path: '/x', body: {} }, change: a }, false],
  ['the model', { match: { model: '*' }, change: a }, true],
  ['the key of those it counts apart', { match: { times: 1, by: ['key'] }, change: a }, true],
  ['the place of those it notes', { change: { note: { name: 'n', by: ['place'] } } }, true],
  ['the refusal and the key', { match: { refused: true, key: 'valid' }, change: a }, false],
  ['nothing, but refuses', { change: { refuse: 'internal' } }, true],
  ['the key of another request', { match: { path: '/x', during: { key: 'valid' } }, change: a }, true],
  ['nothing, but changes the body', { change: { body: { '/a': 1 } } }, false],
])('the server reads ahead if a rule asks for %s', (_, rule, expected) => {
  const { sent: _sent, caller: _caller, ...head } = factsOf('/a');
  expect(createRules([rule]).begin(head)?.needsReading).toBe(expected);
});

test('there is nothing to do without rules', () => {
  expect(createRules().begin(factsOf('/'))).toBeUndefined();
});

test('the rules that changed something are known, with what they changed', () => {
  const first: Rule = { change: { status: 500, after: '1s' } };
  const second: Rule = { change: { text: 'x', cut: 1 } };
  const ruled = createRules([first, second, { change: { status: 400 } }]).begin(factsOf('/'));
  ruled?.arrive(factsOf('/'));
  expect(ruled?.applied()).toEqual([
    { rule: first, words: ['status', 'after'] },
    { rule: second, words: ['cut'] },
  ]);
});
