import { expect, test } from 'vitest';
import type { Context } from '../gateway/context.ts';
import { operations } from '../gateway/operations.ts';
import { matchesRule } from './match-rule.ts';
import type { ScriptMatch } from './rule.ts';

const context: Context = {
  number: 1,
  traceId: '',
  now: 0,
  request: {
    method: 'POST',
    path: '/v1/chat/completions',
    query: new URLSearchParams(),
    headers: { 'user-agent': 'App/1.2 (test)', 'x-tenant': 'acme' },
    connection: '',
    readBody: () => Promise.reject(new Error('unexpected call of readBody')),
  },
  profile: {
    baseUrl: '',
    headers: {},
    keys: { valid: 'sk' },
    models: {},
    operations: {
      messages: null,
      generate: null,
      streamGenerate: null,
      balance: null,
      usage: null,
      record: null,
      internalError: null,
    },
    bodies: {},
    versionHeader: '',
    timeFormat: 'unix-seconds',
    stream: { parameter: 'stream' },
    records: {},
    rateLimit: undefined,
  },
  state: {
    accounts: new Map(),
    keys: [],
    models: [],
    records: [],
    frequency: new Map(),
    rechargeUrl: '',
  },
  match: { kind: 'unknown-path' },
  operation: operations.chat,
  family: 'A',
  surface: 'model',
  credential: { header: 'bearer', value: 'sk' },
  key: {
    id: 'foreign',
    name: 'foreign',
    role: 'foreign',
    value: 'sk',
    account: 'other',
    deleted: false,
    createdAt: 0,
    lastUsedAt: undefined,
    requests: 0,
  },
  body: {
    model: 'gpt-reference',
    temperature: 0,
    stop: null,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is the weather\nin Ulm?' },
    ],
  },
  modelId: 'gpt-reference',
  model: undefined,
  streamed: true,
  failure: undefined,
};

test.each<[ScriptMatch, boolean]>([
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
])('matchesRule with %j returns %s', (match, expected) => {
  expect(matchesRule(match, context)).toBe(expected);
});

test.each([
  [{ header: 'none', value: '' }, 'none'],
  [{ header: 'x-api-key', value: 'x' }, 'unknown'],
] as const)('the key role of the credential %j is %s', (credential, key) => {
  const ctx = { ...context, key: undefined, credential };
  expect(matchesRule({ key }, ctx)).toBe(true);
  expect(matchesRule({ key: 'foreign' }, ctx)).toBe(false);
});

test('conditions on the operation and the model do not match an unknown path', () => {
  const ctx = { ...context, operation: undefined, modelId: undefined };
  expect(matchesRule({ operation: 'chat' }, ctx)).toBe(false);
  expect(matchesRule({ model: '*' }, ctx)).toBe(false);
});

test('a hostile pattern is matched quickly', () => {
  const path = `/${'a'.repeat(50_000)}`;
  const ctx = { ...context, request: { ...context.request, path } };
  expect(matchesRule({ path: `${'*a'.repeat(2000)}*b` }, ctx)).toBe(false);
});
