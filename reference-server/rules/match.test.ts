import { expect, test } from 'vitest';
import type { Facts } from './facts.ts';
import { matches } from './match.ts';
import type { Match } from './rule.ts';

const body = {
  model: 'gpt-reference',
  temperature: 0,
  stop: null,
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'How is the weather\nin Ulm?' },
  ],
};
const head: Facts = {
  request: {
    method: 'POST',
    path: '/v1/chat/completions',
    query: new URLSearchParams('page=12'),
    headers: { 'user-agent': 'App/1.2 (test)', 'x-tenant': 'acme', accept: '*/*', 'content-length': '200' },
    connection: '',
  },
  now: 0,
  operation: 'chat',
  family: 'A',
  surface: 'model',
};
const problem = { place: 'messages[1].role', value: 7 };
const facts: Facts = {
  ...head,
  sent: {
    text: () => JSON.stringify(body),
    body,
    model: 'gpt-reference',
    streamed: true,
    findProblem: () => problem,
  },
  caller: { place: 'bearer', credential: 'sk', key: 'foreign' },
  refused: 'low-balance',
  problem: { place: 'messages[0].role', type: 'string' },
};

test.each<[Match, boolean]>([
  [{}, true],
  [{ operation: 'chat' }, true],
  [{ operation: 'responses' }, false],
  [{ operation: ['responses', 'chat'] }, true],
  [{ method: 'POST' }, true],
  [{ method: 'GET' }, false],
  [{ path: '/v1/*' }, true],
  [{ path: '/v1' }, false],
  [{ path: '*/completions' }, true],
  [{ path: '*chat*' }, true],
  [{ path: '/v1/chat/completions' }, true],
  [{ path: '/v1/chat*chat/completions' }, false],
  [{ path: '/v1*v1/*' }, false],
  [{ path: '*/*/*/*' }, true],
  [{ path: '*/*/*/*/*' }, false],
  [{ path: '/v1/.*' }, false],
  [{ model: 'gpt-*' }, true],
  [{ model: 'gpt' }, false],
  [{ key: 'foreign' }, true],
  [{ key: 'valid' }, false],
  [{ streamed: true }, true],
  [{ streamed: false }, false],
  [{ headers: { 'User-Agent': 'App/*' } }, true],
  [{ headers: { 'user-agent': 'App/*', 'x-tenant': 'other' } }, false],
  [{ headers: { 'x-other': '*' } }, false],
  [{ headers: { 'x-other': null, 'x-tenant': 'acme' } }, true],
  [{ headers: { 'x-other': null, 'X-Tenant': null } }, false],
  [{ query: { none: null } }, true],
  [{ query: { page: null } }, false],
  [{ headers: { accept: '\\*/\\*' } }, true],
  [{ headers: { 'user-agent': '\\*/\\*' } }, false],
  [{ body: { temperature: 0 } }, true],
  [{ body: { temperature: '0' } }, false],
  [{ body: { temperature: 1 } }, false],
  [{ body: { stop: null } }, true],
  [{ body: { top_p: null } }, false],
  [{ body: { messages: [{ role: 'user', content: '*weather*Ulm*' }] } }, true],
  [{ body: { messages: [{ role: 'system', content: '*weather*' }] } }, false],
  [{ body: { messages: [{ role: 'user' }, { role: 'system' }] } }, true],
  [{ body: { messages: [] } }, true],
  [{ body: { messages: {} } }, false],
  [{ body: [] }, false],
  [{ operation: 'chat', streamed: false }, false],
  [{ family: ['B', 'A'] }, true],
  [{ surface: 'list' }, false],
  [{ query: { page: '1*' } }, true],
  [{ query: { page: '2', none: '*' } }, false],
  [{ headers: { 'x-tenant': ['other', 'ac*'] } }, true],
  [{ place: 'bearer' }, true],
  [{ place: ['x-api-key', 'none'] }, false],
  [{ credential: 's*' }, true],
  [{ invalid: { at: '*.role' } }, true],
  [{ invalid: { at: ['model', 'messages[0].role'] } }, false],
  [{ invalid: { type: ['null', 'number'] } }, true],
  [{ invalid: { at: '*.role', type: 'missing' } }, false],
  [{ invalid: { value: 7 } }, true],
  [{ invalid: { value: '7' } }, false],
  [{ text: '{"model":*' }, true],
  [{ text: ['', '[*'] }, false],
  [{ size: { over: 199, under: 201 } }, true],
  [{ size: { over: 200 } }, false],
  [{ size: { under: 200 } }, false],
  [{ marker: 'Ulm' }, true],
  [{ marker: 'acme' }, true],
  [{ marker: 'Bonn' }, false],
  [{ marker: ['Bonn', 'Ulm'] }, true],
  [{ not: { operation: 'chat' } }, false],
  [{ not: { operation: 'chat', streamed: false } }, true],
  [{ anyOf: [{ operation: 'models' }, { key: 'foreign' }] }, true],
  [{ anyOf: [{ operation: 'models' }, { key: 'valid' }] }, false],
  [{ refused: true }, true],
  [{ refused: false }, false],
  [{ refused: ['bad-key', 'low-*'] }, true],
  [{ refused: 'bad-key' }, false],
  [{ refused: true, problem: { place: 'messages*' } }, true],
  [{ refused: true, problem: { place: 'messages*', type: 'array' } }, false],
  [{ refused: true, problem: { model: '*' } }, false],
])('the match %j is %s', (match, expected) => {
  expect(matches(match, facts)).toBe(expected);
});

test.each<[Match, boolean | undefined]>([
  [{ key: 'valid' }, undefined],
  [{ operation: 'models', key: 'valid' }, false],
  [{ not: { streamed: true } }, undefined],
  [{ not: { operation: 'models', streamed: true } }, true],
  [{ anyOf: [{ operation: 'chat' }, { refused: true }] }, true],
  [{ anyOf: [{ operation: 'models' }, { refused: true }] }, undefined],
  [{ marker: 'acme' }, true],
  [{ marker: 'Ulm' }, undefined],
  [{ problem: { model: '*' } }, undefined],
  [{ invalid: { at: 'body' } }, undefined],
  [{ text: '' }, undefined],
  [{ size: { over: 1 } }, true],
])('before the body and the credential are read, the match %j is %s', (match, expected) => {
  expect(matches(match, head)).toBe(expected);
});

test('conditions on an operation or a model do not hold without one', () => {
  const unknown: Facts = {
    ...facts,
    operation: undefined,
    sent: { text: () => '', body: undefined, model: undefined, streamed: false },
  };
  for (const match of [{ operation: 'chat' }, { model: '*' }]) expect(matches(match, unknown)).toBe(false);
});

test.each<[unknown, string]>([
  [undefined, 'missing'],
  [null, 'null'],
  [false, 'boolean'],
  [0, 'number'],
  ['', 'string'],
  [[], 'array'],
  [{}, 'object'],
])('the type of an invalid value %j is %s', (value, type) => {
  const sent = { text: () => '', body, model: undefined, streamed: false };
  const invalid: Facts = { ...head, sent: { ...sent, findProblem: () => ({ place: 'model', value }) } };
  expect(matches({ invalid: { type } }, invalid)).toBe(true);
  expect(matches({ invalid: { type } }, facts)).toBe(type === 'number');
});

test('a valid body, or a server that validates none, is nowhere invalid', () => {
  const sent = { text: () => '', body, model: undefined, streamed: false };
  const invalid = { type: 'missing' };
  expect(matches({ invalid }, { ...head, sent })).toBe(false);
  expect(matches({ invalid }, { ...head, sent: { ...sent, findProblem: () => undefined } })).toBe(false);
});

test('a hostile pattern is matched quickly', () => {
  const path = `/${'a'.repeat(50_000)}`;
  expect(matches({ path: `${'*a'.repeat(2000)}*b` }, { ...facts, request: { ...facts.request, path } })).toBe(
    false,
  );
});
