// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a profile
import { expect, test } from 'vitest';
import { profileOfMembers, statedMembers } from './optional-members.ts';

test('splits a profile into its members and joins them again', () => {
  const profile = {
    baseUrl: '${BASE}',
    headers: { 'x-tenant': '${NONE}' },
    models: { chat: 'gpt-x', generate: { good: 'g', textOnly: 't' } },
    operations: { messages: null, usage: { request: 'POST /u', body: { from: '{start}' } } },
    bodies: { chat: { extra: { route: '${BASE}' } } },
    rateLimit: { operation: 'usage', requests: 3, within: '1s' },
  };
  const members = statedMembers(profile, { BASE: 'http://x' });
  expect(members.map(({ path, expanded }) => [path.join('.'), expanded])).toEqual([
    ['baseUrl', 'http://x'],
    ['headers.x-tenant', undefined],
    ['models.chat.good', 'gpt-x'],
    ['models.generate.good', 'g'],
    ['models.generate.textOnly', 't'],
    ['operations.messages', null],
    ['operations.usage', { request: 'POST /u', body: { from: '{start}' } }],
    ['bodies.chat', { extra: { route: 'http://x' } }],
    ['rateLimit', { operation: 'usage', requests: 3, within: '1s' }],
  ]);
  expect(profileOfMembers(members)).toEqual({
    ...profile,
    models: { ...profile.models, chat: { good: 'gpt-x' } },
  });
});

test('an empty group has no members', () => {
  expect(statedMembers({ headers: {}, models: { chat: {} } }, {})).toEqual([]);
});
