// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a profile
import { expect, test } from 'vitest';
import { joinProfile, splitProfile } from './optional-properties.ts';

test('splits a profile into its properties and joins the properties again', () => {
  const profile = {
    baseUrl: '${BASE}',
    headers: { 'x-tenant': '${NONE}' },
    models: { chat: 'gpt-x', generate: { good: 'g', textOnly: 't' } },
    operations: { messages: null, usage: { request: 'POST /u', body: { from: '{start}' } } },
    bodies: { chat: { extra: { route: '${BASE}' } } },
    rateLimit: { operation: 'usage', requests: 3, within: '1s' },
  };
  const properties = splitProfile(profile, { BASE: 'http://x' });
  expect(properties.map(({ path, expanded }) => [path.join('.'), expanded])).toEqual([
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
  expect(joinProfile(properties)).toEqual({
    ...profile,
    models: { ...profile.models, chat: { good: 'gpt-x' } },
  });
});

test('an empty group has no properties', () => {
  expect(splitProfile({ headers: {}, models: { chat: {} } }, {})).toEqual([]);
});
